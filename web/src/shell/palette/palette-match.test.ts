import { expect, it } from "vitest";
import { marked, matching, type PaletteItem } from "./palette-match.ts";

const items: PaletteItem[] = [
  { id: "1", group: "Datasets", label: "brainstorm", detail: "Work" },
  { id: "2", group: "Datasets", label: "storm-tracks", detail: "Tropical weather" },
  { id: "3", group: "Datasets", label: "gulf-storms", detail: "Tropical weather" },
  { id: "4", group: "Actions", label: "Logout" },
];
const found = (query: string, most = 10) => matching(items, query, most).map(({ name, items }) => [name, items.map(({ id }) => id)]);

it("puts the beginning of a name before the beginning of a word, and both before the middle", () => {
  expect(found("storm")).toEqual([["Datasets", ["2", "3", "1"]]]);
});

it("wants every word, in the name or beside it", () => {
  expect(found("tropical gulf")).toEqual([["Datasets", ["3"]]]);
  expect(found("storm nothing")).toEqual([]);
});

it("shows the first of every group while nothing is typed", () => {
  expect(found(" ", 2)).toEqual([
    ["Datasets", ["1", "2"]],
    ["Actions", ["4"]],
  ]);
});

it("marks what was typed, whatever signs it has", () => {
  expect(marked("C++ (c+)", "c+")).toEqual([
    { text: "C+", hit: true },
    { text: "+ (", hit: false },
    { text: "c+", hit: true },
    { text: ")", hit: false },
  ]);
});
