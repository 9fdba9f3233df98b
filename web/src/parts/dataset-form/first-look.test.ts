import { expect, it } from "vitest";
import type { DatasetDraft } from "./dataset-draft.ts";
import { cellColorOf, cellColors, withCellColor, withoutMark, withShown } from "./first-look.ts";

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
  expect(withCellColor(dense, null).mapView).toEqual({ show: "rows", rows: {} });
  expect(withShown(dense, "items").mapView).toBeNull();
});

it("a range goes with its measure, and further settings stay", () => {
  const draft = draftOf({ show: "rows", rows: { cell: 16, measure: { aggregation: "max", column: "a" }, range: { low: 1, high: 2 } } });
  expect(withCellColor(draft, "min a").mapView?.rows).toEqual({ cell: 16, measure: { aggregation: "min", column: "a" } });
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
    "Least Wind",
    "Greatest Wind",
    "Least time",
    "Greatest time",
  ]);
});
