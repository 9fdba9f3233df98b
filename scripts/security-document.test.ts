import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const text = readFileSync(join(root, "docs/security.md"), "utf8");

/** `file`: "title", "another title" */
const references = [...text.matchAll(/`([\w./-]+(?:\.(?:test|e2e)|-suite)\.tsx?)`: ((?:"[^"\n]+"(?:, )?)+)/g)].flatMap(
  ([, file = "", titles = ""]) => Array.from(titles.matchAll(/"([^"]+)"/g), ([, title = ""]) => ({ file, title })),
);

it("every test that the security document refers to exists under that title", () => {
  expect(references.length).toBeGreaterThan(90);
  const missing = references.filter(({ file, title }) => !titlesOf(join(root, file)).has(title));
  expect(missing, "Name these tests in docs/security.md by their present file and title.").toEqual([]);
});

it("every test file that the security document refers to has a title", () => {
  const named = Array.from(text.matchAll(/`([\w./-]+(?:\.(?:test|e2e)|-suite)\.tsx?)`/g), ([, file = ""]) => file);
  const titled = new Set(references.map(({ file }) => file));
  expect(named.filter((file) => file !== "scripts/security-document.test.ts" && !titled.has(file))).toEqual([]);
});

/** The titles of a file's tests; those of `it.each` as templates. */
function titlesOf(path: string): ReadonlySet<string> {
  const source = existsSync(path) ? readFileSync(path, "utf8") : "";
  return new Set(Array.from(source.matchAll(/(?:\b(?:it|test)|\))\(\s*"((?:[^"\\]|\\.)*)"/g), ([, title = ""]) => title));
}
