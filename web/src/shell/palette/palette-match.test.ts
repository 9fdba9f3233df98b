import { expect, it } from "vitest";
import { matchItems, type PaletteItem, splitLabel } from "./palette-match.ts";

const items: PaletteItem[] = [
  { id: "1", group: "Datasets", label: "brainstorm", detail: "Work" },
  { id: "2", group: "Datasets", label: "storm-tracks", detail: "Tropical weather" },
  { id: "3", group: "Datasets", label: "gulf-storms", detail: "Tropical weather" },
  { id: "4", group: "Actions", label: "Logout" },
];
const match = (query: string, maxPerGroup = 10) =>
  matchItems(items, query, maxPerGroup).map(({ name, items }) => [name, items.map(({ id }) => id)]);

it("ranks the start of a name before the start of a word, and both before the middle", () => {
  expect(match("storm")).toEqual([["Datasets", ["2", "3", "1"]]]);
});

it("requires every word, in the name or in the detail", () => {
  expect(match("tropical gulf")).toEqual([["Datasets", ["3"]]]);
  expect(match("storm nothing")).toEqual([]);
});

it("shows the first items of every group for an empty query", () => {
  expect(match(" ", 2)).toEqual([
    ["Datasets", ["1", "2"]],
    ["Actions", ["4"]],
  ]);
});

it("marks the typed text, including special characters", () => {
  expect(splitLabel("C++ (c+)", "c+")).toEqual([
    { text: "C+", isMatch: true },
    { text: "+ (", isMatch: false },
    { text: "c+", isMatch: true },
    { text: ")", isMatch: false },
  ]);
});
