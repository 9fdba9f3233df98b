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
  const sources = ["contract/src", "expressions/src", "gateway/src", "web/src"].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => readFileSync(join(root, part, file), "utf8")),
  );
  const words = new Set(sources.flatMap((text) => text.match(/[\w$]+(?:-\w+)*/g) ?? []));
  const named = rows.flatMap(({ word, inCode }) =>
    Array.from(inCode.matchAll(/`([^`]+)`/g), ([, identifier = ""]) => ({ word, identifier })),
  );
  const gone = named.filter(({ identifier }) => !words.has(identifier));
  expect(gone, "docs/glossary.md names identifiers that are gone: name the present ones.").toEqual([]);
});

/** One word each for what the language, or we, could spell or name in two ways: what not to write, and what to write. */
const spellings: readonly (readonly [RegExp, string])[] = [
  [/\bfavourit/i, "favorite"],
  [/\b(?:re)?colou?r(?<!color)/i, "color"],
  [/\blabour/i, "labor"],
  [/\bbehaviour/i, "behavior"],
  [/\bneighbour/i, "neighbor"],
  [/\bepicentre|\bcentred?\b/i, "center"],
  [/\b(?:kilo|centi|milli)?metres?\b/i, "meter"],
  [/\bgrey/i, "gray"],
  [/\bcatalogue/i, "catalog"],
  [/\blicences?\b/i, "license"],
  [/\bdialogue/i, "dialog"],
  [/\bfulfil(?:s|ment)?\b/i, "fulfill"],
  [
    /\b(?:recogni|organi|authori|customi|summari|synchroni|visuali|initiali|normali|prioriti|optimi|minimi|maximi|categori|serial|util)s(?:e[ds]?|ing|ation)\b/i,
    "-ize",
  ],
  [/\banalys(?:ed|ing)\b/i, "analyze"],
  [/\b(?:cancell(?:ed|ing)|labell(?:ed|ing)|travell(?:ed|ing)|modell(?:ed|ing))\b/i, "one l"],
  [/\bper cent\b/i, "percent"],
  [/\be-mail/i, "email"],
  [/\bsome ?body\b/i, "someone"],
  [/\b(?:whilst|amongst)\b/i, "while, among"],
];

/** `cancelled` is a status of exports in the API, and a name in the code: not a text. */
const isName = (text: string) => !/\s/.test(text.trim()) || /^\s*type /.test(text);

it("texts of screens, answers, mails and the demo are in American English, with one spelling for each word", () => {
  const texts = ["contract/src", "expressions/src", "gateway/src", "web/src", "demo/src", "sdk/src"].flatMap((part) =>
    readdirSync(join(root, part), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\btesting\/|\bmigrations\//.test(file))
      .flatMap((file) => textsOf(readFileSync(join(root, part, file), "utf8")).map((text) => ({ file: join(part, file), text }))),
  );
  const documents = ["demo/data/help/faq.json", "scripts/help/tours.mjs", "scripts/help/quick-start.html", "scripts/help/api-keys.html"]
    .concat(readdirSync(join(root, "sdk/guides")).map((file) => join("sdk/guides", file)))
    .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));
  expect(texts.length).toBeGreaterThan(5_000);
  const wrong = [...texts.filter(({ text }) => !isName(text)), ...documents].flatMap(({ file, text }) =>
    spellings.flatMap(([pattern, right]) => {
      const found = pattern.exec(text)?.[0];
      return found === undefined ? [] : [`${file}: "${found}" in "${text.trim().slice(0, 100)}"; write ${right}`];
    }),
  );
  expect(wrong).toEqual([]);
});

it("comments begin with a noun that says what something is, not with What", () => {
  const folders = [
    "contract/src",
    "expressions",
    "gateway/src",
    "web/src",
    "demo/src",
    "sdk/src",
    "sdk/build",
    "sdk/test",
    "scripts",
    "bench",
    "e2e",
  ];
  const beginsWithWhat = /\/\*\*?\s+(?:\* )?What\b|(?<!^\s*\/\/.*\n)^\s*\/\/ What\b/gm;
  const wrong = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(?:tsx?|m?js|css)$/.test(file) && !/\b(?:node_modules|dist)\b/.test(file))
      .flatMap((file) =>
        Array.from(
          readFileSync(join(root, folder, file), "utf8").matchAll(beginsWithWhat),
          ({ 0: text }) => `${folder}/${file}: ${text.trim()}`,
        ),
      ),
  );
  expect(wrong, 'Write "The part of a source that a query reads." instead of "What a query reads of a source."').toEqual([]);
});

/** Texts in quotes, in template literals and between tags, without comments. */
function textsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, "");
  return Array.from(
    code.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`|>([^<>{}=;]*[a-z][^<>{}=;]*)</g),
    ([, quoted, template, tagged]) => (quoted ?? template ?? tagged ?? "").replaceAll(/\$\{[^}]*\}|"[\w-]+"/g, ""),
  );
}
