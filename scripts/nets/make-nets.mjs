// @ts-check
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { checkout } from "../lib/checkout.mjs";
import { addNetSources, config, netSources, netsFolder, openCheckout, workingTree } from "./checkouts.mjs";
import { readTimes } from "./times.mjs";

/**
 * State of the nets of a commit.
 * @typedef {{ sources: string, only: string, failures: Record<string, string> }} Made
 */

/** @typedef {{ only: string, again: boolean, ownStates: boolean, report?: string }} Options */

/**
 * Makes the nets of a commit, or of the working tree, unless there are those of the same states. Returns how many states could
 * not be reached.
 * @param {string} name
 * @param {Options} options
 */
export async function makeNets(name, { only, again, ownStates, report }) {
  const folder = join(netsFolder, name);
  const sources = `${ownStates} ${hashOfSources()}`;
  // The working tree is never the same.
  if (!again && name !== workingTree && isMade(folder, sources, only)) return 0;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const sourceFolder = name === workingTree ? checkout : openCheckout(name);
  console.log(`Making the nets of ${name}…`);
  const result = join(folder, "run.json");
  try {
    if (sourceFolder !== checkout) addNetSources(sourceFolder, { ownStates });
    spawnSync(
      process.execPath,
      [
        "node_modules/vitest/vitest.mjs",
        "run",
        `--config=${config}`,
        "--reporter=dot",
        "--reporter=json",
        `--outputFile.json=${result}`,
        `--root=${sourceFolder}`,
      ],
      {
        cwd: sourceFolder,
        env: { ...process.env, FAIRWAY_NETS_FOLDER: join(folder, "states"), FAIRWAY_NETS_ONLY: only },
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  } finally {
    if (sourceFolder !== checkout) rmSync(sourceFolder, { recursive: true, force: true });
  }
  const { failures, passed } = readFailures(result);
  /** @type {Made} */
  const made = { sources, only, failures };
  writeFileSync(join(folder, "made.json"), JSON.stringify(made, null, 2));
  const times = readTimes(report ?? (name === workingTree ? join(checkout, ".build") : undefined));
  if (times.length > 0) writeFileSync(join(folder, "times.json"), JSON.stringify(times, null, 2));
  const failed = Object.entries(failures);
  for (const [state, message] of failed) console.log(`✗ ${state}: ${message}`);
  console.log(`${passed} states made, ${failed.length} not reached, ${times.length} times of test files: .build/nets/${name}`);
  return failed.length;
}

/**
 * @param {string} folder
 * @param {string} sources
 * @param {string} only
 */
function isMade(folder, sources, only) {
  if (!existsSync(join(folder, "made.json"))) return false;
  const made = readMade(folder);
  return made.sources === sources && (made.only === only || made.only === "");
}

/**
 * @param {string} folder
 * @returns {Made}
 */
export const readMade = (folder) => JSON.parse(readFileSync(join(folder, "made.json"), "utf8"));

function hashOfSources() {
  const hash = createHash("sha256");
  for (const file of netSources()) hash.update(file).update(readFileSync(join(checkout, file)));
  return hash.digest("hex");
}

/**
 * The states that could not be reached, and why.
 * @param {string} result
 */
function readFailures(result) {
  if (!existsSync(result)) throw new Error("No nets were made; see the messages above.");
  /** @type {{ testResults: { message: string, assertionResults: { title: string, status: string, failureMessages?: string[] }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(result, "utf8"));
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (tests.length === 0) throw new Error(`No nets were made: ${testResults.map(({ message }) => message).join("\n")}`);
  const failed = tests.filter(({ status }) => status === "failed");
  return {
    failures: Object.fromEntries(failed.map(({ title, failureMessages = [] }) => [title, failureMessages.join("\n").slice(0, 600)])),
    passed: tests.filter(({ status }) => status === "passed").length,
  };
}
