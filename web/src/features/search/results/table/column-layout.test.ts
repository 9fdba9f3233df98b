import { describe, expect, it } from "vitest";
import {
  adaptLayout,
  isDefaultLayout,
  moveColumn,
  moveColumnBy,
  moveTargetOf,
  defaultLayout,
  withVisible,
  visibleNames,
  withAllHidden,
  withAllShown,
  withHidden,
  withPinned,
  withWidth,
} from "./column-layout.ts";

const names = ["a", "b", "c", "d"];
const initial = defaultLayout(names);

it("[RESULT-26] hides and shows one column without changing its position", () => {
  const hidden = withHidden(initial, "b", true);
  expect(visibleNames(hidden)).toEqual(["a", "c", "d"]);
  expect(visibleNames(withHidden(hidden, "b", false))).toEqual(names);
});

it("[RESULT-23] [RESULT-24] shows and hides every column", () => {
  expect(visibleNames(withAllHidden(initial))).toEqual([]);
  expect(visibleNames(withAllShown(withAllHidden(initial)))).toEqual(names);
});

describe("pinning", () => {
  it("moves a pinned column after other pinned ones, and an unpinned one to the front of the rest", () => {
    const one = withPinned(initial, "c", true);
    expect(one.order).toEqual(["c", "a", "b", "d"]);
    const two = withPinned(one, "a", true);
    expect(two.order).toEqual(["c", "a", "b", "d"]);
    expect(withPinned(two, "c", false).order).toEqual(["a", "c", "b", "d"]);
  });

  it("keeps a moved column within its region", () => {
    const layout = withPinned(initial, "a", true);
    expect(moveColumn(layout, "d", "a").order).toEqual(["a", "d", "b", "c"]);
    expect(moveTargetOf(layout, "a", 1)).toBeUndefined();
    expect(moveTargetOf(layout, "b", -1)).toBeUndefined();
    expect(moveColumnBy(layout, "b", -1)).toBe(layout);
  });
});

describe("moving", () => {
  it("swaps with the visible neighbor, skipping hidden columns", () => {
    const layout = withHidden(initial, "b", true);
    expect(visibleNames(moveColumnBy(layout, "a", 1))).toEqual(["c", "a", "d"]);
    expect(visibleNames(moveColumnBy(layout, "d", -1))).toEqual(["a", "d", "c"]);
  });

  it("stops at the ends", () => {
    expect(moveColumnBy(initial, "a", -1)).toBe(initial);
    expect(moveColumnBy(initial, "d", 1)).toBe(initial);
  });

  it("takes the position of the column it is dropped on, in both directions", () => {
    expect(moveColumn(initial, "a", "c").order).toEqual(["b", "c", "a", "d"]);
    expect(moveColumn(initial, "d", "b").order).toEqual(["a", "d", "b", "c"]);
    expect(moveColumn(initial, "a", "gone")).toBe(initial);
  });
});

it("shows exactly the named columns in their order and keeps the positions of hidden ones", () => {
  const layout = withVisible(initial, ["d", "a", "gone"]);
  expect(visibleNames(layout)).toEqual(["d", "a"]);
  expect(layout.order).toEqual(["d", "b", "c", "a"]);
  expect(visibleNames(withVisible(initial, []))).toEqual([]);
});

it("adapts a stored layout to the current columns", () => {
  const stored = withWidth(withPinned(withHidden(initial, "b", true), "d", true), "a", 200);
  const adapted = adaptLayout(stored, ["a", "c", "e"]);
  expect(adapted).toEqual({ order: ["a", "c", "e"], hidden: new Set(), pinned: new Set(), widths: { a: 200 } });
});

it("recognizes the default layout", () => {
  expect(isDefaultLayout(initial, names)).toBe(true);
  expect(isDefaultLayout(withHidden(initial, "a", true), names)).toBe(false);
  expect(isDefaultLayout(moveColumnBy(initial, "a", 1), names)).toBe(false);
  expect(isDefaultLayout(withWidth(initial, "a", 90), names)).toBe(true);
});

it("clamps widths", () => {
  expect(withWidth(initial, "a", 1).widths).toEqual({ a: 56 });
  expect(withWidth(initial, "a", 99_999).widths).toEqual({ a: 1_200 });
  expect(withWidth(withWidth(initial, "a", 100.4), "a", undefined).widths).toEqual({});
});
