import { describe, expect, it } from "vitest";
import { type JsonLine, lineCount, lineText, pathText } from "./json-lines.ts";
import { allFolded, findLines, type Folds, lineAt, createRawModel, withFold } from "./raw-model.ts";

const rows = [
  { name: "Wilma", wind: 160, landfall: true, note: null },
  { name: 'say "so"\n', tags: ["a", "b"], empty: [], nothing: {}, deep: { one: { two: 2 } } },
  {},
];

const noFolds: Folds = new Map();
function textOf(value: readonly unknown[], folds: Folds, names?: readonly string[]): string {
  const model = createRawModel({ rows: value, names }, folds);
  const cache = new Map<number, JsonLine[]>();
  return Array.from({ length: model.totalLines }, (_, line) => lineAt(model, line, cache))
    .map((line) => "  ".repeat(line.depth) + lineText(line))
    .join("\n");
}

describe("[RESULT-21] raw lines", () => {
  it.each([[rows], [[]], [[1, "x", null]], [[{ a: [] }]], [[[[]]]], [[{ "": { "": 1 } }]]])("match JSON.stringify: %j", (value) => {
    expect(textOf(value, noFolds)).toBe(JSON.stringify(value, null, 2));
  });

  it.each([{}, { storm: "Katrina", tags: ["a"] }, { "": {}, "full name": { deep: [] } }])(
    "match JSON.stringify of an object: %j",
    (value) => {
      expect(textOf(Object.values(value), noFolds, Object.keys(value))).toBe(JSON.stringify(value, null, 2));
    },
  );

  it("are counted without being created", () => {
    expect(lineCount(rows[1], undefined)).toBe(JSON.stringify(rows[1], null, 2).split("\n").length);
    expect(createRawModel({ rows }, noFolds).totalLines).toBe(JSON.stringify(rows, null, 2).split("\n").length);
  });
});

describe("folding", () => {
  it("folds a row or a nested list to one line", () => {
    const folds = withFold(withFold(noFolds, 0, [], true), 1, ["tags"], true);
    const lines = textOf(rows, folds).split("\n");
    expect(lines[1]).toBe("  {…},");
    expect(lines[4]).toBe('    "tags": […],');
    expect(createRawModel({ rows }, folds).totalLines).toBe(lines.length);
  });

  it("restores the original lines when unfolded", () => {
    const folds = withFold(withFold(noFolds, 1, ["deep", "one"], true), 1, ["deep", "one"], false);
    expect(folds.size).toBe(0);
  });

  it("leaves one line per row when everything is folded", () => {
    expect(createRawModel({ rows }, allFolded(rows)).totalLines).toBe(rows.length + 2);
  });
});

describe("finding", () => {
  const never = new AbortController().signal;

  it("returns rows and lines matching names or values", async () => {
    expect(await findLines({ rows }, /wilma/giu, never)).toEqual([{ row: 0, line: 1 }]);
    expect(await findLines({ rows }, /"tags"/giu, never)).toEqual([{ row: 1, line: 2 }]);
    expect(await findLines({ rows }, /two/giu, never)).toEqual([{ row: 1, line: 10 }]);
  });

  it("finds the names of an object's entries", async () => {
    expect(await findLines({ rows: [1, { wind: 2 }], names: ["storm", "record"] }, /"record"/giu, never)).toEqual([{ row: 1, line: 0 }]);
  });

  it("returns null once aborted", async () => {
    expect(await findLines({ rows }, /a/giu, AbortSignal.abort())).toBeNull();
  });
});

it.each([
  [[3, "wind"], "[3].wind"],
  [[3, "storm name"], '[3]["storm name"]'],
  [[3, "deep", "one", 2], "[3].deep.one[2]"],
  [[3], "[3]"],
  [["deep", "one"], "deep.one"],
  [["storm name", 0], '["storm name"][0]'],
])("formats the path %j as %s", (path, text) => {
  expect(pathText(path)).toBe(text);
});
