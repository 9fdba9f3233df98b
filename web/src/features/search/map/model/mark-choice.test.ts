import { expect, it } from "vitest";
import { choiceOf, markColumnsOf } from "./mark-choice.ts";

const marked = {
  mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "time", colorField: "mag", sizeField: "mag" },
};
const plain = { mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "time" } };
const none = { colorColumn: null, sizeColumn: null };

it("marks by the dataset's columns until a person chooses others, or ages and one size", () => {
  expect(markColumnsOf(none, marked)).toEqual({ colorColumn: "mag", sizeColumn: "mag" });
  expect(markColumnsOf(none, plain)).toEqual(none);
  expect(markColumnsOf({ colorColumn: "depth", sizeColumn: "" }, marked)).toEqual({ colorColumn: "depth", sizeColumn: null });
  expect(choiceOf({ colorColumn: null }, marked)).toEqual({ colorColumn: "" });
  const looked = { ...marked, mapView: { show: "items" as const, colorBy: "depth" } };
  expect(markColumnsOf(none, looked)).toEqual({ colorColumn: "depth", sizeColumn: "mag" });
  expect(choiceOf({ colorColumn: null }, { ...plain, mapView: looked.mapView })).toEqual({ colorColumn: "" });
  expect(choiceOf({ colorColumn: null, sizeColumn: "mag" }, plain)).toEqual({ colorColumn: null, sizeColumn: "mag" });
});
