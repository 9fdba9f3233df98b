import { expect, it } from "vitest";
import { mapViewOf } from "./map-view.ts";

it("the first look of a map leaves out columns that are gone, and the range of their values", () => {
  const rows = { cell: 16 as const, measure: { aggregation: "avg" as const, column: "wind" }, range: { low: 1, high: 9 } };
  const view = { show: "rows" as const, colorBy: "wind", sizeBy: "pressure", rows };
  expect(mapViewOf(view, () => true)).toEqual(view);
  expect(mapViewOf(view, (name) => name !== "wind")).toEqual({ show: "rows", sizeBy: "pressure", rows: { cell: 16 } });
  expect(mapViewOf({ show: "items" }, () => false)).toEqual({ show: "items" });
  expect([mapViewOf(null, () => true), mapViewOf(undefined, () => true)]).toEqual([null, null]);
});
