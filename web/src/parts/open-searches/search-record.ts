import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import type { CellValue, ResultRow, SortKey } from "@fairway/contract/search";

export type ViewMode = "table" | "raw" | "map" | "graphs";

/** Whole seconds, UTC. `text` is the summary that panels show. */
export interface TimeRangeFilter {
  startMs: number;
  endMs: number;
  text: string;
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

export interface MapResults {
  items: readonly ResultRow[];
  endTimeMs: number | null;
  loadingData: boolean;
  errorLoading: boolean;
  itemFilter: string;
}

/** One open search: what was asked, and what came of it. */
export interface SearchRecord {
  /** Part of the address `/search/{id}`; unique per search, also for a second one on the same dataset. */
  readonly id: string;
  /** When it was started, epoch milliseconds. */
  readonly timestamp: number;
  readonly datasetDescription: DatasetDescription;
  readonly isSample: boolean;
  filters: SearchFilters;
  sort: readonly SortKey[];
  isSearching: boolean;
  /** A page after the first is on its way. */
  isLoadingMore: boolean;
  /** The messages of the failure; null when none. A failed page keeps the rows that are there. */
  searchError: readonly string[] | null;
  countError: readonly string[] | null;
  results: readonly ResultRow[] | null;
  /** Null unknown, -1 while it loads. */
  totalResultCount: number | null;
  currentOffset: number;
  /** The last page was short, or the total is reached. */
  allLoaded: boolean;
  /** The server cut an answer that is not paged. */
  truncated: boolean;
  /** Names in their order; null: every column in the dataset's order. */
  visibleColumns: readonly string[] | null;
  viewMode: ViewMode;
  graphs: readonly never[];
  mapResults: MapResults;
  /** When the running request began, and how long the last one took. */
  startedMs: number | null;
  elapsedMs: number | null;
}

export type { CellValue, ResultRow };
