// @ts-check
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { checkout } from "../../lib/checkout.mjs";
import { run } from "../../lib/run.mjs";

/** @typedef {import("../../lib/release.mjs").Release} Release */

/**
 * Whether this clone contains the commit of a release. Archives have no history, and shallow clones only a part of it.
 * @param {Release} release
 */
export function isInHistory({ commit }) {
  return spawnSync("git", ["cat-file", "-e", `${commit}^{commit}`], { cwd: checkout, stdio: "ignore" }).status === 0;
}

/**
 * Checks out, installs and builds a release in a folder that is reused by the next run.
 * @param {Release} release
 * @param {(line: string) => void} log
 * @returns {Promise<string>} the folder
 */
export async function releasedCheckout({ name, commit }, log) {
  const folder = join(checkout, ".build/releases", name);
  /** @param {string[]} args */
  const git = (...args) => execFileSync("git", args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();
  const wanted = git("-C", checkout, "rev-parse", `${commit}^{commit}`);
  if (!existsSync(join(folder, ".git")) || git("-C", folder, "rev-parse", "HEAD") !== wanted) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(dirname(folder), { recursive: true });
    git("clone", "--quiet", "--shared", "--no-checkout", checkout, folder);
    git("-C", folder, "checkout", "--quiet", "--detach", wanted);
  }
  // npm writes this file when it has finished.
  if (!existsSync(join(folder, "node_modules/.package-lock.json"))) {
    log(`Installing the packages of ${name} …`);
    await run("npm ci", "npm", ["ci", "--include=dev", "--include=optional", "--prefer-offline", "--no-audit", "--no-fund"], {
      cwd: folder,
    });
  }
  log(`Building ${name} …`);
  await run(`The build of ${name}`, process.execPath, ["scripts/build.mjs"], { cwd: folder });
  return folder;
}
