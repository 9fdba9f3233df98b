import { describe, expect, it } from "vitest";
import { ItemStore } from "./item-store.ts";
import type { MapItems } from "./map-canvas.ts";
import { longitudeAt } from "./projection.ts";

/** Rows are [id, latitude, longitude, time]. */
function itemsOf(...rows: [string, number, number, number][]): MapItems {
  return {
    ids: rows.map(([id]) => id),
    latitudes: Float64Array.from(rows, ([, latitude]) => latitude),
    longitudes: Float64Array.from(rows, ([, , longitude]) => longitude),
    timesMs: Float64Array.from(rows, ([, , , timeMs]) => timeMs),
    colors: Uint8Array.from(rows, (_, index) => index % 3),
  };
}

function createStore(...rows: [string, number, number, number][]): ItemStore {
  const store = new ItemStore();
  store.set(itemsOf(...rows));
  return store;
}

const idsIn = (store: ItemStore, fromMs: number, toMs: number): string[] => {
  const [from, to] = store.range({ fromMs, toMs });
  return Array.from({ length: to - from }, (_, index) => store.idAt(from + index));
};

describe("item store", () => {
  it("sorts items by time, so that a window is one inclusive range", () => {
    const store = createStore(["late", 1, 1, 300], ["early", 2, 2, 100], ["middle", 3, 3, 200]);
    expect([idsIn(store, 0, 1_000), idsIn(store, 100, 200), idsIn(store, 101, 199), idsIn(store, 300, 300)]).toEqual([
      ["early", "middle", "late"],
      ["early", "middle"],
      [],
      ["late"],
    ]);
  });

  it("excludes invalid coordinates and keeps ids aligned with positions", () => {
    const store = createStore(["no latitude", Number.NaN, 4, 1], ["good", 52, 5, 2], ["beyond", 0, 200, 3], ["pole", 91, 0, 4]);
    expect(store.size).toBe(1);
    expect([store.idAt(0), longitudeAt(store.positions[0] ?? 0)]).toEqual(["good", expect.closeTo(5, 5)]);
    expect([store.rankOf("good"), store.rankOf("no latitude"), store.rankOf("never heard of")]).toEqual([0, -1, -1]);
  });

  it("includes items without a time only if there is no window", () => {
    const store = createStore(["unknown", 1, 1, Number.NaN], ["known", 2, 2, 100], ["unknown too", 3, 3, Number.NaN]);
    expect(store.range(null)).toEqual([0, 3]);
    expect(idsIn(store, -Infinity, Infinity)).toEqual(["known"]);
  });

  it("keeps colors aligned after sorting by time", () => {
    expect([...createStore(["a", 0, 0, 3], ["b", 0, 0, 2], ["c", 0, 0, 1]).colorsByRank()]).toEqual([2, 1, 0]);
  });
});
