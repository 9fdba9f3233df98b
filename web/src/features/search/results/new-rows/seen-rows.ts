import { spanCode } from "@fairway/contract/relative-times";
import { z } from "zod";
import { readLocal, writeLocal } from "#lib/local-storage.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** What the last run of a search found. */
export interface SeenRows {
  /** Time of its newest row, in epoch milliseconds. */
  readonly newestMs: number;
  readonly ranMs: number;
}

const maxSearches = 100;
const stored = z.record(z.string(), z.object({ newestMs: z.number(), ranMs: z.number() }));
const storageKey = (username: string): string => `fairway.seen.${encodeURIComponent(username)}`;

/** The same for the same dataset, filters and range; a relative range is the same whenever it runs. */
export function searchKeyOf(record: SearchRecord): string {
  const { datasetDescription, filters } = record;
  const { timeRange, ...search } = countDataOf(record);
  const range = filters.timeRange?.last ? spanCode(filters.timeRange.last) : (timeRange ?? null);
  return hashOf(JSON.stringify([datasetDescription.category.id, datasetDescription.datasetId, range, search]));
}

export const readSeen = (username: string, key: string): SeenRows | undefined => allSeen(username)[key];

/** Forgets the searches that ran longest ago. */
export function writeSeen(username: string, key: string, seen: SeenRows): void {
  const { [key]: _, ...others } = allSeen(username);
  const entries = [[key, seen] as const, ...Object.entries(others)].toSorted(([, a], [, b]) => b.ranMs - a.ranMs);
  writeLocal(storageKey(username), JSON.stringify(Object.fromEntries(entries.slice(0, maxSearches))));
}

function allSeen(username: string): Readonly<Record<string, SeenRows>> {
  const parsed = stored.safeParse(parseJson(readLocal(storageKey(username)) ?? "{}"));
  return parsed.success ? parsed.data : {};
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
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
