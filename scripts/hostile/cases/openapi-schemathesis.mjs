// @ts-check
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { roomForWriters } from "../lib/writers.mjs";

export const name = "Calls that schemathesis makes up from the API's description, as an administrator";

const execute = promisify(execFile);
/** What the portal may answer where others are at fault, as in our own fuzzing. */
const settings = `[checks]
not_a_server_error.expected-statuses = ["2xx", "3xx", "4xx", "502", "503", "504"]
`;

/** @param {import("../run.mjs").Context} context */
export async function run({ openPortal, short }) {
  const found = await execute("schemathesis", ["--version"]).catch(() => undefined);
  const version = /\d+(?=\.)/.exec(found?.stdout ?? "")?.[0];
  if (version === undefined) return { notRun: "schemathesis is not installed here" };
  if (Number(version) < 4) return { notRun: `schemathesis is installed here in version ${version}, and 4 is needed` };
  const folder = await mkdtemp(join(tmpdir(), "fairway-hostile-schemathesis-"));
  const portal = await openPortal({ env: roomForWriters });
  try {
    await writeFile(join(folder, "schemathesis.toml"), settings);
    const token = await portal.asAdministrator();
    return await portal.measure(async () => {
      const { code, output } = await schemathesis(portal, { token, folder, seconds: short ? 8 : 45 });
      const [summary = "nothing known of its calls"] = /\d+ (?:generated|test cases)[^\n]*/i.exec(output) ?? [];
      const note = `schemathesis ${version}: ${summary}`;
      return code === 0 ? note : { note, problem: output.slice(-6_000) };
    });
  } finally {
    await portal.stop();
    await rm(folder, { recursive: true });
  }
}

/**
 * @param {import("../lib/portal.mjs").Portal} portal
 * @param {{ token: string, folder: string, seconds: number }} options the folder is for what it writes
 */
async function schemathesis(portal, { token, folder, seconds }) {
  const args = [
    ["run", `${portal.origin}/api/openapi.json`],
    ["--url", `${portal.origin}/api`],
    ["--header", `Authorization: Bearer ${token}`],
    ["--checks", "not_a_server_error"],
    ["--phases", "coverage,fuzzing"],
    ["--max-time", String(seconds)],
    ["--max-examples", "10"],
    ["--seed", "20261122"],
    ["--suppress-health-check", "all"],
    ["--continue-on-failure", "--no-shrink", "--no-color"],
    // Whoever signs out has nothing left to attack with.
    ["--exclude-path", "/auth/logout"],
  ].flat();
  return execute("schemathesis", args, { cwd: folder, maxBuffer: 100_000_000, timeout: (seconds + 60) * 1_000 }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, message }) => ({ code: code ?? 1, output: stdout || message }),
  );
}
