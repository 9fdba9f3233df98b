import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { Box } from "@fairway/contract/grid-cells";
import type { LastSpan } from "@fairway/contract/relative-times";
import type { ResultRow, SortKey } from "@fairway/contract/search";
import type { ViewMode } from "@fairway/contract/search-address";
import type { FormFilter } from "./form-filter.ts";
import type { SearchSlices } from "./search-extensions.ts";

/** UTC, in whole seconds unless it was narrowed to steps of a playback; an end that is null is open, and at most one is. `text` is the summary that panels show. */
export interface TimeRangeFilter {
  startMs: number | null;
  endMs: number | null;
  text: string;
  /** Present for a relative range; start and end are those of the last run. */
  last?: LastSpan | undefined;
}

export interface GeospatialFilter {
  polygons: readonly { id: string; points: readonly { lat: number; lng: number }[] }[];
  text: string;
}

/** A cell of the map that was chosen there: its box, and the summary that panels show. */
export interface CellFilter {
  readonly box: Box;
  readonly text: string;
}

export interface SearchFilters {
  geospatial: GeospatialFilter | null;
  /** Narrows besides the area. Only of searches that run: forms, saved searches and boards have none. */
  within?: CellFilter | undefined;
  timeRange: TimeRangeFilter | null;
  /** Static, additional and pre-filled filters in display order; empty ones are not sent. */
  dynamic: readonly FormFilter[];
}

/** Definition of a search. Survives a reload and is part of the address; the rows are not. */
export interface SearchDefinition {
  /** Part of the address `/search/{id}`; unique even among searches on the same dataset. */
  readonly id: string;
  /** Start time in epoch milliseconds. */
  readonly timestamp: number;
  readonly datasetDescription: DatasetDescription;
  readonly isSample: boolean;
  filters: SearchFilters;
  sort: readonly SortKey[];
  /** Column names in display order; null for those that the dataset shows at first, in its order. */
  visibleColumns: readonly string[] | null;
  viewMode: ViewMode;
  /** Columns that the search adds to those of its dataset. */
  readonly added?: SearchColumns | undefined;
  /** State of the result views. */
  slices: SearchSlices;
}

/** One open search: its definition and its state. */
export interface SearchRecord extends SearchDefinition {
  /** Number of runs in this tab. Data loaded by a view belongs to one run. */
  run: number;
  isSearching: boolean;
  /** A page after the first is loading. */
  isLoadingMore: boolean;
  /** The user stopped the first page before it arrived. */
  isCancelled: boolean;
  /** Messages of the failure, or null. A failed page keeps the loaded rows. */
  searchError: readonly string[] | null;
  countError: readonly string[] | null;
  results: readonly ResultRow[] | null;
  /** Null when unknown, -1 while loading. */
  totalResultCount: number | null;
  /** Offset of the last loaded page. */
  currentOffset: number;
  /** The last page was short, or the total was reached. */
  allLoaded: boolean;
  /** The server truncated an unpaged response. */
  truncated: boolean;
  /** When the latest run in this tab began; null before. */
  ranMs: number | null;
  /** Start of the running request, and duration of the last one. */
  startedMs: number | null;
  elapsedMs: number | null;
}

/** `new`: not run yet in this tab, as after a reload. */
export type SearchPhase = "new" | "searching" | "results" | "failed" | "cancelled";

export function phaseOf(record: SearchRecord): SearchPhase {
  if (record.isSearching) return "searching";
  if (record.results !== null) return "results";
  if (record.searchError !== null) return "failed";
  return record.isCancelled ? "cancelled" : "new";
}

/** A record that has not run yet. */
export function newRecord(definition: SearchDefinition): SearchRecord {
  return { ...definition, run: 0, ...emptyResults() };
}

/** The state of a record before a run. */
export function emptyResults(): Omit<SearchRecord, keyof SearchDefinition | "run"> {
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
    ranMs: null,
    startedMs: null,
    elapsedMs: null,
  };
}
