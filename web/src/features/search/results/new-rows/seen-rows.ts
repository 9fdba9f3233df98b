import { recordOf } from "@fairway/contract/records";
import { spanCode } from "@fairway/contract/relative-times";
import { z } from "zod";
import { rememberInBrowser } from "#lib/browser/browser-memory.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Rows that the last run of a search found. */
export interface SeenRows {
  /** Time of its newest row, in epoch milliseconds. */
  readonly newestMs: number;
  readonly ranMs: number;
}

const maxSearches = 100;
const stored = recordOf(z.string(), z.object({ newestMs: z.number(), ranMs: z.number() }));
type Seen = Readonly<Record<string, SeenRows>>;

let seenRows: Seen = {};
const store = rememberInBrowser("seen", {
  restore: (state) => {
    seenRows = stored.safeParse(state).data ?? {};
  },
  forget: () => {
    seenRows = {};
  },
});

/** The same for the same dataset, filters and range; a relative range is the same whenever it runs. */
export function searchKeyOf(record: SearchRecord): string {
  const { datasetDescription, filters } = record;
  const { timeRange, ...search } = countDataOf(record);
  const range = filters.timeRange?.last ? spanCode(filters.timeRange.last) : (timeRange ?? null);
  return hashOf(JSON.stringify([datasetDescription.category.id, datasetDescription.datasetId, range, search]));
}

export const readSeen = (key: string): SeenRows | undefined => seenRows[key];

/** Forgets the searches that ran longest ago. */
export function writeSeen(key: string, seen: SeenRows): void {
  const { [key]: _, ...others } = seenRows;
  const entries = [[key, seen] as const, ...Object.entries(others)].toSorted(([, a], [, b]) => b.ranMs - a.ranMs);
  seenRows = Object.fromEntries(entries.slice(0, maxSearches));
  store(seenRows);
}

/** 53 bits: short, and keeps what people searched for out of the storage. */
function hashOf(text: string): string {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36);
}
