import { describe, expect, it } from "vitest";
import {
  fitted,
  isPlain,
  moved,
  movedBy,
  neighbour,
  plainLayout,
  showing,
  visibleNames,
  withAllHidden,
  withAllShown,
  withHidden,
  withPinned,
  withWidth,
} from "./column-layout.ts";

const names = ["a", "b", "c", "d"];
const plain = plainLayout(names);

it("[RESULT-26] hides and shows one column and keeps its place", () => {
  const hidden = withHidden(plain, "b", true);
  expect(visibleNames(hidden)).toEqual(["a", "c", "d"]);
  expect(visibleNames(withHidden(hidden, "b", false))).toEqual(names);
});

it("[RESULT-23] [RESULT-24] shows and hides every column", () => {
  expect(visibleNames(withAllHidden(plain))).toEqual([]);
  expect(visibleNames(withAllShown(withAllHidden(plain)))).toEqual(names);
});

describe("pinning", () => {
  it("moves a column behind the other pinned ones and back to the front of the rest", () => {
    const one = withPinned(plain, "c", true);
    expect(one.order).toEqual(["c", "a", "b", "d"]);
    const two = withPinned(one, "a", true);
    expect(two.order).toEqual(["c", "a", "b", "d"]);
    expect(withPinned(two, "c", false).order).toEqual(["a", "c", "b", "d"]);
  });

  it("keeps a moved column on its side", () => {
    const layout = withPinned(plain, "a", true);
    expect(moved(layout, "d", "a").order).toEqual(["a", "d", "b", "c"]);
    expect(neighbour(layout, "a", 1)).toBeUndefined();
    expect(neighbour(layout, "b", -1)).toBeUndefined();
    expect(movedBy(layout, "b", -1)).toBe(layout);
  });
});

describe("moving", () => {
  it("changes places with the visible neighbour, over hidden ones", () => {
    const layout = withHidden(plain, "b", true);
    expect(visibleNames(movedBy(layout, "a", 1))).toEqual(["c", "a", "d"]);
    expect(visibleNames(movedBy(layout, "d", -1))).toEqual(["a", "d", "c"]);
  });

  it("stops at the ends", () => {
    expect(movedBy(plain, "a", -1)).toBe(plain);
    expect(movedBy(plain, "d", 1)).toBe(plain);
  });

  it("takes the place of the column it is dropped on, in both directions", () => {
    expect(moved(plain, "a", "c").order).toEqual(["b", "c", "a", "d"]);
    expect(moved(plain, "d", "b").order).toEqual(["a", "d", "b", "c"]);
    expect(moved(plain, "a", "gone")).toBe(plain);
  });
});

it("shows exactly the named columns in their order; hidden ones keep their places", () => {
  const layout = showing(plain, ["d", "a", "gone"]);
  expect(visibleNames(layout)).toEqual(["d", "a"]);
  expect(layout.order).toEqual(["d", "b", "c", "a"]);
  expect(visibleNames(showing(plain, []))).toEqual([]);
});

it("fits a kept layout to the columns of today", () => {
  const kept = withWidth(withPinned(withHidden(plain, "b", true), "d", true), "a", 200);
  const today = fitted(kept, ["a", "c", "e"]);
  expect(today).toEqual({ order: ["a", "c", "e"], hidden: new Set(), pinned: new Set(), widths: { a: 200 } });
});

it("knows the dataset's own order", () => {
  expect(isPlain(plain, names)).toBe(true);
  expect(isPlain(withHidden(plain, "a", true), names)).toBe(false);
  expect(isPlain(movedBy(plain, "a", 1), names)).toBe(false);
  expect(isPlain(withWidth(plain, "a", 90), names)).toBe(true);
});

it("keeps widths between what can be read and what can be seen", () => {
  expect(withWidth(plain, "a", 1).widths).toEqual({ a: 56 });
  expect(withWidth(plain, "a", 99_999).widths).toEqual({ a: 1_200 });
  expect(withWidth(withWidth(plain, "a", 100.4), "a", undefined).widths).toEqual({});
});
