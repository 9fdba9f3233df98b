// @ts-check
// Runs every check and closes with `N passed, N failed`. A step that is no test runner counts as one.
//   --no-browser      everything that needs no browser
//   --only=journeys   the journeys alone
//   --slowest=N       names the N slowest test files at the end (10)
//   --help            these lines
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureBrowser } from "./lib/browser.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { readPlaywrightReport, readVitestReport, slowestFiles } from "./lib/test-report.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const reports = join(root, ".build");
const options = readOptions();
const total = { passed: 0, failed: 0 };
/** @type {{ name: string, seconds: number }[]} */
const steps = [];
/** @type {import("./lib/test-report.mjs").TimedFile[]} */
const files = [];
/** Tests write a line into it for each check that this machine does not allow. */
const notRun = join(reports, "not-run.txt");

await ensureInstalled((line) => console.log(line));
mkdirSync(reports, { recursive: true });
rmSync(notRun, { force: true });

const started = Date.now();
if (!options.onlyJourneys) {
  await Promise.all([check("types", "tsc", ["-b"]), check("lint", "oxlint", ["--type-aware", "--deny-warnings"])]);
  await Promise.all([check("format", "oxfmt", ["--check"]), check("dead code", "knip", ["--no-progress"])]);
}
// The browser is looked for as late as here, so that the quick checks speak first.
const browser = options.noBrowser ? undefined : ensureBrowser();
/** @type {Record<string, string>} */
const environment = browser === undefined ? {} : { FAIRWAY_BROWSER: browser };
if (!options.onlyJourneys) {
  await Promise.all([
    testRunner(
      "unit, integration and screens",
      "vitest",
      [
        "run",
        "--reporter=default",
        "--reporter=json",
        "--outputFile.json=.build/vitest.json",
        ...(options.noBrowser ? ["--project=!screens"] : []),
      ],
      "vitest.json",
      readVitestReport,
      environment,
    ),
    // Many of those tests wait for a process or a database: the build uses what they leave.
    ...(options.noBrowser ? [] : [build()]),
  ]);
}
if (!options.noBrowser) {
  if (options.onlyJourneys) await build();
  else await check("hostile calls", process.execPath, ["scripts/hostile/run.mjs", "--short"]);
  await testRunner(
    "browser journeys",
    "playwright",
    // One of several hundred may meet a machine that is busy for a moment; one that fails twice has failed.
    ["test", "--config=e2e/playwright.config.ts", "--retries=1"],
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
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exit(total.failed === 0 ? 0 : 1);

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        "no-browser": { type: "boolean", default: false },
        only: { type: "string" },
        slowest: { type: "string", default: "10" },
        help: { type: "boolean", default: false },
      },
    });
    if (!values.help && (values.only === undefined || values.only === "journeys")) {
      return { noBrowser: values["no-browser"], onlyJourneys: values.only === "journeys", slowest: Number(values.slowest) };
    }
  } catch (error) {
    console.log(error instanceof Error ? error.message : String(error));
  }
  console.log("npm test                        every check, the browser journeys last");
  console.log("npm test -- --no-browser        everything that needs no browser");
  console.log("npm test -- --only=journeys     the journeys alone");
  console.log("npm test -- --slowest=50        names more of the slowest test files");
  console.log("npx vitest run PATH             unit and integration tests of one file or folder");
  return process.exit(process.argv.includes("--help") ? 0 : 2);
}

function build() {
  return check("build and bundle budgets", process.execPath, ["scripts/build.mjs", "--keep-budgets"]);
}

/**
 * A command that passes or fails as a whole. Its output is shown when it is through, so that two may run side by side.
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
  steps.push({ name, seconds: seconds() });
  console.log(`${ok ? "✓" : "✗"} ${name} (${seconds().toFixed(1)} s)`);
  if (!ok) console.log(output);
}

/**
 * A test runner, counted by its own report; without one it counts as one failure.
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
  const report = existsSync(path) ? read(path) : { passed: 0, failed: 1, flaky: 0, files: [], leftovers: [] };
  // A runner may fail without a failed test, by an unhandled rejection or an empty run: that is a failure too.
  const failed = report.failed === 0 && (code !== 0 || report.passed === 0) ? 1 : report.failed;
  total.passed += report.passed;
  total.failed += failed;
  files.push(...report.files);
  steps.push({ name, seconds: seconds() });
  for (const leftover of report.leftovers) console.log(leftover);
  const again = report.flaky > 0 ? `, ${report.flaky} at the second try` : "";
  console.log(`${failed === 0 ? "✓" : "✗"} ${name}: ${report.passed} passed, ${failed} failed${again} (${seconds().toFixed(1)} s)`);
}

function stopwatch() {
  const from = Date.now();
  return () => (Date.now() - from) / 1_000;
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
