import { cellBox, cellsOfBox } from "@fairway/contract/grid-cells";
import { describe, expect, it } from "vitest";
import { levelOf, worldCallLevel } from "./grid-level.ts";
import { covers, isInView, rangeAround, rangeToAsk, type ShownView } from "./grid-view.ts";

const view = (changed: Partial<ShownView> = {}): ShownView => ({ left: 0.2, top: 0.3, width: 0.1, height: 0.05, zoom: 3, ...changed });

describe("the level of a view", () => {
  it.each([
    [2, 8, 8],
    [2, 4, 9],
    [2, 16, 7],
    [2, 32, 6],
    [2.4, 8, 8],
    [2.6, 8, 9],
    [14, 4, 21],
    [-9, 32, 0],
  ])("at zoom %d with cells of %d px is %d", (zoom, pixels, level) => {
    expect(levelOf(zoom, pixels)).toBe(level);
  });

  it("changes only a tenth of a zoom beyond the middle of two levels", () => {
    expect(levelOf(2.58, 8, 8)).toBe(8);
    expect(levelOf(2.62, 8, 8)).toBe(9);
    expect(levelOf(2.42, 8, 9)).toBe(9);
    expect(levelOf(2.38, 8, 9)).toBe(8);
  });

  it("of the whole world has no more cells than one answer holds", () => {
    expect([262_144, 65_536, 65_535, 1_000, 1].map(worldCallLevel)).toEqual([8, 8, 7, 4, 0]);
  });
});

describe("the cells that are asked for", () => {
  it("are those of the view and of half of it on every side", () => {
    expect(rangeToAsk(view(), 6, 262_144)).toEqual({ level: 6, left: 9, columns: 14, top: 17, rows: 7 });
  });

  it("go on over the antimeridian, from within the world", () => {
    const range = rangeAround(view({ left: -0.05 }), 6);
    expect(range).toMatchObject({ left: 60, columns: 8 });
    const [west, , east] = cellBox(range, 6);
    expect([west, east]).toEqual([157.5, 202.5]);
  });

  it("are the whole world where the view is as wide", () => {
    expect(rangeAround(view({ left: -0.3, width: 1.2 }), 4)).toMatchObject({ left: 0, columns: 16 });
  });

  it("end at the edges of the map", () => {
    expect(rangeAround(view({ top: 0.01, height: 0.98 }), 5, 0.5)).toMatchObject({ top: 0, rows: 32 });
  });

  it("have a smaller margin, and then grow, where one answer holds fewer", () => {
    const whole = rangeAround(view(), 9, 0);
    expect(rangeToAsk(view(), 9, whole.columns * whole.rows)).toEqual(whole);
    expect(rangeToAsk(view(), 9, whole.columns * whole.rows * 2).columns).toBeGreaterThan(whole.columns);
    expect(rangeToAsk(view(), 9, whole.columns * whole.rows - 1)).toMatchObject({ level: 8 });
    expect(rangeToAsk(view(), 9, 1)).toEqual({ level: 1, left: 0, columns: 1, top: 0, rows: 1 });
  });

  it.each([0, 3, 8, 13, 21])("are the same when their box is asked for at level %d", (level) => {
    for (const left of [-0.4, 0, 0.123, 0.95]) {
      const { level: _, ...range } = rangeAround(view({ left, width: 0.3 / 2 ** level, height: 0.2 / 2 ** level }), level, 0.5);
      expect(cellsOfBox(cellBox(range, level), level)).toEqual(range);
    }
  });
});

describe("a loaded range", () => {
  it.each([-1.9, -0.9, 0.1, 1.1])("covers a view within it in any copy of the world, as at %d", (left) => {
    const range = rangeAround(view({ left }), 8, 0.5);
    expect(covers(range, view({ left }))).toBe(true);
    expect(covers(range, view({ left: left + 0.049 }))).toBe(true);
    expect(covers(range, view({ left: left + 1 }))).toBe(true);
    expect(covers(range, view({ left: left + 0.06 }))).toBe(false);
    expect(covers(range, view({ left: left - 0.06 }))).toBe(false);
    expect(covers(range, view({ left, top: 0.36 }))).toBe(false);
    expect(covers(range, view({ left: left - 0.049, width: 0.19 }))).toBe(true);
  });

  it("covers every view if it goes around the world", () => {
    const range = rangeAround(view({ width: 1, top: 0, height: 1 }), 5);
    expect(covers(range, view({ left: -3.3, width: 1.7 }))).toBe(true);
  });
});

it("finds the cells of a view in every copy of the world", () => {
  const at = (left: number) => [0, 1, 2, 3].filter((x) => isInView(x, 1, 2, view({ left, width: 0.3, top: 0.3, height: 0.1 })));
  expect(at(0.2)).toEqual([0, 1]);
  expect(at(-0.05)).toEqual([0, 3]);
  expect(at(1.2)).toEqual([0, 1]);
  expect(at(-1.3)).toEqual([2, 3]);
  expect(isInView(1, 0, 2, view({ top: 0.3, height: 0.1 }))).toBe(false);
});
