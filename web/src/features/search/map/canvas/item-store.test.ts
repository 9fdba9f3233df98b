import { describe, expect, it } from "vitest";
import { ItemStore } from "./item-store.ts";
import type { MapItems } from "./map-canvas.ts";
import { longitudeAt } from "./projection.ts";

/** As [id, latitude, longitude, time]. */
function itemsOf(...rows: [string, number, number, number][]): MapItems {
  return {
    ids: rows.map(([id]) => id),
    latitudes: Float64Array.from(rows, ([, latitude]) => latitude),
    longitudes: Float64Array.from(rows, ([, , longitude]) => longitude),
    timesMs: Float64Array.from(rows, ([, , , timeMs]) => timeMs),
    colours: Uint8Array.from(rows, (_, index) => index % 3),
  };
}

function stored(...rows: [string, number, number, number][]): ItemStore {
  const store = new ItemStore();
  store.set(itemsOf(...rows));
  return store;
}

const idsIn = (store: ItemStore, fromMs: number, toMs: number): string[] => {
  const [from, to] = store.range({ fromMs, toMs });
  return Array.from({ length: to - from }, (_, index) => store.idAt(from + index));
};

describe("the items of the map", () => {
  it("stand by time, whatever their order: those of a window are one stretch, both ends of it included", () => {
    const store = stored(["late", 1, 1, 300], ["early", 2, 2, 100], ["middle", 3, 3, 200]);
    expect([idsIn(store, 0, 1_000), idsIn(store, 100, 200), idsIn(store, 101, 199), idsIn(store, 300, 300)]).toEqual([
      ["early", "middle", "late"],
      ["early", "middle"],
      [],
      ["late"],
    ]);
  });

  it("keep places that are none from being drawn, and the others' ids with their places", () => {
    const store = stored(["no latitude", Number.NaN, 4, 1], ["good", 52, 5, 2], ["beyond", 0, 200, 3], ["pole", 91, 0, 4]);
    expect(store.size).toBe(1);
    expect([store.idAt(0), longitudeAt(store.places[0] ?? 0)]).toEqual(["good", expect.closeTo(5, 5)]);
    expect([store.rankOf("good"), store.rankOf("no latitude"), store.rankOf("never heard of")]).toEqual([0, -1, -1]);
  });

  it("whose time is not known are shown without a window alone", () => {
    const store = stored(["unknown", 1, 1, Number.NaN], ["known", 2, 2, 100], ["unknown too", 3, 3, Number.NaN]);
    expect(store.range(null)).toEqual([0, 3]);
    expect(idsIn(store, -Infinity, Infinity)).toEqual(["known"]);
  });

  it("have their colours wherever time puts them", () => {
    expect([...stored(["a", 0, 0, 3], ["b", 0, 0, 2], ["c", 0, 0, 1]).coloursByRank()]).toEqual([2, 1, 0]);
  });
});
