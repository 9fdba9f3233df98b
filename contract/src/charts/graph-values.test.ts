import { describe, expect, it } from "vitest";
import { aggregatesOf, columnValues, derive } from "./graph-values.ts";
import type { DerivedColumn, GraphColumn } from "./graph.ts";

const max = { model: "wind", aggregation: "max" } as const;
const count = { model: "*", aggregation: "count" } as const;
const aggregated: GraphColumn = { id: "1", color: "#099bf1", ...max };
const ratio: DerivedColumn = { id: "2", label: "share", color: "#e36f17", type: "ratio", column1: max, column2: count };

describe("a derived column", () => {
  it("[GRAPH-14][GRAPH-17] multiplies, adds, subtracts and divides, also as percent", () => {
    expect(derive("ratio", 3, 4)).toBe(0.75);
    expect(derive("ratio-percent", 3, 4)).toBe(75);
    expect(derive("product", 3, 4)).toBe(12);
    expect(derive("sum", 3, 4)).toBe(7);
    expect(derive("delta", 3, 4)).toBe(-1);
  });

  it("[GRAPH-15] is 0 for a ratio with divisor 0", () => {
    expect(derive("ratio", 3, 0)).toBe(0);
    expect(derive("ratio-percent", 3, 0)).toBe(0);
  });

  it("[GRAPH-15] is 0 for a ratio of a group without rows", () => {
    for (const type of ["ratio", "ratio-percent"] as const) {
      expect(derive(type, null, null)).toBe(0);
      expect(derive(type, null, 0)).toBe(0);
      expect(derive(type, 3, null)).toBe(0);
      expect(derive(type, null, 4)).toBeNull();
    }
  });

  it("is null if an operand is null or the result is not finite", () => {
    expect(derive("sum", null, 4)).toBeNull();
    expect(derive("product", 1e308, 10)).toBeNull();
  });
});

it("requests each aggregate once, including those only used by derived columns", () => {
  expect(aggregatesOf([aggregated, ratio])).toEqual([max, count]);
  expect(aggregatesOf([ratio])).toEqual([max, count]);
});

it("orders values by column and keeps integers beyond 2^53 exact", () => {
  const data = {
    groups: [],
    aggregates: [count, max],
    values: [
      [4, 3],
      [0, null],
      [1, "9007199254740993"],
    ],
  };
  expect(columnValues(data, [aggregated, ratio])).toEqual([
    [3, 0.75],
    [null, 0],
    ["9007199254740993", 9007199254740992],
  ]);
});
