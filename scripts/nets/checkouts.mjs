// @ts-check
// Checkouts of other commits, which share the installed packages with this one.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { checkout } from "../lib/checkout.mjs";

/** Names the nets of the files as they are, committed or not. */
export const workingTree = "working";

export const netsFolder = join(checkout, ".build/nets");

/**
 * The name of the nets of a commit: its full id.
 * @param {string} revision
 */
export function nameOf(revision) {
  if (revision === workingTree) return workingTree;
  const { status, stdout, stderr } = spawnSync("git", ["rev-parse", "--verify", "--end-of-options", `${revision}^{commit}`], {
    cwd: checkout,
    encoding: "utf8",
  });
  if (status !== 0) throw new Error(`There is no commit ${revision}: ${stderr.trim()}`);
  return stdout.trim();
}

/**
 * The files of a commit with packages installed, below .build/nets/checkouts. The caller removes it.
 * @param {string} commit
 */
export function openCheckout(commit) {
  const folder = join(netsFolder, "checkouts", commit);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", "--format=tar", commit], { cwd: checkout, maxBuffer: 1_000_000_000 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  if (packagesOf(folder) === packagesOf(checkout)) {
    for (const workspace of ["", ...readdirSync(checkout)]) {
      const installed = join(checkout, workspace, "node_modules");
      if (workspace !== "node_modules" && existsSync(installed)) linkFolder(installed, join(folder, workspace, "node_modules"));
    }
  } else {
    console.log("Its packages differ from those installed here; installing them.");
    execFileSync("npm", ["ci", "--prefer-offline"], { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
  }
  return folder;
}

/**
 * Packages that the lock file installs, without the repository's own.
 * @param {string} folder
 */
function packagesOf(folder) {
  /** @type {{ packages: Record<string, { version?: string, integrity?: string, link?: boolean }> }} */
  const { packages } = JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8"));
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && link !== true);
  return JSON.stringify(installed.map(([path, { version, integrity }]) => [path, version, integrity]));
}

/**
 * Hard links: as quick as symbolic ones, and a package is inside the checkout that imports it. Links of workspaces are relative
 * and lead to those of the new checkout. Caches, directly in a folder of packages, are left out: their files are written in place.
 * @param {string} from
 * @param {string} to
 */
export function linkFolder(from, to) {
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    const [source, target] = [join(from, name), join(to, name)];
    const stats = lstatSync(source);
    if (stats.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else if (!stats.isDirectory()) linkSync(source, target);
    else if (basename(from) !== "node_modules" || !/^\.(?:vite|vitest|cache|experimental)/.test(name)) linkFolder(source, target);
  }
}

/** Configuration with which nets are made in a checkout. */
export const config = "scripts/nets/vitest.config.ts";
const programs = [config, "web/src/testing/screen-state.ts"];
const programFolder = "web/src/testing/nets";

/** @param {string} folder */
const statesIn = (folder) =>
  readdirSync(join(folder, "web/src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("-states.ts"))
    .map((file) => join("web/src", file))
    .toSorted();

/** The files of this checkout that decide what nets are made, by their paths. */
export const netSources = () => [
  ...programs,
  ...readdirSync(join(checkout, programFolder)).map((file) => join(programFolder, file)),
  ...statesIn(checkout),
];

/**
 * Copies what makes nets, and the states, into a checkout of another commit.
 * @param {string} folder
 * @param {{ ownStates: boolean }} options
 */
export function addNetSources(folder, { ownStates }) {
  if (!ownStates) for (const file of statesIn(folder)) rmSync(join(folder, file));
  const kept = new Set(ownStates ? statesIn(folder) : []);
  for (const file of netSources().filter((one) => !kept.has(one))) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    copyFileSync(join(checkout, file), join(folder, file));
  }
}
