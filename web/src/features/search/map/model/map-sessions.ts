import { isUnsupported, messagesOf } from "#lib/gateway/gateway-error.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { fetchItems } from "./map-calls.ts";
import { mapFieldsOf, timeOf } from "./map-fields.ts";
import { type MapResults, mapResultsOf, onMapResultsChanged, patchMapResults } from "./map-results.ts";
import { dropPaths, searchesWithPaths } from "./path-sessions.ts";
import { ageEndMs } from "./item-age.ts";

/** Running requests by search. */
const itemRuns = new Map<string, AbortController>();

/** Loads the newest row of every item, unless a request is already running. */
export function loadItems(searchId: string): void {
  const record = findRecord(searchId);
  if (!record || mapResultsOf(record).loadingData) return;
  itemRuns.get(searchId)?.abort();
  const run = new AbortController();
  itemRuns.set(searchId, run);
  const isCurrent = () => itemRuns.get(searchId) === run;
  patchMapResults(searchId, { loadingData: true, startedMs: Date.now(), errorLoading: false, errors: [], isCancelled: false });
  fetchItems(record, run.signal).then(
    ({ rows, truncated }) => {
      if (!isCurrent()) return;
      patchMapResults(searchId, { items: rows, isCut: truncated, endTimeMs: endTimeOf(record, rows), loadingData: false, startedMs: null });
    },
    (error: unknown) => {
      if (!isCurrent()) return;
      const isUnmappable = isUnsupported(error);
      patchMapResults(searchId, { loadingData: false, startedMs: null, errorLoading: true, isUnmappable, errors: messagesOf(error) });
    },
  );
}

export function cancelItems(searchId: string): void {
  itemRuns.get(searchId)?.abort();
  itemRuns.delete(searchId);
  patchMapResults(searchId, { loadingData: false, startedMs: null, isCancelled: true });
}

export const setItemFilter = (searchId: string, itemFilter: string): void => patchMapResults(searchId, { itemFilter });

function endTimeOf(record: SearchRecord, rows: NonNullable<MapResults["items"]>): number {
  const fields = mapFieldsOf(record.datasetDescription);
  let newestMs: number | null = null;
  for (const row of rows) {
    const timeMs = fields && timeOf(row, fields);
    if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
  }
  return ageEndMs({ rangeEndMs: record.filters.timeRange?.endMs ?? null, newestMs, nowMs: Date.now(), ...currentLimits() });
}

// Abort requests and drop paths of searches that were closed or run again.
function releaseClosed(): void {
  for (const searchId of new Set([...itemRuns.keys(), ...searchesWithPaths()])) {
    const record = findRecord(searchId);
    const map = record && mapResultsOf(record);
    if (map && (map.loadingData || map.items !== null || map.errorLoading)) continue;
    itemRuns.get(searchId)?.abort();
    itemRuns.delete(searchId);
    dropPaths(searchId);
  }
}
useOpenSearches.subscribe(releaseClosed);
onMapResultsChanged(releaseClosed);
