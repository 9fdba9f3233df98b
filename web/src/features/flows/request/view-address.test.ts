import { expect, it } from "vitest";
import { readView, shownView, startView, viewInMode, viewOf, viewSearch } from "./view-address.ts";

const nothing = { mode: "single", view: "text", iteration: null, base: null, line: null, component: null } as const;

it.each([
  [{}, startView],
  [{ mode: "single" }, nothing],
  [
    { mode: "diff", iteration: "4", base: "2" },
    { ...nothing, mode: "diff", iteration: 4, base: 2 },
  ],
  [
    { mode: "diff", base: "accepted", view: "drawing" },
    { ...nothing, mode: "diff", base: "accepted", view: "drawing" },
  ],
  [
    { view: "checks", iteration: "2" },
    { ...nothing, view: "checks", iteration: 2 },
  ],
  [
    { iteration: "3", line: "45" },
    { ...nothing, iteration: 3, line: 45 },
  ],
  [
    { component: "p-1", view: "drawing" },
    { ...nothing, component: "p-1", view: "drawing" },
  ],
])("%j is read, and written the same way", (search, view) => {
  expect(readView(search)).toEqual(view);
  expect(viewSearch(readView(search))).toEqual(search);
});

it.each([
  { mode: "both", view: "picture", iteration: "0", base: "-1", line: "1e3", component: "" },
  { iteration: "01", base: "9999999999", line: " 4" },
  { mode: 1, iteration: 4, base: null, line: {}, component: ["p"] },
])("unknown values of %j are ignored", (search) => {
  expect(readView(search)).toEqual(nothing);
});

it("the view that a request opens on is written without a query", () => {
  expect(readView({ mode: "diff", base: "accepted", view: "changes" })).toEqual(startView);
  expect(viewSearch(startView)).toEqual({});
});

it("the base is not written in single mode, where nothing is compared", () => {
  expect(viewSearch({ ...nothing, base: 2 })).toEqual({ mode: "single" });
  expect(viewSearch({ ...nothing, iteration: 2, base: 1 })).toEqual({ iteration: "2" });
});

it.each([
  [nothing, 4, { iteration: 4, base: 3 }],
  [nothing, 1, { iteration: 1, base: "accepted" }],
  [{ ...nothing, iteration: 2 }, 4, { iteration: 2, base: 1 }],
  [{ ...nothing, iteration: 2, base: 4 }, 4, { iteration: 2, base: 4 }],
  [{ ...nothing, iteration: 2, base: 2 }, 4, { iteration: 2, base: 1 }],
  [{ ...nothing, iteration: 9, base: 8 }, 4, { iteration: 4, base: 3 }],
  [{ ...nothing, iteration: 1, base: "accepted" as const }, 4, { iteration: 1, base: "accepted" }],
])("%j of %i iterations shows iterations that exist, and never one compared with itself", (address, newest, shown) => {
  expect(shownView(address, newest)).toMatchObject(shown);
});

it.each([
  ["single", "checks", "checks"],
  ["single", "changes", "text"],
  ["single", "drawing", "text"],
  ["diff", "checks", "text"],
  ["diff", "changes", "changes"],
  ["diff", "drawing", "drawing"],
] as const)("in %s mode, the view %s shows %s", (mode, view, shown) => {
  expect(viewOf({ mode, view })).toBe(shown);
});

it("a request opens on its changes against the accepted state; a text without components on itself", () => {
  expect(shownView(startView, 3)).toMatchObject({ mode: "diff", view: "changes", iteration: 3, base: "accepted" });
  expect(viewInMode("diff", "json")).toEqual({ mode: "diff", view: "changes", base: "accepted" });
  expect(viewInMode("diff", "xml")).toMatchObject({ view: "changes" });
  expect(viewInMode("diff", "yaml")).toMatchObject({ view: "text" });
  expect(viewInMode("diff", "unknown")).toMatchObject({ view: "text" });
});
