// @ts-check
import { existsSync } from "node:fs";
import { join } from "node:path";
import { readPlaywrightReport, readVitestReport } from "../lib/test-report.mjs";

/** Test files whose times are printed. */
const shownFiles = 15;

/** @typedef {import("../lib/test-report.mjs").TimedFile} TimedFile */

/**
 * The times of the test files in the reports of a run of `npm test`, by name. None without reports.
 * @param {string | undefined} folder
 * @returns {TimedFile[]}
 */
export function readTimes(folder) {
  if (folder === undefined) return [];
  const [unit, journeys] = [join(folder, "vitest.json"), join(folder, "journeys.json")];
  return [...(existsSync(unit) ? readVitestReport(unit).files : []), ...(existsSync(journeys) ? readPlaywrightReport(journeys).files : [])]
    .map(({ name, seconds, tests }) => ({ name: withoutCheckout(name), seconds, tests }))
    .toSorted((one, other) => one.name.localeCompare(other.name, "en"));
}

/**
 * The report may be of another checkout.
 * @param {string} name
 */
const withoutCheckout = (name) => /(?:^|[\\/])((?:contract|gateway|web|demo|sdk|scripts|e2e)[\\/](?:.*))$/.exec(name)?.[1] ?? name;

/**
 * The test files whose times differ most, and the sums. Never a verdict: they depend on the machine.
 * @param {TimedFile[]} before
 * @param {TimedFile[]} after
 * @returns {string[]}
 */
export function compareTimes(before, after) {
  const [old, recent] = [secondsOf(before), secondsOf(after)];
  const files = [...new Set([...old.keys(), ...recent.keys()])].map((name) => ({ name, from: old.get(name), to: recent.get(name) }));
  const change = (/** @type {{ from?: number, to?: number }} */ { from = 0, to = 0 }) => Math.abs(to - from);
  const lines = files
    .toSorted((one, other) => change(other) - change(one))
    .slice(0, shownFiles)
    .map(({ name, from, to }) => `${column(from)} → ${column(to)} s  ${name}`);
  return [
    "Test files whose times differ most:",
    ...lines,
    `${column(sum(old))} → ${column(sum(recent))} s  all ${files.length} test files`,
  ];
}

/** @param {TimedFile[]} files */
const secondsOf = (files) => new Map(files.map(({ name, seconds }) => [name, seconds]));

/** @param {Map<string, number>} seconds */
const sum = (seconds) => [...seconds.values()].reduce((total, one) => total + one, 0);

/** @param {number | undefined} seconds */
const column = (seconds) => (seconds === undefined ? "–" : seconds.toFixed(1)).padStart(7);
