// @ts-check
// `npm run test:faults`: plants one fault after the other and expects its tests to fail. See docs/planted-faults.md.
//   -- TEXT   only the faults with this text in their name or file
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "./lib/checkout.mjs";
import { faults } from "./planted-faults/faults.ts";

/** @typedef {import("./planted-faults/fault.ts").Fault} Fault */
/** @typedef {{ kind: "caught" | "survived" | "broken", because: string }} Verdict `broken`: the tests did not run */

/** Timeout of a test. Tests wait this long for elements that a fault keeps from appearing. */
const testTimeoutMs = 40_000;
const reports = join(checkout, ".build");
const wanted = (process.argv[2] ?? "").toLowerCase();
const chosen = faults.filter(({ name, file }) => `${name}\n${file}`.toLowerCase().includes(wanted));

/** The file with the current fault, and its original text. @type {{ path: string, text: string } | undefined} */
let planted;
/** @type {import("node:child_process").ChildProcess | undefined} */
let running;

function restore() {
  if (planted) writeFileSync(planted.path, planted.text);
  planted = undefined;
}

process.on("exit", restore);
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
  process.on(signal, () => {
    running?.kill("SIGTERM");
    process.exit(130);
  });
}

/**
 * @param {string} program of node_modules/.bin, or a path
 * @param {string[]} args
 * @returns {Promise<{ code: number | null, output: string }>}
 */
function run(program, args) {
  return new Promise((settle) => {
    const child = spawn(program.includes("/") ? program : join(checkout, "node_modules/.bin", program), args, { cwd: checkout });
    running = child;
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("error", (error) => settle({ code: 1, output: String(error) }));
    child.on("close", (code) => settle({ code, output }));
  });
}

/**
 * @param {string} path
 * @returns {unknown}
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // A runner that failed to start writes no report, or a partial one.
    return undefined;
  }
}

/**
 * A file that cannot be loaded has no failed test: such a fault is caught by the compiler.
 * @param {readonly string[]} files
 * @returns {Promise<Verdict>}
 */
async function runVitest(files) {
  const path = join(reports, "planted-fault.json");
  rmSync(path, { force: true });
  const { code, output } = await run("vitest", [
    "run",
    ...files,
    "--bail=1",
    `--testTimeout=${testTimeoutMs}`,
    "--reporter=json",
    `--outputFile.json=${path}`,
  ]);
  const report = /** @type {{ testResults: { assertionResults: { status: string, fullName: string }[] }[] } | undefined} */ (
    readReport(path)
  );
  const tests = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = tests.find(({ status }) => status === "failed");
  if (failed) return { kind: "caught", because: failed.fullName };
  if (code === 0 && tests.length > 0) return { kind: "survived", because: `${tests.length} tests passed` };
  return { kind: "broken", because: output.trim().slice(-2_000) };
}

/**
 * @param {readonly string[]} files
 * @returns {Promise<Verdict>}
 */
async function runJourneys(files) {
  const built = await run(process.execPath, ["scripts/build.mjs"]);
  if (built.code !== 0) return { kind: "broken", because: built.output.trim().slice(-2_000) };
  const path = join(reports, "journeys.json");
  rmSync(path, { force: true });
  const { output } = await run("playwright", ["test", "--config=e2e/playwright.config.ts", "--max-failures=1", ...files]);
  const report = /** @type {{ stats: { expected: number, unexpected: number } } | undefined} */ (readReport(path));
  if (report && report.stats.unexpected > 0) return { kind: "caught", because: files.join(", ") };
  if (report && report.stats.expected > 0) return { kind: "survived", because: `${report.stats.expected} journeys passed` };
  return { kind: "broken", because: output.trim().slice(-2_000) };
}

/**
 * @param {readonly string[]} tests
 * @returns {Promise<Verdict>}
 */
async function runTests(tests) {
  const journeys = tests.filter((file) => file.endsWith(".e2e.ts"));
  const others = tests.filter((file) => !journeys.includes(file));
  const verdict = others.length > 0 ? await runVitest(others) : undefined;
  return verdict && (verdict.kind !== "survived" || journeys.length === 0) ? verdict : runJourneys(journeys);
}

/** @param {Fault} fault */
async function tryFault({ file, from, to, tests }) {
  const path = join(checkout, file);
  const text = readFileSync(path, "utf8");
  const [before, after, ...more] = text.split(from);
  if (before === undefined || after === undefined || more.length > 0)
    return /** @type {Verdict} */ ({ kind: "broken", because: `the text to replace does not occur once in ${file}` });
  planted = { path, text };
  writeFileSync(path, before + to + after);
  try {
    return await runTests(tests);
  } finally {
    restore();
  }
}

const changes = execFileSync("git", ["status", "--porcelain"], { cwd: checkout, encoding: "utf8" });
if (changes !== "") {
  console.error(`Commit or stash your changes first: faults are planted into files of the working tree.\n${changes}`);
  process.exit(2);
}
if (chosen.length === 0) {
  console.error(`No fault has "${wanted}" in its name or file.`);
  process.exit(2);
}
mkdirSync(reports, { recursive: true });
const startedMs = Date.now();
console.log(`${chosen.length} faults. Running their tests without faults first …`);
const baseline = await runTests([...new Set(chosen.flatMap(({ tests }) => tests))]);
if (baseline.kind !== "survived") {
  console.error(`These tests fail without a fault:\n${baseline.because}`);
  process.exit(2);
}
const count = { caught: 0, survived: 0, broken: 0 };
for (const fault of chosen) {
  const faultMs = Date.now();
  const { kind, because } = await tryFault(fault);
  count[kind] += 1;
  console.log(
    `${kind.padEnd(8)} ${String(Math.round((Date.now() - faultMs) / 1_000)).padStart(4)} s  ${fault.name}\n${" ".repeat(17)}${because}`,
  );
}
// The last build for a journey may contain a fault.
if (chosen.some(({ tests }) => tests.some((file) => file.endsWith(".e2e.ts")))) await run(process.execPath, ["scripts/build.mjs"]);
const seconds = Math.round((Date.now() - startedMs) / 1_000);
console.log(
  `\n${count.caught} caught, ${count.survived + count.broken} survived (${count.broken} of them without a verdict) in ${seconds} s`,
);
process.exit(count.survived + count.broken === 0 ? 0 : 1);
