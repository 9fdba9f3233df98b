import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, it, onTestFinished } from "vitest";

/** Ends with 7 when it is told to, and tells what it was given. */
const portal = `
  process.on("SIGTERM", () => { console.log("told"); setTimeout(() => process.exit(7), 50); });
  console.log("up", process.argv[2], process.env.UV_THREADPOOL_SIZE);
  setInterval(() => {}, 1_000);`;

async function launched(
  env: NodeJS.ProcessEnv = {},
): Promise<{ launcher: ChildProcessByStdio<null, Readable, null>; said: AsyncIterator<unknown> }> {
  const folder = await mkdtemp(join(tmpdir(), "fairway-launch-"));
  const program = join(folder, "portal.mjs");
  await writeFile(program, portal);
  const module = new URL("portal-process.mjs", import.meta.url).href;
  const code = `import(${JSON.stringify(module)}).then(async ({ runPortal }) => { process.exitCode = await runPortal(["--production"], ${JSON.stringify(program)}); });`;
  const launcher = spawn(process.execPath, ["--eval", code], {
    env: { PATH: process.env["PATH"], ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(async () => {
    launcher.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  return { launcher, said: launcher.stdout.setEncoding("utf8")[Symbol.asyncIterator]() };
}

it("starts the portal with threads for long queries, hands signals on and ends as the portal did", async () => {
  const { launcher, said } = await launched();
  expect((await said.next()).value).toBe("up --production 16\n");
  launcher.kill("SIGTERM");
  launcher.kill("SIGINT");
  expect(await once(launcher, "exit")).toEqual([7, null]);
});

it("keeps the operator's own number of threads", async () => {
  const { said } = await launched({ UV_THREADPOOL_SIZE: "5" });
  expect((await said.next()).value).toBe("up --production 5\n");
});

it.runIf(process.platform === "linux")("leaves no portal behind when it is killed with -9", async () => {
  const { launcher, said } = await launched();
  await said.next();
  launcher.kill("SIGKILL");
  // Told once per thread of the launcher that dies. The pipe closes when the last process that holds it has ended.
  let heard = "";
  for (let next = await said.next(); !next.done; next = await said.next()) heard += String(next.value);
  expect(heard).toMatch(/^(told\n)+$/);
});
