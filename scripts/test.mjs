// @ts-check
// Runs every check and closes with `N passed, N failed`. A step that is no test runner counts as one.
//   --no-browser      everything that needs no browser
//   --only=journeys   the journeys alone
//   --help            these lines
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { ensureBrowser } from "./lib/browser.mjs";
import { ensureInstalled } from "./lib/install.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const reports = join(root, ".build");
const unknown = process.argv.slice(2).filter((option) => !["--no-browser", "--only=journeys"].includes(option));
if (unknown.length > 0) {
  console.log("npm test                        every check, the browser journeys last");
  console.log("npm test -- --no-browser        everything that needs no browser");
  console.log("npm test -- --only=journeys     the journeys alone");
  console.log("npx vitest run PATH             unit and integration tests of one file or folder");
  process.exit(unknown.includes("--help") ? 0 : 2);
}
const noBrowser = process.argv.includes("--no-browser");
const onlyJourneys = process.argv.includes("--only=journeys");
const total = { passed: 0, failed: 0 };
/** Tests write a line into it for each check that this machine does not allow. */
const notRun = join(reports, "not-run.txt");

await ensureInstalled((line) => console.log(line));
mkdirSync(reports, { recursive: true });
rmSync(notRun, { force: true });

if (!onlyJourneys) {
  await Promise.all([check("types", "tsc", ["-b"]), check("lint", "oxlint", ["--type-aware", "--deny-warnings"])]);
  await Promise.all([check("format", "oxfmt", ["--check"]), check("dead code", "knip", ["--no-progress"])]);
  // The browser is looked for as late as here, so that the quick checks speak first.
  const screensBrowser = noBrowser ? undefined : ensureBrowser();
  await testRunner(
    "unit and integration",
    "vitest",
    ["run", "--reporter=default", "--reporter=json", "--outputFile.json=.build/vitest.json", ...(noBrowser ? ["--project=!screens"] : [])],
    "vitest.json",
    (report) => ({
      passed: report.numPassedTests,
      failed:
        report.numFailedTests +
        report.testResults.filter(
          (/** @type {{status: string, assertionResults: unknown[]}} */ file) =>
            file.status === "failed" && file.assertionResults.length === 0,
        ).length,
    }),
    screensBrowser === undefined ? {} : { FAIRWAY_BROWSER: screensBrowser },
  );
}
if (!noBrowser) {
  await check("build and bundle budgets", process.execPath, ["scripts/build.mjs", "--keep-budgets"]);
  if (!onlyJourneys) await check("hostile calls", process.execPath, ["scripts/hostile/run.mjs", "--short"]);
  const browser = ensureBrowser();
  await testRunner(
    "browser journeys",
    "playwright",
    // One of several hundred may meet a machine that is busy for a moment; one that fails twice has failed.
    ["test", "--config=e2e/playwright.config.ts", "--retries=1"],
    "journeys.json",
    (report) => ({
      passed: report.stats.expected + report.stats.flaky,
      failed: report.stats.unexpected + report.stats.skipped + report.errors.length,
      atSecondTry: report.stats.flaky,
    }),
    browser === undefined ? {} : { FAIRWAY_BROWSER: browser },
  );
}

if (existsSync(notRun)) for (const line of readFileSync(notRun, "utf8").trim().split("\n")) console.log(`not run: ${line}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

/**
 * A command that passes or fails as a whole. Its output is shown when it is through, so that two may run side by side.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
async function check(name, command, args) {
  const started = Date.now();
  console.log(`  ${name} …`);
  const { code, output } = await run(command, args, { quiet: true });
  const ok = code === 0;
  total[ok ? "passed" : "failed"]++;
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds(started)})`);
  if (!ok) console.log(output);
}

/**
 * A test runner, counted by its own report; without one it counts as one failure.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {string} reportFile
 * @param {(report: any) => { passed: number, failed: number, atSecondTry?: number }} count
 * @param {Record<string, string>} [environment]
 */
async function testRunner(name, command, args, reportFile, count, environment = {}) {
  const path = join(reports, reportFile);
  rmSync(path, { force: true });
  const started = Date.now();
  console.log(`  ${name} …`);
  const { code } = await run(command, args, { quiet: false, environment });
  /** @type {{ passed: number, failed: number, atSecondTry?: number }} */
  const counted = existsSync(path) ? count(JSON.parse(readFileSync(path, "utf8"))) : { passed: 0, failed: 1 };
  // A runner may fail without a failed test, by an unhandled rejection or an empty run: that is a failure too.
  if ((code !== 0 && counted.failed === 0) || counted.passed + counted.failed === 0) counted.failed++;
  total.passed += counted.passed;
  total.failed += counted.failed;
  const again = counted.atSecondTry ? `, ${counted.atSecondTry} at the second try` : "";
  console.log(
    `${counted.failed === 0 ? "✓" : "✗"} ${name}: ${counted.passed} passed, ${counted.failed} failed${again} (${seconds(started)})`,
  );
}

/** @param {number} started */
function seconds(started) {
  return `${((Date.now() - started) / 1_000).toFixed(1)} s`;
}

/**
 * @param {string} command a program of node_modules/.bin, or a path
 * @param {string[]} args
 * @param {{ quiet: boolean, environment?: Record<string, string> }} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command, args, { quiet, environment = {} }) {
  const program = command.includes("/") ? command : join(root, "node_modules", ".bin", command);
  return new Promise((settle) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => settle({ code: 1, output: String(error) }));
    child.on("close", (code) => settle({ code, output }));
  });
}
