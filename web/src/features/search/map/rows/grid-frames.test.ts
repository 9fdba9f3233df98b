import type { GridCells } from "@fairway/contract/grid";
import { describe, expect, it } from "vitest";
import { valueAt } from "./cell-set.ts";
import { cellsAtSteps, framesOf, stepsAt, valuesOfPlayback } from "./grid-frames.ts";
import { periodText } from "./period-text.ts";

const buckets = [2000, 2001, 2002, 2003].map((year) => ({ startMs: Date.UTC(year), endMs: Date.UTC(year + 1), rows: 0 }));
const cellCount = 30;
/** Rows of cells and steps; some have no value. The last cell has none with a time. */
const rows = Array.from({ length: 400 }, (_, index) => ({
  cell: (index * 7) % (cellCount - 1),
  bucket: (index * index) % 3 === 0 ? 3 : (index * 11) % 4,
  value: index % 5 === 0 ? null : ((index * 37) % 101) - 50,
}));
type Row = (typeof rows)[number];
type Aggregation = "avg" | "sum" | "min" | "max";

function bruteForce(found: readonly Row[], aggregation: Aggregation): number | null {
  const values = found.flatMap(({ value }) => (value === null ? [] : [value]));
  if (values.length === 0) return null;
  if (aggregation === "min") return Math.min(...values);
  if (aggregation === "max") return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  return aggregation === "avg" ? sum / values.length : sum;
}

const countedOf = (found: readonly Row[]) => found.filter(({ value }) => value !== null).length;

function answerOf(aggregation: Aggregation): GridCells {
  const frames = Array.from({ length: cellCount * buckets.length }, (_, index) => {
    const [cell, bucket] = [Math.floor(index / buckets.length), index % buckets.length];
    return { cell, bucket, found: rows.filter((row) => row.cell === cell && row.bucket === bucket) };
  }).filter(({ found }) => found.length > 0);
  const inBucket = aggregation === "avg" ? "sum" : aggregation;
  const values = frames.map(({ found }) => bruteForce(found, inBucket));
  const cells = Array.from({ length: cellCount }, (_, cell) => rows.filter((row) => row.cell === cell));
  return {
    kind: "cells",
    level: 6,
    within: [-180, -85, 180, 85],
    rows: rows.length,
    cells: {
      x: cells.map((_, cell) => cell),
      y: cells.map(() => 20),
      rows: cells.map((found) => found.length),
      counted: cells.map(countedOf),
      value: cells.map((found) => bruteForce(found, aggregation)),
    },
    time: { buckets, untimed: 0, elsewhen: 0 },
    frames: {
      cell: frames.map(({ cell }) => cell),
      bucket: frames.map(({ bucket }) => bucket),
      rows: frames.map(({ found }) => found.length),
      counted: frames.map(({ found }) => countedOf(found)),
      ...(aggregation === "avg" ? { sum: values } : { value: values }),
    },
  };
}

describe("cells at steps of time", () => {
  it.each(["avg", "sum", "min", "max"] as const)("have the rows and the %s of exactly the rows of these steps", (aggregation) => {
    const frames = framesOf(answerOf(aggregation), { aggregation, column: "wind" });
    for (const [from, to] of [
      [0, 1],
      [0, 4],
      [1, 3],
      [3, 4],
      [2, 2],
    ] as const) {
      const set = cellsAtSteps(frames, { from, to });
      const expected = Array.from({ length: cellCount }, (_, cell) => ({
        cell,
        found: rows.filter((row) => row.cell === cell && row.bucket >= from && row.bucket < to),
      })).filter(({ found }) => found.length > 0);
      expect([...set.x]).toEqual(expected.map(({ cell }) => cell));
      expect([...set.rows]).toEqual(expected.map(({ found }) => found.length));
      expect([...(set.counted ?? [])]).toEqual(expected.map(({ found }) => countedOf(found)));
      expect(expected.map((_, index) => valueAt(set, index))).toEqual(expected.map(({ found }) => bruteForce(found, aggregation)));
    }
  });

  it("are those up to the end of the step of a time, or of the window before it", () => {
    const year = 365 * 86_400_000;
    expect(stepsAt(buckets, Date.UTC(2000), null)).toEqual({ from: 0, to: 1 });
    expect(stepsAt(buckets, Date.UTC(2002, 5), null)).toEqual({ from: 0, to: 3 });
    expect(stepsAt(buckets, Date.UTC(2004), null)).toEqual({ from: 0, to: 4 });
    expect(stepsAt(buckets, Date.UTC(2000, 5), year)).toEqual({ from: 0, to: 1 });
    expect(stepsAt(buckets, Date.UTC(2002, 5), 2 * year)).toEqual({ from: 1, to: 3 });
    expect(stepsAt(buckets, Date.UTC(2002, 5), 1)).toEqual({ from: 2, to: 3 });
  });

  it("are named by their calendar", () => {
    expect(periodText(buckets, "year", { from: 0, to: 1 })).toBe("2000");
    expect(periodText(buckets, "year", { from: 0, to: 3 })).toBe("2000 to 2002");
    expect(periodText(buckets, "month", { from: 0, to: 1 })).toBe("Jan 2000 to Dec 2000");
    expect(periodText(buckets, "day", { from: 1, to: 2 })).toBe("01/01/2001 to 12/31/2001");
  });

  it("give the colors a range over everything that is shown", () => {
    const frames = framesOf(answerOf("sum"), null);
    const most = Math.max(...valuesOfPlayback(frames, 1, false));
    expect(Math.max(...valuesOfPlayback(frames, null, false))).toBeGreaterThan(most);
  });
});
