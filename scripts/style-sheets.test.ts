import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const sources = new URL("../web/src/", import.meta.url);
const files = readdirSync(sources, { recursive: true, encoding: "utf8" });
const textOf = (file: string): string => readFileSync(new URL(file, sources), "utf8");
const sheets = new Map(files.filter((file) => file.endsWith(".module.css")).map((file) => [file, textOf(file)]));

/** The classes that the selectors of a sheet mention, as often as they do. Those of libraries are global. */
const classesIn = (sheet: string): string[] =>
  [...sheet.replaceAll(/\{[^{}]*\}|:global\([^)]*\)|\/\*[^]*?\*\//g, "").matchAll(/\.([a-z][\w-]*)/gi)].map(([, name = ""]) => name);

/** Declarations that `Group`, `Stack`, `Flex` and `Box` make by their props, with no other lengths than the spacing of the theme. */
const saidByProps = [
  /^display: (?:flex|grid)$/,
  /^grid-template-columns: minmax\(0, 1fr\)$/,
  /^(?:align|justify)-(?:items|content): [a-z-]+$/,
  /^flex: (?:1|none)$/,
  /^flex-(?:direction: column|wrap: wrap)$/,
  /^(?:min-|max-)?(?:width|height): (?:0|100%|var\(--(?:prose-max|form-max|control-h)\))$/,
  /^(?:(?:margin|padding)(?:-\w+)?|(?:row-|column-)?gap):(?: (?:0|auto|var\(--s[12346]\)|calc\(-1 \* var\(--s[12346]\)\)))+$/,
];

/** The rules of a single class that no other rule of the sheet mentions, and that only lay out. */
function layoutOnly(sheet: string): string[] {
  const mentioned = classesIn(sheet);
  return [...sheet.matchAll(/(?<!,\n)^\.(\w+) \{\n((?: {2}[^{}]+;\n)+)\}$/gm)]
    .filter(([, name]) => mentioned.filter((other) => other === name).length === 1)
    .filter(([, , body = ""]) => body.split(";\n").every((line) => line === "" || saidByProps.some((one) => one.test(line.trim()))))
    .map(([, name = ""]) => name);
}

/** Of rows and cells, where a component costs; of an element with a second class; of a part of a component; of the shell. */
const staying: Record<string, string[]> = {
  "features/account/api-keys/keys": ["scrollable"],
  "features/add-data/add-data": ["sheet", "sheetBody"],
  "features/catalog/descriptions/descriptions": ["field"],
  "features/catalog/list/list": ["hits", "main"],
  "features/flows/changes/changes": ["said", "space"],
  "features/flows/changes/drawing/drawing": ["rowTexts"],
  "features/flows/flows": ["group"],
  "features/flows/request/request": ["close"],
  "features/search/boards/panels/panels": ["tableScroller"],
  "features/search/dataset-groups/dataset-groups": ["leftOut"],
  "features/search/datasets/datasets": ["content", "panel", "sheetHeader"],
  "features/search/map/frame/map": ["nameCell", "pathCell"],
  "features/search/map/playback/scrubber": ["options"],
  "features/search/results/schema/schema-view": ["dialog"],
  "features/search/search-form/search-form": ["form", "state"],
  "features/sign-in/sign-in": ["page"],
  "parts/area/area": ["content"],
  "parts/dataset-picker/dataset-picker": ["nameCell"],
  "parts/file-preview/file-preview": ["titles", "view"],
  "parts/filters/filters": ["add", "content", "dialog", "dropdown", "row"],
  "shell/frame/frame": ["gap", "railNav"],
  "shell/palette/palette": ["first"],
  "ui/kit/kit": ["form"],
  "ui/ui": ["actions", "loadingRow"],
};

it("lays out by the props of the component library what they can say", () => {
  const found = [...sheets].map(([file, sheet]) => [file.replace(".module.css", ""), layoutOnly(sheet).toSorted()] as const);
  const advice = "Write the rule as a Group, Stack, Flex or Box with spacing of the theme. Take out of the list what is gone.";
  expect(Object.fromEntries(found.filter(([, names]) => names.length > 0)), advice).toEqual(staying);
});

it("has a rule for each class that is named, and names each class that has a rule", () => {
  const named = new Set<string>();
  const listed = new Set<string>();
  for (const file of files.filter((one) => /\.tsx?$/.test(one))) {
    const text = textOf(file);
    const sheetOf = new Map(
      [...text.matchAll(/^import (\w+) from "(#?)([^"]+\.module\.css)";$/gm)].map(([, name, alias, path = ""]) => [
        name,
        alias === "#" ? path : fileURLToPath(new URL(path, new URL(file, sources))).slice(fileURLToPath(sources).length),
      ]),
    );
    for (const [, name, key] of text.matchAll(/\b(\w+)\[("?[\w$]+"?)/g)) {
      const sheet = sheetOf.get(name);
      if (sheet !== undefined && key !== undefined) named.add(`${sheet}#${key.startsWith('"') ? key.slice(1, -1) : "*"}`);
    }
  }
  for (const [file, sheet] of sheets) for (const name of classesIn(sheet)) listed.add(`${file}#${name}`);
  const isByVariable = (one: string): boolean => named.has(one.replace(/#.*/, "#*"));
  expect([...named].filter((one) => !one.endsWith("#*") && !listed.has(one))).toEqual([]);
  expect([...listed].filter((one) => !named.has(one) && !isByVariable(one))).toEqual([]);
});
