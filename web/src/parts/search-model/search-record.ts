import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import type { LastSpan } from "@fairway/contract/relative-times";
import type { ResultRow, SortKey } from "@fairway/contract/search";
import type { SearchSlices } from "./search-extensions.ts";

export type ViewMode = "table" | "raw" | "map" | "graphs";
export const viewModes: readonly ViewMode[] = ["table", "raw", "map", "graphs"];

/** Whole seconds, UTC. `text` is the summary that panels show. */
export interface TimeRangeFilter {
  startMs: number;
  endMs: number;
  text: string;
  /** The range follows the clock: start and end are what it was when the search last ran. */
  last?: LastSpan | undefined;
}

export interface GeospatialFilter {
  polygons: readonly { id: string; points: readonly { lat: number; lng: number }[] }[];
  text: string;
}

export interface SearchFilters {
  geospatial: GeospatialFilter | null;
  timeRange: TimeRangeFilter | null;
  /** Static, additional and pre-filled filters in their order; ones with an empty value are not sent. */
  dynamic: readonly FieldFilter[];
}

/** What was asked. Survives a reload and travels in an address; the rows do not. */
export interface SearchDefinition {
  /** Part of the address `/search/{id}`; unique per search, also for a second one on the same dataset. */
  readonly id: string;
  /** When it was started, epoch milliseconds. */
  readonly timestamp: number;
  readonly datasetDescription: DatasetDescription;
  readonly isSample: boolean;
  filters: SearchFilters;
  sort: readonly SortKey[];
  /** Names in their order; null: every column in the dataset's order. */
  visibleColumns: readonly string[] | null;
  viewMode: ViewMode;
  /** What the views of the results keep of it. */
  slices: SearchSlices;
}

/** One open search: what was asked, and what came of it. */
export interface SearchRecord extends SearchDefinition {
  /** How often it was run in this tab: what a view loaded belongs to one run. */
  run: number;
  isSearching: boolean;
  /** A page after the first is on its way. */
  isLoadingMore: boolean;
  /** The person stopped the first page before it came. */
  isCancelled: boolean;
  /** The messages of the failure; null when none. A failed page keeps the rows that are there. */
  searchError: readonly string[] | null;
  countError: readonly string[] | null;
  results: readonly ResultRow[] | null;
  /** Null unknown, -1 while it loads. */
  totalResultCount: number | null;
  /** Offset of the last page that came. */
  currentOffset: number;
  /** The last page was short, or the total is reached. */
  allLoaded: boolean;
  /** The server cut an answer that is not paged. */
  truncated: boolean;
  /** When the running request began, and how long the last one took. */
  startedMs: number | null;
  elapsedMs: number | null;
}

/** Where a search is in its life. `new`: not asked yet in this tab, as after a reload. */
export type SearchPhase = "new" | "searching" | "results" | "failed" | "cancelled";

export function phaseOf(record: SearchRecord): SearchPhase {
  if (record.isSearching) return "searching";
  if (record.results !== null) return "results";
  if (record.searchError !== null) return "failed";
  return record.isCancelled ? "cancelled" : "new";
}

/** A record that nothing has been asked for yet. */
export function newRecord(definition: SearchDefinition): SearchRecord {
  return { ...definition, run: 0, ...nothingYet() };
}

/** The part of a record that a run fills, empty: what Rerun starts from. */
export function nothingYet(): Omit<SearchRecord, keyof SearchDefinition | "run"> {
  return {
    isSearching: false,
    isLoadingMore: false,
    isCancelled: false,
    searchError: null,
    countError: null,
    results: null,
    totalResultCount: null,
    currentOffset: 0,
    allLoaded: false,
    truncated: false,
    startedMs: null,
    elapsedMs: null,
  };
}
