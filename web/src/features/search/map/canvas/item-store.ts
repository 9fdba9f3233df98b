import { firstAfter, firstNotBefore } from "#lib/sorted-times.ts";
import type { MapItems, TimeWindow } from "./map-canvas.ts";
import { isPlace, projectedX, projectedY } from "./projection.ts";

export const noItems: MapItems = {
  ids: [],
  latitudes: new Float64Array(),
  longitudes: new Float64Array(),
  timesMs: new Float64Array(),
  colours: new Uint8Array(),
};

/** The items that have a place, by time: those of a window stand side by side, the newest last and so on top. Its places in that order are ranks. */
export class ItemStore {
  #items = noItems;
  #timed = 0;
  #sortedTimes = new Float64Array();
  #rankById: Map<string, number> | null = null;
  /** By rank, the place in the arrays that were given. */
  order = new Uint32Array();
  /** By rank, x and y. */
  places = new Int32Array();

  set(items: MapItems): void {
    const { latitudes, longitudes, timesMs } = items;
    const order = new Uint32Array(items.ids.length);
    let count = 0;
    for (let index = 0; index < order.length; index++) {
      if (isPlace(latitudes[index] ?? Number.NaN, longitudes[index] ?? Number.NaN)) order[count++] = index;
    }
    this.order = order.subarray(0, count);
    if (!areSorted(this.order, timesMs)) {
      // Times that are not known come last, where no window reaches.
      this.order.sort((a, b) => (timesMs[a] ?? 0) - (timesMs[b] ?? 0) || unknownLast(timesMs[a] ?? 0, timesMs[b] ?? 0));
    }
    this.#sortedTimes = Float64Array.from(this.order, (index) => timesMs[index] ?? Number.NaN);
    this.#timed = count;
    while (this.#timed > 0 && Number.isNaN(this.#sortedTimes[this.#timed - 1])) this.#timed -= 1;
    this.places = new Int32Array(2 * count);
    for (let rank = 0; rank < count; rank++) {
      const index = this.order[rank] ?? 0;
      this.places[2 * rank] = projectedX(longitudes[index] ?? 0);
      this.places[2 * rank + 1] = projectedY(latitudes[index] ?? 0);
    }
    this.#items = items;
    this.#rankById = null;
  }

  get size(): number {
    return this.order.length;
  }

  idAt(rank: number): string {
    return this.#items.ids[this.order[rank] ?? 0] ?? "";
  }

  latitudeAt(rank: number): number {
    return this.#items.latitudes[this.order[rank] ?? 0] ?? 0;
  }

  longitudeAt(rank: number): number {
    return this.#items.longitudes[this.order[rank] ?? 0] ?? 0;
  }

  /** -1: the item is not there, or has no place. */
  rankOf(id: string): number {
    if (this.#rankById === null) {
      this.#rankById = new Map();
      for (let rank = 0; rank < this.size; rank++) this.#rankById.set(this.idAt(rank), rank);
    }
    return this.#rankById.get(id) ?? -1;
  }

  /** The ranks within the window, the last one excluded. */
  range(window: TimeWindow | null): [from: number, to: number] {
    if (window === null) return [0, this.size];
    return [firstNotBefore(this.#sortedTimes, window.fromMs, 0, this.#timed), firstAfter(this.#sortedTimes, window.toMs, 0, this.#timed)];
  }

  /** The colours by rank. */
  coloursByRank(colours: Uint8Array = this.#items.colours): Uint8Array {
    const byRank = new Uint8Array(this.order.length);
    for (let rank = 0; rank < byRank.length; rank++) byRank[rank] = colours[this.order[rank] ?? 0] ?? 0;
    return byRank;
  }
}

const unknownLast = (a: number, b: number): number => Number(Number.isNaN(a)) - Number(Number.isNaN(b));

function areSorted(order: Uint32Array, timesMs: Float64Array): boolean {
  for (let rank = 1; rank < order.length; rank++) {
    // Also false where one is not known.
    if (!((timesMs[order[rank - 1] ?? 0] ?? 0) <= (timesMs[order[rank] ?? 0] ?? 0))) return false;
  }
  return true;
}
