// @ts-check
// Runs every check and ends with `N passed, N failed`. A step that is not a test runner counts as one.
//   --no-browser      skips everything that needs a browser
//   --only=PART       runs only the browser journeys (journeys), or only the tests of screens (screens)
//   --night           runs the tests, screens and journeys that are left to `npm run nightly` instead
//   --slowest=N       lists the N slowest test files at the end (default 10)
//   --help            prints the options
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./lib/browser.mjs";
import { journeysPart, overAllowance, testsPart } from "./lib/gate-allowances.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { failuresOf, readPlaywrightReport, readVitestReport, slowestFiles } from "./lib/test-report.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const reports = join(root, ".build");
const options = readOptions();
const total = { passed: 0, failed: 0 };
/** @type {{ name: string, seconds: number }[]} */
const steps = [];
/** @type {import("./lib/test-report.mjs").TimedFile[]} */
const files = [];
/** @type {string[]} */
const failures = [];
/** Tests append a line for each check that this machine does not allow. */
const notRun = join(reports, "not-run.txt");

await ensureInstalled((line) => console.log(line), { forTests: true });
mkdirSync(reports, { recursive: true });
rmSync(notRun, { force: true });

const started = Date.now();
const isWhole = options.only === undefined && !options.night;
if (isWhole) await build();
// Goes on beside the tests: it needs the types of the clients, which the build writes, and one core.
const types = isWhole ? checkTypes() : undefined;
if (isWhole) await checkStyle();
// Types are checked above; this proves that declarations can be written as well.
if (options.night && options.only === undefined) {
  await build();
  await check("declarations", "tsc", ["-b"]);
}
// The browser may have to be installed, so this comes after the quick checks.
const browser = options.noBrowser ? undefined : ensureBrowser();
/** @type {Record<string, string>} */
const environment = browser === undefined ? {} : { FAIRWAY_BROWSER: browser };
if (options.only !== "journeys") {
  await testRunner(
    options.only ?? testsPart,
    "vitest",
    ["run", "--reporter=default", "--reporter=json", "--outputFile.json=.build/vitest.json", ...projects()],
    "vitest.json",
    readVitestReport,
    { ...environment, FAIRWAY_SCREEN_RETRIES: "1" },
  );
}
await types;
if (!options.noBrowser && options.only !== "screens") {
  if (options.only === "journeys" || options.night) await build();
  await testRunner(
    journeysPart,
    "playwright",
    // A single retry tolerates a machine that is briefly busy.
    ["test", "--config=e2e/playwright.config.ts", `--project=${options.night ? "night" : "gate"}`, "--retries=1"],
    "journeys.json",
    readPlaywrightReport,
    environment,
  );
}

if (existsSync(notRun)) for (const line of readFileSync(notRun, "utf8").trim().split("\n")) console.log(`not run: ${line}`);
console.log("\nThe slowest test files:");
for (const line of slowestFiles(files, options.slowest)) console.log(line);
console.log("\nTimes:");
for (const { name, seconds } of [...steps, { name: "everything", seconds: (Date.now() - started) / 1_000 }]) {
  console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
if (!options.night) for (const line of overAllowance(steps)) console.log(line);
// Named once more, as a build server may keep only the end of the output.
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((failure) => `  ✗ ${failure}`).join("\n")}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        "no-browser": { type: "boolean", default: false },
        only: { type: "string" },
        night: { type: "boolean", default: false },
        slowest: { type: "string", default: "10" },
        help: { type: "boolean", default: false },
      },
    });
    const { only } = values;
    if (!values.help && (only === undefined || only === "journeys" || only === "screens")) {
      return {
        noBrowser: values["no-browser"],
        only,
        night: values.night,
        slowest: Number(values.slowest),
      };
    }
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
  console.log("npm test                        runs every check, the browser journeys last");
  console.log("npm test -- --no-browser        skips everything that needs a browser");
  console.log("npm test -- --only=journeys     runs the browser journeys only");
  console.log("npm test -- --only=screens      runs the tests of screens only");
  console.log("npm test -- --night             runs what is left to npm run nightly, of the same kinds");
  console.log("npm test -- --slowest=50        lists more of the slowest test files");
  console.log("npx vitest run PATH             runs the tests of one file or folder");
  return process.exit(process.argv.includes("--help") ? 0 : 2);
}

/** Patterns of the projects of vitest.config.ts that are to be run. */
function projects() {
  if (options.only === "screens") return [options.night ? "--project=night screens" : "--project=screens"];
  if (!options.night) return ["--project=!night*", ...(options.noBrowser ? ["--project=!screens"] : [])];
  return ["--project=night", ...(options.noBrowser ? [] : ["--project=night screens"])];
}

/** One after the other, because types and lint are checked at the same time. */
async function checkStyle() {
  await check("format", "oxfmt", ["--check"]);
  await check("dead code", "knip", ["--no-progress"]);
}

/** The rules that read types need nearly all types anyway, so that one pass for both takes half as long as `tsc -b` and lint. */
function checkTypes() {
  return check("types and lint", "oxlint", ["--type-aware", "--type-check", "--deny-warnings"]);
}

function build() {
  if (options.noBrowser) return check("build", process.execPath, ["scripts/build.mjs", "--clients"]);
  return check("build and bundle budgets", process.execPath, ["scripts/build.mjs", "--keep-budgets"]);
}

/**
 * Runs a command that passes or fails as a whole. Its output is printed at the end, so that two can run in parallel.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 */
async function check(name, command, args) {
  const seconds = stopwatch();
  console.log(`  ${name} …`);
  const { code, output } = await run(command, args, { quiet: true });
  const ok = code === 0;
  total[ok ? "passed" : "failed"]++;
  if (!ok) failures.push(name);
  steps.push({ name, seconds: seconds() });
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds().toFixed(1)} s)`);
  if (!ok) console.log(output);
}

/**
 * Runs a test runner and counts the tests in its report. A missing report counts as one failure.
 * @param {string} name
 * @param {string} command
 * @param {string[]} args
 * @param {string} reportFile
 * @param {(path: string) => import("./lib/test-report.mjs").Report} read
 * @param {Record<string, string>} [environment]
 */
async function testRunner(name, command, args, reportFile, read, environment = {}) {
  const path = join(reports, reportFile);
  rmSync(path, { force: true });
  const seconds = stopwatch();
  console.log(`  ${name} …`);
  const { code } = await run(command, args, { quiet: false, environment });
  const report = existsSync(path) ? read(path) : { passed: 0, failed: 1, flaky: 0, files: [], failureDetails: [], failedTests: [] };
  const failed = failuresOf(report, code);
  total.passed += report.passed;
  total.failed += failed;
  files.push(...report.files);
  failures.push(...(failed > 0 && report.failedTests.length === 0 ? [name] : report.failedTests));
  steps.push({ name, seconds: seconds() });
  for (const detail of report.failureDetails) console.log(detail);
  const flaky = report.flaky > 0 ? `, ${report.flaky} flaky` : "";
  console.log(`${failed === 0 ? "✓" : "✗"} ${name}: ${report.passed} passed, ${failed} failed${flaky} (${seconds().toFixed(1)} s)`);
}

function stopwatch() {
  const startedMs = Date.now();
  return () => (Date.now() - startedMs) / 1_000;
}

/**
 * @param {string} command a program of node_modules/.bin, or a path
 * @param {string[]} args
 * @param {{ quiet: boolean, environment?: Record<string, string> }} options
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(command, args, { quiet, environment = {} }) {
  const program = command.includes("/") ? command : join(root, "node_modules", ".bin", command);
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    child.stdout?.on("data", (chunk) => (output += chunk));
    child.stderr?.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => resolve({ code: 1, output: String(error) }));
    child.on("close", (code) => resolve({ code, output }));
  });
}
