import { describe, expect, it } from "vitest";
import { type JsonLine, lineCount, lineText, pathText } from "./json-lines.ts";
import { allFolded, findLines, type Folds, lineAt, rawModel, withFold } from "./raw-model.ts";

const rows = [
  { name: "Wilma", wind: 160, landfall: true, note: null },
  { name: 'say "so"\n', tags: ["a", "b"], empty: [], nothing: {}, deep: { one: { two: 2 } } },
  {},
];

const noFolds: Folds = new Map();
function textOf(value: readonly unknown[], folds: Folds): string {
  const model = rawModel(value, folds);
  const cache = new Map<number, JsonLine[]>();
  return Array.from({ length: model.lineTotal }, (_, line) => lineAt(model, line, cache))
    .map((line) => "  ".repeat(line.depth) + lineText(line))
    .join("\n");
}

describe("[RESULT-21] the lines of an answer", () => {
  it.each([[rows], [[]], [[1, "x", null]], [[{ a: [] }]], [[[[]]]], [[{ "": { "": 1 } }]]])("are those of JSON.stringify: %j", (value) => {
    expect(textOf(value, noFolds)).toBe(JSON.stringify(value, null, 2));
  });

  it("are counted without being made", () => {
    expect(lineCount(rows[1], undefined)).toBe(JSON.stringify(rows[1], null, 2).split("\n").length);
    expect(rawModel(rows, noFolds).lineTotal).toBe(JSON.stringify(rows, null, 2).split("\n").length);
  });
});

describe("folding", () => {
  it("makes one line of a row, or of a list within it", () => {
    const folds = withFold(withFold(noFolds, 0, [], true), 1, ["tags"], true);
    const lines = textOf(rows, folds).split("\n");
    expect(lines[1]).toBe("  {…},");
    expect(lines[4]).toBe('    "tags": […],');
    expect(rawModel(rows, folds).lineTotal).toBe(lines.length);
  });

  it("unfolds to what was there", () => {
    const folds = withFold(withFold(noFolds, 1, ["deep", "one"], true), 1, ["deep", "one"], false);
    expect(folds.size).toBe(0);
  });

  it("of everything leaves a line a row", () => {
    expect(rawModel(rows, allFolded(rows)).lineTotal).toBe(rows.length + 2);
  });
});

describe("finding", () => {
  const never = new AbortController().signal;

  it("names rows and their lines, in names and values", async () => {
    expect(await findLines(rows, /wilma/giu, never)).toEqual([{ row: 0, at: 1 }]);
    expect(await findLines(rows, /"tags"/giu, never)).toEqual([{ row: 1, at: 2 }]);
    expect(await findLines(rows, /two/giu, never)).toEqual([{ row: 1, at: 10 }]);
  });

  it("answers nothing once it was ended", async () => {
    expect(await findLines(rows, /a/giu, AbortSignal.abort())).toBeNull();
  });
});

it.each([
  [["wind"], "[3].wind"],
  [["storm name"], '[3]["storm name"]'],
  [["deep", "one", 2], "[3].deep.one[2]"],
  [[], "[3]"],
])("writes the path %j as %s", (path, text) => {
  expect(pathText(3, path)).toBe(text);
});
