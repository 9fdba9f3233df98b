// @ts-check
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { checkout } from "./checkout.mjs";
import { Failure, isMissing } from "./failure.mjs";
import { run } from "./run.mjs";

/**
 * @typedef {{ name?: string, version?: string, integrity?: string, resolved?: string, link?: boolean, optional?: boolean, dev?: boolean, devOptional?: boolean }} LockedPackage
 *   `name` if it differs from the folder's; `dev` and `devOptional`: not needed to build and run the portal
 */

/** npm reads this file before package-lock.json. It exists only while packages are installed, and git ignores it. */
const completeLockfile = join(checkout, "npm-shrinkwrap.json");

/**
 * Installs the packages of package-lock.json that are missing. npm writes its own lockfile into node_modules when it has
 * finished, so an interrupted installation is repeated. Throws Failure.
 * @param {(line: string) => void} log
 * @param {{ forTests?: boolean }} [options] `forTests` also installs what only tests, checks and development need
 */
export async function ensureInstalled(log, { forTests = false } = {}) {
  const [wanted, installed] = await Promise.all([lockedPackages("package-lock.json"), lockedPackages("node_modules/.package-lock.json")]);
  if (wanted === undefined) throw new Failure("package-lock.json is missing.");
  if (installed && isInstalled(wanted, installed, { forTests })) return;
  // An installation that only lacks the packages of tests is completed; any other one starts over, and keeps what tests need.
  const isCompleted = installed !== undefined && forTests && isInstalled(wanted, installed, { forTests: false });
  const hasTestPackages = [...(installed ?? [])].some(([path]) => isForTests(wanted.get(path) ?? {}));
  log(isCompleted ? "Installing the packages of the tests …" : "Installing packages …");
  // A build needs packages that NODE_ENV=production would omit.
  const options = [forTests || hasTestPackages ? "--include=dev" : "--omit=dev", "--include=optional"];
  const command = isCompleted ? ["install", "--no-save", ...options] : ["ci", ...options];
  try {
    await installFromUrls(command);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    log("Packages could not be fetched directly, so npm asks for the address of each one …");
    await npm(command);
  }
}

/**
 * package-lock.json names no registry, so npm would ask for the description of each package to learn its URL: half of the
 * requests and a third of the time of an installation. The URL follows from the name and the version.
 * @param {string[]} command
 */
async function installFromUrls(command) {
  const config = await npmConfig();
  const lockfile = JSON.parse(await readFile(join(checkout, "package-lock.json"), "utf8"));
  await writeFile(completeLockfile, JSON.stringify({ ...lockfile, packages: withUrls(lockfile.packages, config) }));
  try {
    await npm(command);
  } finally {
    await rm(completeLockfile, { force: true });
  }
}

/**
 * @param {Record<string, LockedPackage>} packages
 * @param {Record<string, unknown>} config npm's settings
 * @returns {Record<string, LockedPackage>}
 */
export function withUrls(packages, config) {
  return Object.fromEntries(
    Object.entries(packages).map(([path, locked]) => {
      const name = locked.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
      if (!path.includes("node_modules/") || locked.integrity === undefined || locked.resolved !== undefined) return [path, locked];
      const [scope = "", file = name] = name.startsWith("@") ? name.split("/") : ["", name];
      const registry = String(config[`${scope}:registry`] ?? config["registry"]).replace(/\/*$/, "/");
      return [path, { ...locked, resolved: `${registry}${name}/-/${file}-${locked.version}.tgz` }];
    }),
  );
}

/** @returns {Promise<Record<string, unknown>>} */
async function npmConfig() {
  const [program, ...first] = npmProgram();
  const { stdout } = await promisify(execFile)(program, [...first, "config", "ls", "--json"], {
    cwd: checkout,
    shell: process.platform === "win32",
  });
  return JSON.parse(stdout);
}

/** @param {string[]} args */
async function npm(args) {
  const [program, ...first] = npmProgram();
  await run(`npm ${args[0]}`, program, [...first, ...args]);
}

/** @returns {[program: string, ...args: string[]]} */
function npmProgram() {
  const path = process.env["npm_execpath"];
  return path === undefined ? ["npm"] : [process.execPath, path];
}

/** @param {LockedPackage} locked */
const isForTests = ({ dev, devOptional }) => dev === true || devOptional === true;

/**
 * @param {Map<string, LockedPackage>} wanted
 * @param {Map<string, LockedPackage>} installed
 * @param {{ forTests: boolean }} options
 */
export function isInstalled(wanted, installed, { forTests }) {
  for (const [path, locked] of wanted) {
    if (!path.startsWith("node_modules/") && !path.includes("/node_modules/")) continue;
    const found = installed.get(path);
    // Missing optional packages are for other systems.
    if (!found && (locked.optional || (!forTests && isForTests(locked)))) continue;
    if (!found || found.version !== locked.version || found.integrity !== locked.integrity) return false;
  }
  return true;
}

/**
 * @param {string} file
 * @returns {Promise<Map<string, LockedPackage> | undefined>}
 */
async function lockedPackages(file) {
  try {
    return new Map(Object.entries(JSON.parse(await readFile(join(checkout, file), "utf8")).packages));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}
