import { expect, it } from "vitest";
import { mapRowsView, mapViewOf } from "./map-view.ts";
import { validationMessage } from "./validation-messages.ts";

it.each([
  [{ cell: 5 }, "cell", "is not 4 or 8 or 16 or 32."],
  [{ scale: "root" }, "scale", 'is not "log" or "linear" or "steps".'],
  [{ palette: "red" }, "palette", 'is not "tide" or "ember" or "balance".'],
  [{ range: { low: 2, high: 1 } }, "range", "has a high end below its low end"],
  [{ range: { low: "1", high: 2 } }, "range", 'is not "full", and has no low and high end in numbers'],
  [{ measure: { aggregation: "count", column: "wind" } }, "measure.aggregation", 'is not "avg" or "sum" or "min" or "max".'],
])("the look of all rows %j is refused by name", (rows, path, message) => {
  const [issue] = mapRowsView.safeParse(rows, { error: validationMessage }).error?.issues ?? [];
  expect([issue?.path.join("."), issue?.message]).toEqual([path, message]);
});

it("a range is typed, computed or full", () => {
  for (const range of ["full", { low: 1, high: 1 }, { low: 1, high: 2, isTyped: true }, undefined])
    expect(mapRowsView.parse({ range }).range).toEqual(range);
});

it("the first look of a map leaves out columns that are gone, and the range of their values", () => {
  const rows = { cell: 16 as const, measure: { aggregation: "avg" as const, column: "wind" }, range: { low: 1, high: 9 } };
  const view = { show: "rows" as const, colorBy: "wind", sizeBy: "pressure", rows };
  expect(mapViewOf(view, () => true)).toEqual(view);
  expect(mapViewOf(view, (name) => name !== "wind")).toEqual({ show: "rows", sizeBy: "pressure", rows: { cell: 16 } });
  expect(mapViewOf({ show: "items" }, () => false)).toEqual({ show: "items" });
  expect([mapViewOf(null, () => true), mapViewOf(undefined, () => true)]).toEqual([null, null]);
});
