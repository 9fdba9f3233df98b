// @ts-check
import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { checkout } from "./checkout.mjs";

/** @typedef {{ name: string, seconds: number, tests: number }} TimedFile */
/**
 * Of one test run. `failedTests` are titles with their file.
 * @typedef {{ passed: number, failed: number, flaky: number, files: TimedFile[], failureDetails: string[], failedTests: string[] }} Report
 */

/**
 * How many failures a run counts as. A runner may also fail without a failed test, such as for an unhandled rejection or an empty run.
 * @param {Pick<Report, "passed" | "failed">} report
 * @param {number | null} code of its exit
 */
export const failuresOf = ({ passed, failed }, code) => (failed === 0 && (code !== 0 || passed === 0) ? 1 : failed);

/** Maximum lines of a failure's message in the closing list. */
const maxMessageLines = 8;

/** Maximum lines of a failed journey's page snapshot. */
const maxPageLines = 120;

/**
 * Reads a report of Vitest's JSON reporter.
 * @param {string} path
 * @returns {Report}
 */
export function readVitestReport(path) {
  const report = JSON.parse(readFileSync(path, "utf8"));
  /**
   * @typedef {{ status: string, fullName: string, failureMessages?: string[] }} Assertion
   * @type {{ name: string, status: string, message: string, startTime: number, endTime: number, assertionResults: Assertion[] }[]}
   */
  const files = report.testResults;
  return {
    passed: report.numPassedTests,
    // A file that cannot be loaded has no tests, but counts as a failure.
    failed: report.numFailedTests + files.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length,
    flaky: 0,
    files: files.map(({ name, startTime, endTime, assertionResults }) => ({
      name: relative(checkout, name),
      seconds: (endTime - startTime) / 1_000,
      tests: assertionResults.length,
    })),
    failureDetails: [],
    failedTests: files.flatMap(({ name, status, message, assertionResults }) => {
      const file = relative(checkout, name);
      if (status === "failed" && assertionResults.length === 0) return [`${file}\n${firstLines(message)}`];
      return assertionResults
        .filter((test) => test.status === "failed")
        .map(({ fullName, failureMessages = [] }) => `${file} › ${fullName}\n${firstLines(failureMessages.join("\n"))}`);
    }),
  };
}

/** @param {string} text */
function firstLines(text) {
  return text
    .split("\n")
    .slice(0, maxMessageLines)
    .map((line) => `      ${line}`)
    .join("\n");
}

/**
 * Reads a report of Playwright's JSON reporter. `failureDetails` includes the page snapshot of each failed journey.
 * @param {string} path
 * @returns {Report}
 */
export function readPlaywrightReport(path) {
  const report = JSON.parse(readFileSync(path, "utf8"));
  const nameOf = (/** @type {string} */ file) => relative(checkout, join(report.config.rootDir, file));
  /** @type {Map<string, TimedFile>} */
  const files = new Map();
  /** @type {string[]} */
  const failureDetails = [];
  /** @type {string[]} */
  const failedTests = [];
  for (const { title, file, results } of journeysOf(report.suites)) {
    const timed = files.get(file) ?? { name: nameOf(file), seconds: 0, tests: 0 };
    files.set(file, timed);
    timed.tests++;
    if (!results.some(({ status }) => status === "passed")) failedTests.push(`${nameOf(file)} › ${title}`);
    for (const { duration, status, attachments } of results) {
      timed.seconds += duration / 1_000;
      if (status === "passed" || status === "skipped") continue;
      for (const { name, path: attachment } of attachments) {
        if (attachment === undefined) continue;
        failureDetails.push(`${title}: ${name} in ${relative(checkout, attachment)}`);
        if (attachment.endsWith(".md")) failureDetails.push(readFileSync(attachment, "utf8").split("\n").slice(0, maxPageLines).join("\n"));
      }
    }
  }
  const { expected, unexpected, skipped, flaky } = report.stats;
  return {
    passed: expected + flaky,
    failed: unexpected + skipped + report.errors.length,
    flaky,
    files: [...files.values()],
    failureDetails,
    failedTests,
  };
}

/**
 * @typedef {{ duration: number, status: string, attachments: { name: string, path?: string }[] }} JourneyResult
 * @typedef {{ title: string, file: string, results: JourneyResult[] }} Journey
 * @typedef {{ title: string, file: string, specs?: { title: string, file: string, tests: { results: JourneyResult[] }[] }[], suites?: Suite[] }} Suite
 */

/**
 * @param {Suite[]} suites
 * @returns {Generator<Journey>}
 */
function* journeysOf(suites) {
  for (const suite of suites) {
    for (const { title, file, tests } of suite.specs ?? []) yield* tests.map(({ results }) => ({ title, file, results }));
    yield* journeysOf(suite.suites ?? []);
  }
}

/**
 * Formats the slowest files as table lines, slowest first.
 * @param {TimedFile[]} files
 * @param {number} count
 */
export function slowestFiles(files, count) {
  return files
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count)
    .map(({ name, seconds, tests }) => `${seconds.toFixed(1).padStart(7)} s  ${String(tests).padStart(3)} tests  ${name}`);
}
