import { expect, it } from "vitest";
import type { DatasetDraft } from "./dataset-draft.ts";
import { cellColorOf, cellColors, quantityOf, rangeModeOf, withCellColor, withoutMark, withRowsLook, withShown } from "./first-look.ts";

const draftOf = (mapView: DatasetDraft["mapView"]): DatasetDraft => ({ mapView }) as DatasetDraft;

it("the map shows all rows first, in the chosen color, or items as usual", () => {
  const rows = { ...draftOf(null), ...withShown(draftOf(null), "rows") };
  expect(rows.mapView).toEqual({ show: "rows" });
  expect(cellColorOf(rows)).toBeNull();
  const colored = { ...rows, ...withCellColor(rows, "avg wind speed") };
  expect(colored.mapView).toEqual({ show: "rows", rows: { measure: { aggregation: "avg", column: "wind speed" } } });
  expect(cellColorOf(colored)).toBe("avg wind speed");
  const dense = { ...colored, ...withCellColor(colored, "area") };
  expect(dense.mapView).toEqual({ show: "rows", rows: { perArea: true } });
  expect(cellColorOf(dense)).toBe("area");
  expect(withCellColor(dense, null).mapView).toEqual({ show: "rows" });
  // Whoever changes to all rows on the map sees them like this.
  expect(withShown(dense, "items").mapView).toEqual({ show: "items", rows: { perArea: true } });
  expect(withShown(rows, "items").mapView).toBeNull();
});

it("a range goes with its measure, and further settings stay", () => {
  const draft = draftOf({ show: "rows", rows: { cell: 16, measure: { aggregation: "max", column: "a" }, range: { low: 1, high: 2 } } });
  expect(withCellColor(draft, "min a").mapView?.rows).toEqual({ cell: 16, measure: { aggregation: "min", column: "a" } });
});

it("settings of all rows are kept beside items, and gone with the last of them", () => {
  const wide = { ...draftOf(null), ...withRowsLook(draftOf(null), { cell: 16, range: "full" }) };
  expect(wide.mapView).toEqual({ show: "items", rows: { cell: 16, range: "full" } });
  expect([quantityOf(wide), rangeModeOf(wide)]).toEqual(["count", "full"]);
  expect(withCellColor(wide, "avg wind").mapView?.rows).toEqual({
    cell: 16,
    measure: { aggregation: "avg", column: "wind" },
    range: "full",
  });
  expect(withRowsLook(wide, { cell: undefined, range: undefined }).mapView).toBeNull();
  const typed = { ...wide, ...withRowsLook(wide, { range: { low: 1, high: 2 } }) };
  expect([rangeModeOf(typed), rangeModeOf(draftOf(null))]).toEqual(["typed", "automatic"]);
});

it("a mark that is chosen in the form is not hidden by the first look", () => {
  expect(withoutMark(draftOf({ show: "items", colorBy: "mag" }), "colorBy")).toEqual({ mapView: null });
  expect(withoutMark(draftOf({ show: "items", colorBy: "mag", sizeBy: "mag" }), "colorBy").mapView).toEqual({
    show: "items",
    sizeBy: "mag",
  });
  expect(withoutMark(draftOf(null), "colorBy")).toEqual({});
});

it("cells are colored by numbers, and by times at their ends", () => {
  const offered = cellColors([
    { name: "wind", type: "integer", label: "Wind" },
    { name: "time", type: "TIMESTAMP_MILLS" },
    { name: "name", type: "STRING" },
  ]);
  expect(offered.map(({ label }) => label)).toEqual([
    "Rows per 100 km²",
    "Average Wind",
    "Sum of Wind",
    "Minimum Wind",
    "Maximum Wind",
    "Earliest time",
    "Latest time",
  ]);
});
