import { isUnsupported, messagesOf } from "#lib/gateway-error.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { findRecord, patchRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { MapResults, SearchRecord } from "#parts/open-searches/search-record.ts";
import { fetchItems } from "./map-calls.ts";
import { mapFieldsOf, timeIn } from "./map-fields.ts";
import { dropPaths, searchesWithPaths } from "./path-sessions.ts";
import { ageEndMs } from "./stale-age.ts";

/** Requests on their way. */
const itemRuns = new Map<string, AbortController>();

/** Asks for the newest row of every item, unless they are there or on their way. */
export function loadItems(searchId: string): void {
  const record = findRecord(searchId);
  if (!record || record.mapResults.loadingData) return;
  itemRuns.get(searchId)?.abort();
  const run = new AbortController();
  itemRuns.set(searchId, run);
  const isCurrent = () => itemRuns.get(searchId) === run;
  patchMap(searchId, { loadingData: true, startedMs: Date.now(), errorLoading: false, errors: [], isCancelled: false });
  fetchItems(record, run.signal).then(
    ({ rows, truncated }) => {
      if (!isCurrent()) return;
      patchMap(searchId, { items: rows, isCut: truncated, endTimeMs: endTimeOf(record, rows), loadingData: false, startedMs: null });
    },
    (error: unknown) => {
      if (!isCurrent()) return;
      const isUnmappable = isUnsupported(error);
      patchMap(searchId, { loadingData: false, startedMs: null, errorLoading: true, isUnmappable, errors: messagesOf(error) });
    },
  );
}

export function cancelItems(searchId: string): void {
  itemRuns.get(searchId)?.abort();
  itemRuns.delete(searchId);
  patchMap(searchId, { loadingData: false, startedMs: null, isCancelled: true });
}

export const setItemFilter = (searchId: string, itemFilter: string): void => patchMap(searchId, { itemFilter });

function patchMap(searchId: string, change: Partial<MapResults>): void {
  const record = findRecord(searchId);
  if (record) patchRecord(searchId, { mapResults: { ...record.mapResults, ...change } });
}

function endTimeOf(record: SearchRecord, rows: NonNullable<MapResults["items"]>): number {
  const fields = mapFieldsOf(record.datasetDescription);
  let newestMs: number | null = null;
  for (const row of rows) {
    const timeMs = fields && timeIn(row, fields);
    if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
  }
  return ageEndMs({ rangeEndMs: record.filters.timeRange?.endMs ?? null, newestMs, nowMs: Date.now(), ...currentLimits() });
}

// A search that was closed, or asked anew, keeps nothing: neither rows nor requests.
useOpenSearches.subscribe(({ records }) => {
  for (const searchId of new Set([...itemRuns.keys(), ...searchesWithPaths()])) {
    const map = records.find(({ id }) => id === searchId)?.mapResults;
    if (map && (map.loadingData || map.items !== null || map.errorLoading)) continue;
    itemRuns.get(searchId)?.abort();
    itemRuns.delete(searchId);
    dropPaths(searchId);
  }
});
