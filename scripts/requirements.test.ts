import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const rows = readFileSync(join(root, "docs/requirements.tsv"), "utf8")
  .trim()
  .split("\n")
  .slice(1)
  .map((line) => line.split("\t")[0] ?? "");

const tests = ["contract/src", "expressions/src", "gateway/src", "web/src", "demo/src", "sdk/test", "scripts", "e2e"].flatMap((part) =>
  readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.(?:test\.tsx?|e2e\.ts)$/.test(file) && !file.includes("node_modules"))
    .map((file) => join(part, file)),
);
const isOfTheNight = (file: string) => /\.night\.test\.tsx?$/.test(file) || file.startsWith("e2e/night/");
const rowsNamedBy = (files: readonly string[]) =>
  new Set(files.flatMap((file) => Array.from(readFileSync(join(root, file), "utf8").matchAll(/\[([A-Z]+-\d+)\]/g), ([, id = ""]) => id)));

it("names every row of the requirements in a test that `npm test` runs", () => {
  const named = rowsNamedBy(tests.filter((file) => !isOfTheNight(file)));
  expect(rows.length).toBeGreaterThan(800);
  expect(rows.filter((id) => !named.has(id))).toEqual([]);
  expect([...named].filter((id) => !rows.includes(id))).toEqual([]);
});

it("names no row in a test of the night, which nobody waits for", () => {
  const nightly = tests.filter(isOfTheNight);
  expect(nightly.length).toBeGreaterThanOrEqual(10);
  expect(nightly.filter((file) => rowsNamedBy([file]).size > 0)).toEqual([]);
});
