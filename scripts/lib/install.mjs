// @ts-check
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { checkout } from "./checkout.mjs";
import { isMissing } from "./failure.mjs";
import { run } from "./run.mjs";

/** @typedef {{ version?: string, integrity?: string, link?: boolean, optional?: boolean, peer?: boolean }} LockedPackage */

/**
 * Installs the packages of package-lock.json unless they are installed. npm writes its own lockfile into node_modules when it
 * has finished, so an interrupted installation is repeated.
 * @param {(line: string) => void} log
 */
export async function ensureInstalled(log) {
  const [wanted, installed] = await Promise.all([lockedPackages("package-lock.json"), lockedPackages("node_modules/.package-lock.json")]);
  if (installed && wanted && isInstalled(wanted, installed)) return;
  log("Installing packages …");
  // The build needs packages that NODE_ENV=production would omit.
  const args = ["ci", "--include=dev", "--include=optional"];
  const npm = process.env["npm_execpath"];
  if (npm === undefined) await run("npm ci", "npm", args);
  else await run("npm ci", process.execPath, [npm, ...args]);
}

/**
 * @param {Map<string, LockedPackage>} wanted
 * @param {Map<string, LockedPackage>} installed
 */
export function isInstalled(wanted, installed) {
  for (const [path, { version, integrity, optional }] of wanted) {
    if (!path.startsWith("node_modules/") && !path.includes("/node_modules/")) continue;
    const found = installed.get(path);
    // Missing optional packages are for other systems.
    if (!found && optional) continue;
    if (!found || found.version !== version || found.integrity !== integrity) return false;
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
