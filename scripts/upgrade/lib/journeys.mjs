// @ts-check
import { spawn } from "node:child_process";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ensureBrowser } from "../../lib/browser.mjs";

const maxMs = 20 * 60_000;

/** The most important journeys that need the real gateway. Those that a release does not have are skipped. */
const defaultJourneys = [
  "login",
  "logout",
  "password",
  "profile",
  "api-keys",
  "dataset-picker",
  "dataset-description",
  "first-search",
  "filters",
  "search-run",
  "saved-searches",
  "results-actions",
  "results-columns",
  "results-export",
  "export-all",
  "graphs-values",
  "graphs-templates",
  "map-items",
  "map-paths",
  "notices",
  "feedback",
  "auditing",
  "admin-access",
  "admin-accounts",
  "admin-datasets",
  "admin-entities",
  "admin-import",
  "admin-types",
];

/** Tests of releases that count what this version has more of, by a part of their titles. Nothing an older web app does is lost by it. */
const outgrown = [
  // Flow environments have trusted certificates of their own since r1, which an editor's tree shows as an eighth field.
  "an entity is made, changed in the tree and copied",
];

/**
 * Runs the release's browser journeys against a running portal.
 * @param {{ folder: string, port: number, home: string, only?: string[] }} options
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runJourneys({ folder, port, home, only }) {
  // Releases until r2 have no folder for the night.
  const folders = ["e2e/journeys", "e2e/night"].map((path) => join(folder, path)).filter((path) => existsSync(path));
  const available = new Set(folders.flatMap((path) => readdirSync(path)).map((file) => file.replace(".e2e.ts", "")));
  const files = (only ?? defaultJourneys).filter((name) => available.has(name)).map((name) => `/${name}.e2e.ts`);
  const report = join(folder, ".build/journeys.json");
  await rm(report, { force: true });
  const browser = ensureBrowser();
  const child = spawn(
    process.execPath,
    [
      join(folder, "node_modules/@playwright/test/cli.js"),
      "test",
      "--config=e2e/playwright.config.ts",
      "--retries=1",
      `--grep-invert=${outgrown.join("|")}`,
      ...files,
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        FAIRWAY_E2E_REUSE: "1",
        FAIRWAY_E2E_PORT: String(port),
        FAIRWAY_E2E_HOME: home,
        ...(browser === undefined ? {} : { FAIRWAY_BROWSER: browser }),
      },
      stdio: ["ignore", "inherit", "inherit"],
    },
  );
  process.once("exit", () => child.kill("SIGTERM"));
  const finished = new AbortController();
  const ended = new Promise((resolve) => {
    child.once("exit", resolve);
    child.once("error", resolve);
  });
  await Promise.race([ended, wait(maxMs, undefined, { signal: finished.signal }).catch(() => undefined)]);
  finished.abort();
  child.kill("SIGTERM");
  await ended;
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { stats, errors } = JSON.parse(readFileSync(report, "utf8"));
  const failed = stats.unexpected + stats.skipped + errors.length;
  const passed = stats.expected + stats.flaky;
  return { passed, failed: passed + failed === 0 ? 1 : failed };
}
