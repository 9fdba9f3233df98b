import type { GridCells, GridMeasure } from "@fairway/contract/grid";
import { describe, expect, it } from "vitest";
import { orderCells } from "./cell-order.ts";
import { cellAreaKm2, cellSetOf, cellsInView, extentOfCells, indexOfCell } from "./cell-set.ts";
import { valuesOfCells } from "./cell-values.ts";

const answer = (level: number, cells: readonly (readonly [x: number, y: number, rows: number])[], more: Partial<GridCells["cells"]> = {}) =>
  ({
    kind: "cells",
    level,
    within: [-180, -90, 180, 90],
    rows: cells.reduce((sum, [, , rows]) => sum + rows, 0),
    cells: { x: cells.map(([x]) => x), y: cells.map(([, y]) => y), rows: cells.map(([, , rows]) => rows), ...more },
  }) satisfies GridCells;
const setOf = (...given: Parameters<typeof answer>) => cellSetOf(answer(...given), null);
const measured = (aggregation: GridMeasure["aggregation"], rows: readonly number[], value: (number | string | null)[]) =>
  cellSetOf(
    answer(
      3,
      rows.map((count, x) => [x, 2, count]),
      { counted: [...rows], value },
    ),
    { aggregation, column: "wind" },
  );

it("finds cells by their place", () => {
  const set = setOf(4, [
    [3, 1, 5],
    [9, 1, 2],
    [0, 7, 1],
  ]);
  expect(indexOfCell(set, { level: 4, x: 9, y: 1 })).toBe(1);
  expect(indexOfCell(set, { level: 4, x: 0, y: 7 })).toBe(2);
  expect(indexOfCell(set, { level: 4, x: 0, y: 1 })).toBe(-1);
  expect(indexOfCell(set, { level: 5, x: 9, y: 1 })).toBe(-1);
});

it("lists the cells in view", () => {
  const set = setOf(2, [
    [0, 1, 1],
    [2, 1, 1],
    [3, 3, 1],
  ]);
  expect([...cellsInView(set, { left: -0.1, top: 0.2, width: 0.2, height: 0.2, zoom: 1 })]).toEqual([0]);
});

describe("the extent of cells", () => {
  it("is the box around them", () => {
    expect(
      extentOfCells(
        setOf(3, [
          [2, 1, 1],
          [4, 3, 1],
        ]),
      ),
    ).toEqual([-90, expect.closeTo(0), 45, expect.closeTo(79.17, 2)]);
  });

  it("goes over the antimeridian where that is smaller", () => {
    const [west, , east] =
      extentOfCells(
        setOf(3, [
          [0, 2, 1],
          [7, 2, 1],
        ]),
      ) ?? [];
    expect([west, east]).toEqual([135, 225]);
  });

  it("is none without cells", () => {
    expect(extentOfCells(setOf(3, []))).toBeNull();
  });
});

describe("cells on the ground", () => {
  it("cover the Earth together", () => {
    const area = Array.from({ length: 32 }, (_, y) => 32 * cellAreaKm2(5, y)).reduce((sum, one) => sum + one);
    expect(area / 510_065_622).toBeCloseTo(1, 5);
  });

  it("have the same density whatever their size, where rows are spread evenly", () => {
    const rows = (level: number, y: number) => cellAreaKm2(level, y) / 50;
    const [coarse, fine] = [setOf(5, [[0, 9, rows(5, 9)]]), setOf(7, [[0, 39, rows(7, 39)]])];
    expect(valuesOfCells(coarse, true)[0]).toBeCloseTo(2);
    expect(valuesOfCells(fine, true)[0]).toBeCloseTo(2);
  });
});

describe("the list of cells", () => {
  const order = (set: ReturnType<typeof cellSetOf>) =>
    orderCells(
      set,
      Array.from({ length: set.size }, (_, index) => index),
      valuesOfCells(set, false),
    );

  it("begins with the most rows and goes from north to south among equals", () => {
    const set = setOf(4, [
      [3, 1, 5],
      [9, 1, 2],
      [0, 7, 9],
      [2, 8, 5],
    ]);
    expect(order(set)).toEqual({ listed: [2, 0, 3, 1], isRanked: false });
  });

  it("ranks averages of five rows or more", () => {
    expect(order(measured("avg", [5, 4, 9], [10, 90, 20]))).toEqual({ listed: [2, 0], isRanked: true });
    expect(order(measured("avg", [1, 4], [10, 90]))).toEqual({ listed: [1, 0], isRanked: false });
  });

  it("leaves out cells without a value, reads large sums and begins with the least of least values", () => {
    expect(order(measured("sum", [1, 1, 1], [7, null, "9007199254740993000"])).listed).toEqual([2, 0]);
    expect(order(measured("min", [1, 1, 1], [7, 3, 5])).listed).toEqual([1, 2, 0]);
  });

  it("has at most 200 entries", () => {
    const cells = Array.from({ length: 300 }, (_, x) => [x, 1, 1] as const);
    expect(order(setOf(10, cells)).listed).toHaveLength(200);
  });
});
