import type { BoardPanel } from "@fairway/contract/boards";
import { type Column, shownAtFirst } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { columnsNamed } from "#parts/search-model/columns-named.ts";
import { newRecord, type SearchRecord, type TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { rangeAt, timeRangeOf } from "#parts/search-model/time-range.ts";
import { loadSavedQuery } from "#features/search/saved-searches/saved-search-text.ts";
import type { MapItemList } from "#features/search/map/model/map-items.ts";
import { encodeViewState, initialViewState } from "#features/search/map/model/map-view-state.ts";
import { choiceOf } from "#features/search/map/model/mark-choice.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { type SearchSlices, withSlice } from "#parts/search-model/search-extensions.ts";
import type { Narrowing } from "#parts/search-model/search-address.ts";

/** A panel that searches a dataset. */
export type SearchPanel = Exclude<BoardPanel, { kind: "text" | "hidden" }>;

/** The search of a panel on its board. */
export interface PanelSearch {
  readonly record: SearchRecord;
  /** Filters of the board that do not apply, such as `area doesn't apply`. */
  readonly notes: readonly string[];
  /** Whether the time ranges of board and panel have nothing in common, so that there is nothing to search. */
  readonly isOutside: boolean;
}

/**
 * The search of a panel, narrowed by what its board shares: to the common part of both time ranges, and to the board's area unless
 * the panel has its own. Null if its query cannot be read.
 */
export function panelSearch(panel: SearchPanel, description: DatasetDescription, shared: Narrowing, nowMs: number): PanelSearch | null {
  const loaded = loadSavedQuery(description, panel.query, nowMs);
  if (loaded === null) return null;
  const { filters, view } = loaded;
  const { supportsTimeRange, supportsGeospatial } = description.filterSupport;
  const boardRange = shared.timeRange && supportsTimeRange ? rangeAt(shared.timeRange, nowMs) : null;
  const timeRange = commonRange(filters.timeRange, boardRange);
  const notes = [
    ...(shared.timeRange && !supportsTimeRange ? ["time range doesn’t apply"] : []),
    ...(shared.geospatial && !supportsGeospatial ? ["area doesn’t apply"] : []),
    ...(shared.geospatial && filters.geospatial ? ["has its own area"] : []),
    ...view.leftOut.map((part) => `without ${part}`),
  ];
  return {
    record: newRecord({
      id: panel.id,
      timestamp: nowMs,
      datasetDescription: description,
      isSample: false,
      filters: {
        ...filters,
        timeRange: timeRange === "none" ? filters.timeRange : timeRange,
        geospatial: filters.geospatial ?? (supportsGeospatial ? shared.geospatial : null),
      },
      sort: view.sort,
      visibleColumns: view.columns,
      ...(view.added === undefined ? {} : { added: view.added }),
      viewMode: panel.kind === "map" ? "map" : "table",
      slices: panel.kind === "map" ? mapSlices(panel, description) : {},
    }),
    notes,
    isOutside: timeRange === "none",
  };
}

/** The map of the panel's rows opens as the panel shows them. */
function mapSlices(panel: Extract<SearchPanel, { kind: "map" }>, description: DatasetDescription): SearchSlices {
  const { colorBy, sizeBy, show, tracks = null, rows = {}, view = null } = panel;
  const chosen = choiceOf({ colorColumn: colorBy ?? null, sizeColumn: sizeBy ?? null }, description);
  const state = { ...initialViewState, ...chosen, showsRows: show === "rows", tracks, rows, view };
  return withSlice({}, mapExtension, encodeViewState(state, description.mapView));
}

/** The common part of two ranges; one of them alone if the other is missing; `none` if they have nothing in common. */
function commonRange(own: TimeRangeFilter | null, board: TimeRangeFilter | null): TimeRangeFilter | "none" | null {
  if (own === null || board === null) return own ?? board;
  const startMs = Math.max(own.startMs ?? -Infinity, board.startMs ?? -Infinity);
  const endMs = Math.min(own.endMs ?? Infinity, board.endMs ?? Infinity);
  if (startMs > endMs) return "none";
  // A range that the other one does not narrow keeps its words, and stays relative.
  for (const range of [own, board]) if ((range.startMs ?? -Infinity) === startMs && (range.endMs ?? Infinity) === endMs) return range;
  return timeRangeOf(finite(startMs), finite(endMs));
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** The time as of which a map shows its items: the end of its range, or else the newest item. */
export const shownTimeMs = ({ filters, timestamp }: SearchRecord, { newestMs }: Pick<MapItemList, "newestMs">): number =>
  filters.timeRange?.endMs ?? newestMs ?? timestamp;

/** The columns that a panel shows: those of its search, in their order, or all. */
export function shownColumns({ datasetDescription, visibleColumns }: SearchRecord): readonly Column[] {
  const { columns } = datasetDescription.schema;
  return visibleColumns === null ? shownAtFirst(columns) : columnsNamed(columns, visibleColumns);
}
