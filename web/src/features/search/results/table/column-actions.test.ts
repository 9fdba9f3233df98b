import { expect, it } from "vitest";
import { clickedSort, sortedBy } from "./column-actions.ts";

it("a click goes from ascending to descending to none", () => {
  const one = clickedSort([], "wind", false);
  expect(one).toEqual([{ column: "wind", direction: "asc" }]);
  const two = clickedSort(one, "wind", false);
  expect(two).toEqual([{ column: "wind", direction: "desc" }]);
  expect(clickedSort(two, "wind", false)).toEqual([]);
});

it("a plain click on another column drops the first; with Shift both stay in the order they were clicked", () => {
  const wind = clickedSort([], "wind", false);
  expect(clickedSort(wind, "name", false)).toEqual([{ column: "name", direction: "asc" }]);
  const both = clickedSort(wind, "name", true);
  expect(both.map((key) => key.column)).toEqual(["wind", "name"]);
  expect(clickedSort(both, "wind", true)).toEqual([
    { column: "wind", direction: "desc" },
    { column: "name", direction: "asc" },
  ]);
  expect(clickedSort(clickedSort(both, "wind", true), "wind", true)).toEqual([{ column: "name", direction: "asc" }]);
});

it("takes a column out that is not in the order", () => {
  expect(sortedBy([], "wind", undefined, true)).toEqual([]);
});
