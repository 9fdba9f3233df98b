import { parseRing } from "@fairway/contract/areas";
import { everyFilter, type Filter, filter } from "@fairway/contract/filters";
import { readableFilter } from "@fairway/contract/filter-writing";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { parseSpan, spanCode } from "@fairway/contract/relative-times";
import { parseSavedQuery, type SavedQuery } from "@fairway/contract/saved-searches";
import { z } from "zod";
import { areaFilter } from "#parts/search-model/area-filter.ts";
import { filtersFromSettings } from "#parts/search-model/filter-list.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import { isoRange, searchDataOf } from "#parts/search-model/search-data.ts";
import type { GeospatialFilter, SearchDefinition, SearchFilters, TimeRangeFilter } from "#parts/search-model/search-record.ts";
import type { LoadedView } from "#features/search/search-form/form-store.ts";

/** Settings that can be saved in addition to the filters. */
export type SavedPart = "columns" | "sort" | "view";

type SavableSearch = Pick<SearchDefinition, "datasetDescription" | "filters" | "sort" | "visibleColumns" | "viewMode" | "added">;

/** Serializes a search for saving: its filters and the requested further parts. */
export const serializeSearch = (search: SavableSearch, parts: ReadonlySet<SavedPart> = new Set()): string =>
  JSON.stringify(savedQueryOf(search, parts));

/** A search as it is saved: its filters and the requested further parts. A cell of the map is no part of it: `AskAboutCell` asks before. */
export function savedQueryOf(search: SavableSearch, parts: ReadonlySet<SavedPart>) {
  const { timeRange: _range, within: _cell, ...data } = searchDataOf({ ...search, sort: [] });
  return {
    ...(search.filters.timeRange ? { timeRange: savedRangeOf(search.filters.timeRange) } : {}),
    ...data,
    ...(parts.has("columns") && search.visibleColumns ? { columns: [...search.visibleColumns] } : {}),
    ...(parts.has("sort") && search.sort.length > 0 ? { sort: [...search.sort] } : {}),
    ...(parts.has("view") ? { view: search.viewMode } : {}),
  };
}

/** A time range as it is saved. */
export const savedRangeOf = (range: TimeRangeFilter) => ({ ...isoRange(range), ...(range.last ? { last: spanCode(range.last) } : {}) });

/** A saved search adapted to the current dataset, and how its results are shown. */
export interface LoadedSearch {
  filters: SearchFilters;
  view: Omit<LoadedView, "name">;
}

/** The columns that a saved search adds to those of its dataset; none if the text is unreadable. */
export function columnsOfSaved(text: string): SearchColumns {
  const parsed = parseSavedQuery(text);
  return "query" in parsed ? addedBy(parsed.query) : {};
}

const addedBy = ({ computed, lookups }: SavedQuery): SearchColumns => ({ ...(computed && { computed }), ...(lookups && { lookups }) });

/**
 * Null if the text is unreadable. Parts that the dataset no longer has are omitted and named in `leftOut`. The description has the columns
 * that the search adds.
 */
export function loadSavedSearch(description: DatasetDescription, text: string, nowMs = Date.now()): LoadedSearch | null {
  const parsed = parseSavedQuery(text);
  return "query" in parsed ? loadSavedQuery(description, parsed.query, nowMs) : null;
}

/** Like `loadSavedSearch`; null if one of its operators is unknown. */
export function loadSavedQuery(description: DatasetDescription, query: SavedQuery, nowMs: number): LoadedSearch | null {
  const settings = settingsOf(query);
  if (!settings) return null;
  const { schema, filterSupport } = description;
  const { computed, lookups } = query;
  const added = addedBy(query);
  const columns = new Set(
    [...schema.columns, ...(computed ?? []), ...(lookups ?? []).flatMap((lookup) => lookup.columns)].map(({ name }) => name),
  );
  const fields = new Set([...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name));
  const isKnown = ({ name }: { name: string }) => columns.has(name) || fields.has(name);
  const isAvailable = (setting: Filter) => everyFilter([setting]).every(isKnown);
  const area = savedAreaFilter(query.geospatial);
  const { supportsTimeRange, supportsGeospatial } = filterSupport;
  const shown = (query.columns ?? []).filter((name) => columns.has(name));
  return {
    filters: {
      geospatial: supportsGeospatial ? area : null,
      timeRange: query.timeRange && supportsTimeRange ? savedRangeFilter(query.timeRange, nowMs) : null,
      dynamic: filtersFromSettings(description, settings.filter(isAvailable)),
    },
    view: {
      columns: shown.length > 0 ? shown : null,
      sort: (query.sort ?? []).filter(({ column }) => columns.has(column)),
      mode: query.view ?? null,
      ...(Object.keys(added).length === 0 ? {} : { added }),
      leftOut: [
        ...(query.timeRange && !supportsTimeRange ? ["the time range"] : []),
        ...(area !== null && !supportsGeospatial ? ["the area"] : []),
        ...settings.filter((setting) => !isAvailable(setting)).map((setting) => readableFilter(setting)),
        ...(query.columns ?? []).filter((name) => !columns.has(name)).map((name) => `the column ${name}`),
        ...(query.sort ?? []).filter(({ column }) => !columns.has(column)).map(({ column }) => `the order by ${column}`),
      ],
    },
  };
}

/** Null if an operator is unknown: without one of its filters, the search would return more rows than intended. */
function settingsOf({ filters }: SavedQuery): Filter[] | null {
  const parsed = z.array(filter).safeParse(filters);
  return parsed.success ? parsed.data : null;
}

/** A saved area as a filter; null if it has no readable shape. */
export const savedAreaFilter = (area: SavedQuery["geospatial"]): GeospatialFilter | null =>
  areaFilter(
    (area?.polygons ?? []).flatMap((polygon) => {
      const ring = parseRing(polygon);
      return "ring" in ring ? [ring.ring] : [];
    }),
  );

/** A saved time range as a filter, as of `nowMs`. */
export function savedRangeFilter(range: NonNullable<SavedQuery["timeRange"]>, nowMs: number): TimeRangeFilter | null {
  const last = range.last === undefined ? undefined : parseSpan(range.last);
  if (last) return lastRangeOf(last, nowMs);
  const [startMs, endMs] = [range.start, range.end].map((time) => (time === undefined ? null : Date.parse(time)));
  return startMs === null && endMs === null ? null : timeRangeOf(startMs ?? null, endMs ?? null);
}
