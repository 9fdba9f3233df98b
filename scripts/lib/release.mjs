// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { builtFingerprints } from "./build.mjs";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";

export const builtFromFile = "built-from.json";

/** @typedef {{ name: string, commit: string, date: string }} Release */

/**
 * The releases, oldest first.
 * @returns {Promise<Release[]>}
 */
export async function readReleases(folder = checkout) {
  const text = await readIfExists(join(folder, "docs/releases.tsv"));
  const [, ...lines] = (text ?? "").trimEnd().split("\n");
  return lines.map((line) => {
    const [name = "", commit = "", date = ""] = line.split("\t");
    return { name, commit, date };
  });
}

/** @param {string} name */
export const releaseFolder = (name, folder = checkout) => join(folder, "contract/released", name);

/**
 * The release that this portal was built from, such as `r1`, or `r1 with later changes`. Fingerprints are compared rather than commits,
 * because a downloaded archive has none, and the entry of a release is committed after the release itself. Undefined if there is no list of
 * releases.
 * @param {{ folder?: string, built?: Record<string, string | undefined> }} [options]
 * @returns {Promise<string | undefined>}
 */
export async function builtRelease({ folder = checkout, built } = {}) {
  const last = (await readReleases(folder)).at(-1);
  if (last === undefined) return undefined;
  const present = built ?? (await builtFingerprints());
  /** @type {Record<string, string>} */
  const released = JSON.parse((await readIfExists(join(releaseFolder(last.name, folder), builtFromFile))) ?? "{}");
  const isSame = Object.entries(present).every(([part, hash]) => hash !== undefined && hash === released[part]);
  return isSame ? last.name : `${last.name} with later changes`;
}

/** @param {string} path */
async function readIfExists(path) {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
