import { readFile, readdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/** Generated or installed. */
const isLeftOut = (folder: string): boolean => /(?:^|\/)(?:node_modules|dist|test-results|__pycache__)(?:\/|$)|\/\./.test(folder);

/** The files at and below a folder. */
async function filesOf(top: string): Promise<string[]> {
  const entries = await readdir(join(root, top), { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && !isLeftOut(entry.parentPath.slice(root.length + 1)));
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
}

/** The folders at and below one that hold files themselves. */
const foldersOf = async (top: string): Promise<string[]> => [...new Set((await filesOf(top)).map((file) => dirname(file)))];

it("docs/folders.md says of each folder what lives there, and names no others", async () => {
  const text = await readFile(join(root, "docs/folders.md"), "utf8");
  const named = [...text.matchAll(/^\| `([^`]+)` +\| \S/gm)].map(([, folder = ""]) => folder);
  expect(named.length).toBeGreaterThan(200);
  const tops = ["bench", "contract/src", "demo/src", "e2e", "expressions", "gateway/src", "scripts", "sdk", "web/src"];
  const folders = (await Promise.all(tops.map(foldersOf))).flat();
  const advice = "Add the folder to docs/folders.md with a sentence of what lives there, or remove the row of one that is gone.";
  expect(named.toSorted(), advice).toEqual(folders.toSorted());
});

/** Files of the examples, which are to be written. */
const isInvented = (path: string): boolean => /things|glossary|\d{4}-|SUBJECT/.test(path);

it.each(["ARCHITECTURE.md", "CONTRIBUTING.md"])("%s names files by paths that there are", async (guide) => {
  const text = (await readFile(join(root, guide), "utf8")).replaceAll(/^ *```[^`]*```/gm, "");
  const named = [...text.matchAll(/`([\w./-]+\/[\w.-]+\.(?:tsx?|mjs|css|md))`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(20);
  const tops = ["bench", "contract", "demo", "docs", "e2e", "expressions", "gateway", "scripts", "sdk", "web"];
  const files = (await Promise.all(tops.map(filesOf))).flat();
  const missing = named.filter((path) => !isInvented(path) && !files.some((file) => file === path || file.endsWith(`/${path}`)));
  expect(missing).toEqual([]);
});
