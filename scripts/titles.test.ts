import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
/** Folders whose tests name at most two rows each. */
const folders = ["contract/src", "expressions/src", "gateway/src", "web/src", "demo/src", "sdk/test", "scripts", "e2e"];
const isTest = (file: string) => /\.(?:test\.tsx?|e2e\.ts)$/.test(file) && !file.includes("node_modules");
const isOfTheNight = (file: string) => /\.night\.test\.tsx?$/.test(file) || file.startsWith("e2e/night/");

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter(isTest)
    .map((file) => join(folder, file)),
);

/** Texts in quotes, which titles are, that name rows one after the other. */
function titlesIn(file: string): { title: string; rows: number }[] {
  const quoted = readFileSync(join(root, file), "utf8").matchAll(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g);
  // Rows of a table of cases stand for one each.
  return Array.from(quoted, ([title]) => ({ title, rows: title.match(/\[[A-Z]+-\d+\]|^"\$\w+(?=\[)/g)?.length ?? 0 }));
}

it("has tests to look at in each of its folders", () => {
  for (const folder of folders) expect([folder, files.some((file) => file.startsWith(`${folder}/`))]).toEqual([folder, true]);
});

it("a title names at most two rows: what proves more is split into several tests", () => {
  const crowded = files.flatMap((file) => titlesIn(file).flatMap(({ title, rows }) => (rows > 2 ? [`${file}: ${title}`] : [])));
  expect(crowded).toEqual([]);
});

it("a title of the night names none: nobody waits for it", () => {
  const named = files
    .filter(isOfTheNight)
    .flatMap((file) => titlesIn(file).flatMap(({ title, rows }) => (rows > 0 ? [`${file}: ${title}`] : [])));
  expect(named).toEqual([]);
});
