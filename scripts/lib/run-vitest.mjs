// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { failuresOf, readVitestReport } from "./test-report.mjs";

/**
 * Runs tests and shows their output.
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runVitest(args, env) {
  const folder = join(checkout, ".build");
  const report = join(folder, "server-tests.json");
  mkdirSync(folder, { recursive: true });
  rmSync(report, { force: true });
  const child = spawn(
    join(checkout, "node_modules", ".bin", "vitest"),
    ["run", "--reporter=verbose", "--reporter=json", `--outputFile.json=${report}`, ...args],
    { cwd: checkout, env: { ...process.env, ...env }, stdio: "inherit" },
  );
  const [code] = await once(child, "close");
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const counted = readVitestReport(report);
  return { passed: counted.passed, failed: failuresOf(counted, code) };
}
