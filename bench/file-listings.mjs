// @ts-check
// Listing a folder of a fileset, compared with a bare listing of the same files.
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { expectOk } from "./lib/caller.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("./lib/caller.mjs").Caller} Caller */

const statsAtOnce = 64;

/**
 * @param {{ caller: Caller, rounds: number, turns: number }} how
 * @param {string} prefix
 * @param {{ first: () => Promise<number>, all: () => Promise<number> }} bare each returns how many files it listed
 */
export async function compareListings({ caller, rounds, turns }, prefix, bare) {
  const listed = await listAll(caller, prefix);
  const expected = await bare.all();
  if (listed !== expected) throw new Error(`the gateway listed ${listed} files of ${expected}`);
  const toFirstPage = await compareInTurns({ rounds, turns: turns * 3 }, () => listPage(caller, prefix), bare.first);
  const toEnd = await compareInTurns({ rounds, turns: 1 }, () => listAll(caller, prefix), bare.all);
  return { toFirstPage, toEnd };
}

/**
 * @param {Caller} caller
 * @param {string} prefix
 * @param {string} [token]
 * @returns {Promise<import("@fairway/contract/filesets").FilesetListing>}
 */
async function listPage(caller, prefix, token) {
  const query = new URLSearchParams({ listPrefix: prefix, ...(token === undefined ? {} : { continuationToken: token }) });
  return JSON.parse(expectOk(await caller.call("GET", `/filesets/bench/list?${query}`)).text);
}

/**
 * @param {Caller} caller
 * @param {string} prefix
 */
async function listAll(caller, prefix) {
  let page = await listPage(caller, prefix);
  let files = page.files.length;
  while (page.nextContinuationToken !== null) {
    page = await listPage(caller, prefix, page.nextContinuationToken);
    files += page.files.length;
  }
  return files;
}

/**
 * The bare listing: names in order, with size and time of the first `maxFiles`.
 * @param {string} folder
 * @param {number} maxFiles
 */
export async function readFolder(folder, maxFiles) {
  const names = (await readdir(folder)).toSorted().slice(0, maxFiles);
  const waiting = names.values();
  let files = 0;
  const next = async () => {
    for (const name of waiting) {
      const { size, mtime } = await stat(join(folder, name));
      if (size >= 0 && mtime.getTime() > 0) files += 1;
    }
  };
  await Promise.all(Array.from({ length: statsAtOnce }, next));
  return files;
}
