import { firstAfter, firstNotBefore } from "#lib/time/sorted-times.ts";
import type { MapItems, TimeWindow } from "./map-canvas.ts";
import { isValidPosition, projectedX, projectedY } from "./projection.ts";

export const emptyItems: MapItems = {
  ids: [],
  latitudes: new Float64Array(),
  longitudes: new Float64Array(),
  timesMs: new Float64Array(),
  colors: new Uint8Array(),
};

/**
 * Items with valid coordinates, sorted by time: a time window is a contiguous range, and the newest items are drawn last
 * and thus on top. The index in this order is an item's rank.
 */
export class ItemStore {
  #items = emptyItems;
  #timed = 0;
  #sortedTimes = new Float64Array();
  #rankById: Map<string, number> | null = null;
  /** By rank, the index in the arrays passed to `set`. */
  order = new Uint32Array();
  /** By rank, projected x and y. */
  positions = new Int32Array();

  set(items: MapItems): void {
    const { latitudes, longitudes, timesMs } = items;
    const order = new Uint32Array(items.ids.length);
    let count = 0;
    for (let index = 0; index < order.length; index++) {
      if (isValidPosition(latitudes[index] ?? Number.NaN, longitudes[index] ?? Number.NaN)) order[count++] = index;
    }
    this.order = order.subarray(0, count);
    if (!areSorted(this.order, timesMs)) {
      // Unknown times are sorted last, outside of every window.
      this.order.sort((a, b) => (timesMs[a] ?? 0) - (timesMs[b] ?? 0) || unknownLast(timesMs[a] ?? 0, timesMs[b] ?? 0));
    }
    this.#sortedTimes = Float64Array.from(this.order, (index) => timesMs[index] ?? Number.NaN);
    this.#timed = count;
    while (this.#timed > 0 && Number.isNaN(this.#sortedTimes[this.#timed - 1])) this.#timed -= 1;
    this.positions = new Int32Array(2 * count);
    for (let rank = 0; rank < count; rank++) {
      const index = this.order[rank] ?? 0;
      this.positions[2 * rank] = projectedX(longitudes[index] ?? 0);
      this.positions[2 * rank + 1] = projectedY(latitudes[index] ?? 0);
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

  /** Empty if the items have no names. */
  nameAt(rank: number): string {
    return this.#items.names?.[this.order[rank] ?? 0] ?? "";
  }

  latitudeAt(rank: number): number {
    return this.#items.latitudes[this.order[rank] ?? 0] ?? 0;
  }

  longitudeAt(rank: number): number {
    return this.#items.longitudes[this.order[rank] ?? 0] ?? 0;
  }

  /** -1 if the item is unknown or has no valid coordinates. */
  rankOf(id: string): number {
    if (this.#rankById === null) {
      this.#rankById = new Map();
      for (let rank = 0; rank < this.size; rank++) this.#rankById.set(this.idAt(rank), rank);
    }
    return this.#rankById.get(id) ?? -1;
  }

  /** The range of ranks within the window; `to` is exclusive. */
  range(window: TimeWindow | null): [from: number, to: number] {
    if (window === null) return [0, this.size];
    return [firstNotBefore(this.#sortedTimes, window.fromMs, 0, this.#timed), firstAfter(this.#sortedTimes, window.toMs, 0, this.#timed)];
  }

  /** Colors ordered by rank. */
  colorsByRank(colors: Uint8Array = this.#items.colors): Uint8Array {
    const byRank = new Uint8Array(this.order.length);
    for (let rank = 0; rank < byRank.length; rank++) byRank[rank] = colors[this.order[rank] ?? 0] ?? 0;
    return byRank;
  }
}

const unknownLast = (a: number, b: number): number => Number(Number.isNaN(a)) - Number(Number.isNaN(b));

function areSorted(order: Uint32Array, timesMs: Float64Array): boolean {
  for (let rank = 1; rank < order.length; rank++) {
    // NaN compares false, so unknown times count as unsorted.
    if (!((timesMs[order[rank - 1] ?? 0] ?? 0) <= (timesMs[order[rank] ?? 0] ?? 0))) return false;
  }
  return true;
}
