// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureBrowser } from "../lib/browser.mjs";
import { failuresOf, readPlaywrightReport } from "../lib/test-report.mjs";
import { end, endWithThis } from "../lib/processes.mjs";

/**
 * The files of browser journeys by name. Releases until r2 have no folder for the night.
 * @param {string} folder of the checkout
 */
export function journeyFiles(folder) {
  const folders = ["e2e/journeys", "e2e/night"].map((path) => join(folder, path)).filter((path) => existsSync(path));
  return new Map(folders.flatMap((path) => readdirSync(path).map((file) => [file.replace(".e2e.ts", ""), join(path, file)])));
}

/**
 * Runs the browser journeys of a checkout against a portal that is running.
 * @param {string} folder of the checkout
 * @param {{ names: readonly string[], port: number, home: string, databaseUrl?: string, args?: readonly string[], expectMs?: number, maxMs?: number }} options
 * `names`: empty = all; `expectMs`: for which an expectation waits
 */
export async function runJourneys(folder, { names, port, home, databaseUrl, args = [], expectMs, maxMs = Infinity }) {
  const report = join(folder, ".build/journeys.json");
  rmSync(report, { force: true });
  const browser = ensureBrowser();
  const playwright = join(folder, "node_modules/@playwright/test/cli.js");
  // A single retry tolerates a machine that is briefly busy.
  const options = ["test", "--config=e2e/playwright.config.ts", "--retries=1", ...args, ...names.map((name) => `/${name}.e2e.ts`)];
  const child = spawn(process.execPath, [playwright, ...options], {
    cwd: folder,
    env: {
      ...process.env,
      FAIRWAY_E2E_REUSE: "1",
      FAIRWAY_E2E_PORT: String(port),
      FAIRWAY_E2E_HOME: home,
      ...(databaseUrl === undefined ? {} : { FAIRWAY_E2E_DATABASE_URL: databaseUrl }),
      ...(expectMs === undefined ? {} : { FAIRWAY_E2E_EXPECT_MS: String(expectMs) }),
      ...(browser === undefined ? {} : { FAIRWAY_BROWSER: browser }),
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  endWithThis(child, "SIGTERM");
  const exited = once(child, "exit");
  const limit = maxMs === Infinity ? [] : [wait(maxMs, undefined, { ref: false }).then(() => end(child, "SIGTERM"))];
  await Promise.race([exited, ...limit]);
  if (!existsSync(report)) return { passed: 0, failed: 1, flaky: 0 };
  const { passed, failed, flaky, failureDetails } = readPlaywrightReport(report);
  for (const detail of failureDetails) console.log(detail);
  return { passed, flaky, failed: failuresOf({ passed, failed }, child.exitCode) };
}
