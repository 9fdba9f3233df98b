import type { GridTotals } from "@fairway/contract/grid";
import type { ResultRow } from "@fairway/contract/search";
import { create } from "zustand";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

export interface MapResults {
  /** The newest row of each item; null until loaded. */
  items: readonly ResultRow[] | null;
  /** The operator's limit per answer cut the items off. */
  isCut: boolean;
  /** The time that ages are measured against. */
  endTimeMs: number | null;
  loadingData: boolean;
  /** Start of the running request. */
  startedMs: number | null;
  errorLoading: boolean;
  /** The server cannot put these results on a map. */
  isUnmappable: boolean;
  /** The server's messages if loading failed. */
  errors: readonly string[];
  /** The person canceled loading. */
  isCancelled: boolean;
  itemFilter: string;
  /** Counted rows while the map shows all of them; null otherwise. */
  rowsOnMap: Pick<GridTotals, "rows" | "placed"> | null;
}

/** Map results per search and run; a new run starts empty. */
const useStore = create<{ readonly bySearch: ReadonlyMap<string, MapResults & { readonly run: number }> }>(() => ({ bySearch: new Map() }));

const emptyResults: MapResults = {
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
  rowsOnMap: null,
};

export function useMapResults({ id, run }: SearchRecord): MapResults {
  const entry = useStore(({ bySearch }) => bySearch.get(id));
  return entry?.run === run ? entry : emptyResults;
}

export function mapResultsOf({ id, run }: SearchRecord): MapResults {
  const entry = useStore.getState().bySearch.get(id);
  return entry?.run === run ? entry : emptyResults;
}

export function patchMapResults(searchId: string, patch: Partial<MapResults>): void {
  const record = findRecord(searchId);
  if (!record) return;
  const results = { ...mapResultsOf(record), ...patch, run: record.run };
  useStore.setState(({ bySearch }) => ({ bySearch: new Map(bySearch).set(searchId, results) }));
}

/** Calls the listener after every change of map results. */
export const onMapResultsChanged = (listener: () => void): (() => void) => useStore.subscribe(listener);

// Drop the results of searches that were closed or run again.
useOpenSearches.subscribe(({ records }) => {
  const { bySearch } = useStore.getState();
  const current = [...bySearch].filter(([id, { run }]) => records.some((record) => record.id === id && record.run === run));
  if (current.length < bySearch.size) useStore.setState({ bySearch: new Map(current) });
});
