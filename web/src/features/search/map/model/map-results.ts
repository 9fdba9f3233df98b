import type { ResultRow } from "@fairway/contract/search";
import { create } from "zustand";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

export interface MapResults {
  /** The newest row of each item; null until they came. */
  items: readonly ResultRow[] | null;
  /** There were more items than the operator lets one answer hold. */
  isCut: boolean;
  /** What ages are measured against. */
  endTimeMs: number | null;
  loadingData: boolean;
  /** When the running request began. */
  startedMs: number | null;
  errorLoading: boolean;
  /** The server cannot put these results on a map. */
  isUnmappable: boolean;
  /** The server's reasons, where loading failed. */
  errors: readonly string[];
  /** The person stopped them before they came. */
  isCancelled: boolean;
  itemFilter: string;
}

/** What the map loaded of one run of a search: another run begins without it. */
const useStore = create<{ readonly bySearch: ReadonlyMap<string, MapResults & { readonly run: number }> }>(() => ({ bySearch: new Map() }));

const nothingYet: MapResults = {
  items: null,
  isCut: false,
  endTimeMs: null,
  loadingData: false,
  startedMs: null,
  errorLoading: false,
  isUnmappable: false,
  errors: [],
  isCancelled: false,
  itemFilter: "",
};

export function useMapResults({ id, run }: SearchRecord): MapResults {
  const known = useStore(({ bySearch }) => bySearch.get(id));
  return known?.run === run ? known : nothingYet;
}

export function mapResultsOf({ id, run }: SearchRecord): MapResults {
  const known = useStore.getState().bySearch.get(id);
  return known?.run === run ? known : nothingYet;
}

export function patchMapResults(searchId: string, change: Partial<MapResults>): void {
  const record = findRecord(searchId);
  if (!record) return;
  const results = { ...mapResultsOf(record), ...change, run: record.run };
  useStore.setState(({ bySearch }) => ({ bySearch: new Map(bySearch).set(searchId, results) }));
}

/** Calls back after results of the map changed. */
export const onMapResults = (listener: () => void): (() => void) => useStore.subscribe(listener);

// A search that was closed or run again keeps nothing.
useOpenSearches.subscribe(({ records }) => {
  const { bySearch } = useStore.getState();
  const kept = [...bySearch].filter(([id, { run }]) => records.some((record) => record.id === id && record.run === run));
  if (kept.length < bySearch.size) useStore.setState({ bySearch: new Map(kept) });
});
