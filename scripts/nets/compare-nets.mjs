// @ts-check
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { spawnSync } from "node:child_process";
import { readMade } from "./make-nets.mjs";
import { comparePictures } from "./pictures.mjs";

/** Lines of a difference of two texts that are printed. */
const maxLines = 24;

/** @typedef {{ state: string, text: string }} Difference */

/**
 * Compares two folders of nets. Pictures of differing pixels are written into `differences` of the second.
 * @param {string} before
 * @param {string} after
 * @param {{ only?: string }} [options]
 */
export function compareNets(before, after, { only = "" } = {}) {
  /** @type {Difference[]} */
  const differences = [];
  const pattern = new RegExp(only);
  const counts = { states: 0, pictures: 0, texts: 0 };
  rmSync(join(after, "differences"), { recursive: true, force: true });
  const failures = [readMade(before).failures, readMade(after).failures];
  for (const [index, folder] of [before, after].entries())
    for (const [state, message] of Object.entries(failures[index] ?? {}).filter(([name]) => pattern.test(name)))
      differences.push({ state, text: `not reached in ${folder}: ${message}` });
  const [one, other] = [listIn(join(before, "states")), listIn(join(after, "states"))];
  for (const state of new Set([...one, ...other].toSorted().filter((name) => pattern.test(name)))) {
    counts.states += 1;
    const [left, right] = [join(before, "states", state), join(after, "states", state)];
    for (const file of new Set([...listIn(left), ...listIn(right)].toSorted())) {
      const [a, b] = [join(left, file), join(right, file)];
      const isPicture = file.endsWith(".png");
      counts[isPicture ? "pictures" : "texts"] += 1;
      if (!existsSync(a) || !existsSync(b)) differences.push({ state, text: `${file} only in ${existsSync(a) ? before : after}` });
      else {
        const text = isPicture ? pictureDifference(a, b, join(after, "differences", state, file)) : textDifference(a, b);
        if (text !== undefined) differences.push({ state, text: `${file}: ${text}` });
      }
    }
  }
  return { ...counts, differences };
}

/** @param {string} folder */
const listIn = (folder) => (existsSync(folder) ? readdirSync(folder) : []);

/**
 * @param {string} before
 * @param {string} after
 * @param {string} target
 */
function pictureDifference(before, after, target) {
  const found = comparePictures(readFileSync(before), readFileSync(after));
  if (found === undefined) return undefined;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, found.picture);
  return `${found.text}; see ${target}`;
}

/**
 * @param {string} before
 * @param {string} after
 */
function textDifference(before, after) {
  if (readFileSync(before).equals(readFileSync(after))) return undefined;
  const { stdout } = spawnSync("git", ["diff", "--no-index", "--no-color", "--unified=1", before, after], { encoding: "utf8" });
  const lines = stdout
    .split("\n")
    .slice(4)
    .filter((line) => line !== "");
  return ["", ...lines.slice(0, maxLines), ...(lines.length > maxLines ? [`… ${lines.length - maxLines} more lines`] : [])].join("\n    ");
}
