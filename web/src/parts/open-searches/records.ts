import { create } from "zustand";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

interface OpenSearchesState {
  /** Newest first. */
  readonly records: readonly SearchRecord[];
}

export const useOpenSearches = create<OpenSearchesState>(() => ({ records: [] }));

/** One open search, or undefined. */
export const useSearchRecord = (id: string): SearchRecord | undefined =>
  useOpenSearches((state) => state.records.find((record) => record.id === id));

/** The current record; undefined once it is closed. */
export function findRecord(id: string): SearchRecord | undefined {
  return useOpenSearches.getState().records.find((record) => record.id === id);
}

export function patchRecord(id: string, change: Partial<SearchRecord>): void {
  useOpenSearches.setState(({ records }) => {
    const index = records.findIndex((record) => record.id === id);
    const record = records[index];
    return record ? { records: records.with(index, { ...record, ...change }) } : {};
  });
}
