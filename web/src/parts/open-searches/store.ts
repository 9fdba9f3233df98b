import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SortKey } from "@fairway/contract/search";
import type { SearchFilters, SearchRecord, ViewMode } from "./search-record.ts";

/**
 * The open searches of this tab. Definitions survive a reload (session storage); rows are asked for again.
 * Every action that runs a search drops the one still running for the same record.
 */
export interface OpenSearches {
  /** Newest first. */
  readonly records: readonly SearchRecord[];
  /** Makes a record, runs it (page and count side by side) and answers its id. */
  start(description: DatasetDescription, filters: SearchFilters, options: { isSample: boolean; sort?: readonly SortKey[] }): string;
  /** Clears results, count, offset, map results and graphs, then searches again. */
  rerun(id: string): void;
  /** The next page, appended. */
  loadMore(id: string): void;
  /** Stops what is running; the rows that are there stay. */
  cancel(id: string): void;
  /** Removes the record and remembers that this tab closed it. */
  close(id: string): void;
  sortBy(id: string, sort: readonly SortKey[]): void;
  /** New filters run the search anew. */
  setFilters(id: string, filters: SearchFilters): void;
  setVisibleColumns(id: string, names: readonly string[] | null): void;
  setViewMode(id: string, mode: ViewMode): void;
}
