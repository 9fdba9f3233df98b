import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

const rows = readFileSync(join(root, "docs/glossary.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| [a-zA-Z]/.test(line) && !line.startsWith("| word "))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, word = "", meaning = "", inCode = ""]) => ({ word, meaning, inCode }));

it("the glossary explains each word exactly once, in a sentence", () => {
  expect(rows.length).toBeGreaterThan(50);
  expect(new Set(rows.map(({ word }) => word)).size).toBe(rows.length);
  expect(rows.filter(({ meaning }) => !/^[A-Z].*[.)]$/.test(meaning))).toEqual([]);
});

it("the glossary refers only to identifiers that the code uses", () => {
  const sources = ["contract/src", "gateway/src", "web/src"].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(root, part, file), "utf8")),
  );
  const words = new Set(sources.flatMap((text) => text.match(/[\w$]+(?:-\w+)*/g) ?? []));
  const named = rows.flatMap(({ word, inCode }) =>
    Array.from(inCode.matchAll(/`([^`]+)`/g), ([, identifier = ""]) => ({ word, identifier })),
  );
  expect(named.filter(({ identifier }) => !words.has(identifier))).toEqual([]);
});
