import type { Column } from "@fairway/contract/columns";
import type { CellValue } from "@fairway/contract/search";
import { describe, expect, it } from "vitest";
import type { MapItem } from "./map-items.ts";
import { markScale } from "./marks.ts";
import { overviewText } from "./path-choice.ts";
import type { PathPoints } from "./path-model.ts";
import { pathMarks, valueAt, valuesAlong, valueText } from "./path-values.ts";

const wind: Column = { name: "wind", type: "integer", description: "", combined: null, unit: "kt" };
const item: MapItem = {
  id: "a",
  name: "a",
  mark: null,
  group: "a",
  row: { wind: 30 },
  lat: 0,
  lng: 0,
  problem: null,
  timeMs: 3_000,
};
const points = (winds: readonly CellValue[], column = "wind"): PathPoints => ({
  count: winds.length,
  lng: new Float64Array(winds.length),
  lat: new Float64Array(winds.length),
  timeMs: Float64Array.from(winds, (_, index) => (index + 1) * 1_000),
  values: new Map([[column, winds]]),
  skipped: 0,
  isCut: false,
});

describe("the colors of a path", () => {
  it("are those of its values in the range of all positions and items, and gray where one is missing", () => {
    const path = points([20, null, 160]);
    const along = valuesAlong("wind", [{ points: path }, { points: null }, { points: points([1], "pressure") }]);
    const scale = markScale([item], wind, along);
    expect(scale).toMatchObject({ min: 20, max: 160 });
    expect([...(pathMarks(path, scale) ?? [])]).toEqual([3, 10, 9]);
    expect(pathMarks(path, scale)).toBe(pathMarks(path, scale));
    expect(pathMarks(points([1], "pressure"), scale)).toBeUndefined();
    expect(pathMarks(path, null)).toBeUndefined();
  });

  it("are those of frequent texts, also of texts that no last row has", () => {
    const status: Column = { name: "status", type: "STRING", description: "", combined: null };
    const path = points(["storm", "storm", null], "status");
    const scale = markScale([item], status, valuesAlong("status", [{ points: path }]));
    expect([...(pathMarks(path, scale) ?? [])]).toEqual([3, 3, 11]);
  });
});

describe("the value of an item", () => {
  it("is that of the position at the time, and of the last row from then on", () => {
    const path = { points: points([20, null, 160]) };
    expect([500, 1_000, 2_000, 2_999, 3_000].map((atMs) => valueAt(item, path, wind, atMs))).toEqual([null, 20, null, null, 30]);
    expect(valueAt(item, undefined, wind, 0)).toBe(30);
  });

  it("is shown with its unit", () => {
    expect([valueText(wind, 30), valueText(wind, null), valueText({ ...wind, unit: "" }, 30)]).toEqual(["30 kt", "no value", "30"]);
  });
});

describe("the overview", () => {
  const whole = { isLoading: false, isTruncated: false, tracks: 3, items: 3, points: 500, positions: 500 };

  it("says what it leaves out", () => {
    expect(overviewText(whole)).toBeNull();
    expect(overviewText({ ...whole, isLoading: true })).toBe("Loading paths");
    expect(overviewText({ ...whole, positions: 3_412_880 })).toBe("Overview of 3,412,880 positions, 500 drawn");
    expect(overviewText({ ...whole, positions: null, isTruncated: true })).toBe("Overview, 500 positions drawn");
    expect(overviewText({ ...whole, tracks: 2, positions: null })).toBe("2 of 3 drawn, simplified");
    expect(overviewText({ ...whole, tracks: 0 })).toBeNull();
  });
});
