// @ts-check
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, rmSync } from "node:fs";
import { readFile, readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { ensureBrowser } from "../lib/browser.mjs";
import { checkout } from "../lib/checkout.mjs";
import { readPlaywrightReport } from "../lib/test-report.mjs";
import { end, endWithThis } from "./processes.mjs";

/** Of one journey. Two gateways and their servers share the machine, and the time only matters for failures. */
const maxMs = 360_000;
const report = join(checkout, ".build/journeys.json");

/** The names of the journeys that start a portal of their own and so are not run by this platform. */
export async function journeysOfOwnPortals() {
  const folders = ["e2e/journeys", "e2e/night"].map((folder) => join(checkout, folder));
  const files = (await Promise.all(folders.map(async (folder) => (await readdir(folder)).map((file) => join(folder, file))))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8")));
  return files.filter((_, index) => texts[index]?.includes("startProductionPortal(")).map((file) => basename(file, ".e2e.ts"));
}

/**
 * Runs the browser journeys against a platform.
 * @param {import("./open-platform.mjs").RunningPlatform} platform
 * @param {readonly string[]} names of files without their ending; empty = all
 * @returns {Promise<{ passed: number, failed: number, flaky: number }>}
 */
export async function runJourneys({ balancer, home, postgres }, names) {
  const browser = ensureBrowser();
  rmSync(report, { force: true });
  const files = names.map((name) => `/${name}.e2e.ts`);
  const child = spawn(
    process.execPath,
    [
      join(checkout, "node_modules/@playwright/test/cli.js"),
      "test",
      "--config=e2e/playwright.config.ts",
      // A single retry tolerates a machine that is briefly busy.
      "--retries=1",
      `--timeout=${maxMs}`,
      ...files,
    ],
    {
      cwd: checkout,
      env: {
        ...process.env,
        FAIRWAY_E2E_REUSE: "1",
        FAIRWAY_E2E_PORT: String(balancer.port),
        FAIRWAY_E2E_HOME: home,
        FAIRWAY_E2E_DATABASE_URL: postgres.url,
        ...(browser === undefined ? {} : { FAIRWAY_BROWSER: browser }),
      },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  endWithThis(child, "SIGTERM");
  try {
    const [code] = await once(child, "exit");
    if (!existsSync(report)) return { passed: 0, failed: 1, flaky: 0 };
    const { passed, failed, flaky, failureDetails } = readPlaywrightReport(report);
    for (const detail of failureDetails) console.log(detail);
    // The runner may also fail without a failed journey, such as for an empty run.
    return { passed, flaky, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
  } finally {
    await end(child, "SIGTERM");
  }
}
