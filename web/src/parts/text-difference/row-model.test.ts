import { expect, it } from "vitest";
import { BlockKind, packBlocks } from "./blocks.ts";
import { createRowModel, type RowModel, type RowOptions } from "./row-model.ts";

const options: RowOptions = { isSplit: false, folds: true, revealed: [], below: [] };
const { same, changed, removed, added, ignoredAfter } = BlockKind;
const blocks = (...pairs: [kind: BlockKind, count: number][]) => packBlocks(pairs.map(([kind, count]) => ({ kind, count })));

function list(model: RowModel): string[] {
  return Array.from({ length: model.rowCount }, (_, index) => {
    const row = model.rowAt(index);
    if (row.kind === "fold") return `fold ${row.positions.join("-")}`;
    if (row.kind === "below") return `below ${row.after}`;
    return `${row.before < 0 ? "" : row.before}|${row.after < 0 ? "" : row.after}${row.counterpart < 0 ? "" : ` with ${row.counterpart}`}`;
  });
}

it("lists removed above added lines, and folds what is far from them", () => {
  const model = createRowModel(blocks([same, 10], [changed, 1], [added, 1], [same, 8], [removed, 1], [same, 5]), options);
  expect(list(model)).toEqual([
    "fold 0-7",
    "7|7",
    "8|8",
    "9|9",
    "10| with 10",
    "|10 with 10",
    "|11",
    "11|12",
    "12|13",
    "13|14",
    "fold 15-17",
    "16|17",
    "17|18",
    "18|19",
    "19|",
    "20|20",
    "21|21",
    "22|22",
    "fold 24-26",
  ]);
  expect(model.changes).toEqual([4, 14]);
});

it("puts both sides into one row", () => {
  const model = createRowModel(blocks([same, 1], [removed, 1], [changed, 1], [added, 1]), { ...options, isSplit: true });
  expect(list(model)).toEqual(["0|0", "1|", "2|1", "|2"]);
  expect(model.changes).toEqual([1]);
});

it("shows a single line rather than folding it, and treats ignored lines as unchanged", () => {
  expect(list(createRowModel(blocks([added, 1], [same, 7], [added, 1]), options))).toHaveLength(9);
  expect(list(createRowModel(blocks([added, 1], [same, 3], [ignoredAfter, 2], [same, 3], [added, 1]), options))).toContain("fold 4-6");
});

it("shows everything without folding", () => {
  expect(list(createRowModel(blocks([same, 30]), { ...options, folds: false }))).toHaveLength(30);
  expect(list(createRowModel(blocks([same, 30]), options))).toEqual(["fold 0-30"]);
  expect(list(createRowModel(blocks(), options))).toEqual([]);
});

it("shows revealed positions, and lines with something below and their surroundings", () => {
  const model = createRowModel(blocks([same, 40]), {
    ...options,
    revealed: [
      [0, 2],
      [1, 5],
      [38, 90],
    ],
    below: [20, 21, 500],
  });
  expect(list(model)).toEqual([
    "0|0",
    "1|1",
    "2|2",
    "3|3",
    "4|4",
    "fold 5-17",
    "17|17",
    "18|18",
    "19|19",
    "20|20",
    "below 20",
    "21|21",
    "below 21",
    "22|22",
    "23|23",
    "24|24",
    "fold 25-38",
    "38|38",
    "39|39",
  ]);
});

it("shows what is below changed lines once, below their new side", () => {
  const some = blocks([same, 1], [changed, 2], [removed, 1], [added, 2]);
  expect(list(createRowModel(some, { ...options, below: [1, 4] }))).toEqual([
    "0|0",
    "1| with 1",
    "2| with 2",
    "3|",
    "|1 with 1",
    "below 1",
    "|2 with 2",
    "|3",
    "|4",
    "below 4",
  ]);
  expect(list(createRowModel(some, { ...options, isSplit: true, below: [1, 4] }))).toEqual([
    "0|0",
    "1|1",
    "below 1",
    "2|2",
    "3|",
    "|3",
    "|4",
    "below 4",
  ]);
});

it.each([false, true])("finds the row of each line (side by side: %s)", (isSplit) => {
  const some = blocks([added, 2], [same, 12], [changed, 2], [removed, 3], [same, 9], [ignoredAfter, 2], [same, 4], [added, 1], [same, 1]);
  const model = createRowModel(some, { isSplit, folds: true, revealed: [[6, 7]], below: [0, 3, 15] });
  const found = { before: 0, after: 0 };
  for (const side of ["before", "after"] as const) {
    for (let line = 0; line < 40; line += 1) {
      const index = model.rowOfLine(side, line);
      if (index < 0) continue;
      found[side] += 1;
      expect(model.rowAt(index)).toMatchObject({ kind: "line", [side]: line });
    }
  }
  const rows = Array.from({ length: model.rowCount }, (_, index) => model.rowAt(index));
  for (const side of ["before", "after"] as const)
    expect(rows.filter((row) => row.kind === "line" && row[side] >= 0)).toHaveLength(found[side]);
  expect(rows.filter(({ kind }) => kind === "fold").length).toBeGreaterThan(0);
  expect(model.rowOfLine("after", 999)).toBe(-1);
  expect(model.positionOfLine("after", 999)).toBe(-1);
});
