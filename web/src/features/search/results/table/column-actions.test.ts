import { expect, it } from "vitest";
import { toggleSort, withSort } from "./column-actions.ts";

it("cycles from ascending to descending to unsorted", () => {
  const one = toggleSort([], "wind", false);
  expect(one).toEqual([{ column: "wind", direction: "asc" }]);
  const two = toggleSort(one, "wind", false);
  expect(two).toEqual([{ column: "wind", direction: "desc" }]);
  expect(toggleSort(two, "wind", false)).toEqual([]);
});

it("replaces the sort on a plain click and appends with Shift", () => {
  const wind = toggleSort([], "wind", false);
  expect(toggleSort(wind, "name", false)).toEqual([{ column: "name", direction: "asc" }]);
  const both = toggleSort(wind, "name", true);
  expect(both.map((key) => key.column)).toEqual(["wind", "name"]);
  expect(toggleSort(both, "wind", true)).toEqual([
    { column: "wind", direction: "desc" },
    { column: "name", direction: "asc" },
  ]);
  expect(toggleSort(toggleSort(both, "wind", true), "wind", true)).toEqual([{ column: "name", direction: "asc" }]);
});

it("ignores removing a column that is not sorted", () => {
  expect(withSort([], "wind", undefined, true)).toEqual([]);
});
