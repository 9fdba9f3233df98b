// @ts-check
import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { checkout } from "./checkout.mjs";

/** Containers and macOS allow few open files. */
const filesAtOnce = 32;

const ignored = new Set(["node_modules", "dist"]);
/** Files that the build writes beside the sources. */
export const generated = ["sdk/src/client/api.ts", "sdk/python/fairway/types.py"];

/**
 * A hash of the names and contents of files and folders in the checkout.
 * @param {string[]} paths
 * @returns {Promise<string>}
 */
export async function fingerprint(paths) {
  const files = (await Promise.all(paths.map((path) => filesAt(path)))).flat().sort();
  const hash = createHash("sha256");
  for (let start = 0; start < files.length; start += filesAtOnce) {
    const batch = files.slice(start, start + filesAtOnce);
    const contents = await Promise.all(batch.map((file) => readFile(resolve(checkout, file))));
    for (const [index, file] of batch.entries()) {
      const content = contents[index] ?? Buffer.alloc(0);
      hash.update(`${file}\0${content.length}\0`).update(content);
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} path
 * @returns {Promise<string[]>}
 */
async function filesAt(path) {
  const entries = await readdir(resolve(checkout, path), { withFileTypes: true }).catch((error) => {
    if (error.code === "ENOTDIR") return undefined;
    if (error.code === "ENOENT") return [];
    throw error;
  });
  if (entries === undefined) return [path];
  const inside = entries.filter(({ name }) => !ignored.has(name) && !/\.(tsbuildinfo|test\.tsx?)$/.test(name));
  const files = inside
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => join(path, name))
    .filter((file) => !generated.includes(file));
  const folders = inside.filter((entry) => entry.isDirectory());
  return [...files, ...(await Promise.all(folders.map(({ name }) => filesAt(join(path, name))))).flat()];
}
