import { parseRing } from "@fairway/contract/areas";
import { operator } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { parseSpan, spanCode } from "@fairway/contract/relative-times";
import { parseSavedQuery, type SavedQuery } from "@fairway/contract/saved-searches";
import { areaFilter } from "#parts/search-model/area-filter.ts";
import { type FilterSetting, filtersFromSettings } from "#parts/search-model/filter-list.ts";
import { lastRangeOf, timeRangeOf } from "#parts/search-model/time-range.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition, SearchFilters, TimeRangeFilter } from "#parts/search-model/search-record.ts";
import type { LoadedView } from "#features/search/search-form/form-store.ts";

/** What may be saved beside the filters. */
export type SavedPart = "columns" | "sort" | "view";

type Saved = Pick<SearchDefinition, "datasetDescription" | "filters" | "sort" | "visibleColumns" | "viewMode">;

/** The search as the text that is saved: its filters, and of the rest what was asked for. */
export function savedTextOf(search: Saved, parts: ReadonlySet<SavedPart> = new Set()): string {
  const { timeRange, ...said } = searchDataOf({ ...search, sort: [] });
  const { last } = search.filters.timeRange ?? {};
  return JSON.stringify({
    ...(timeRange ? { timeRange: { ...timeRange, ...(last ? { last: spanCode(last) } : {}) } } : {}),
    ...said,
    ...(parts.has("columns") && search.visibleColumns ? { columns: search.visibleColumns } : {}),
    ...(parts.has("sort") && search.sort.length > 0 ? { sort: search.sort } : {}),
    ...(parts.has("view") ? { view: search.viewMode } : {}),
  });
}

/** A saved search in the form of the dataset as it is now, and how its results are shown. */
export interface LoadedSearch {
  filters: SearchFilters;
  view: Omit<LoadedView, "name">;
}

/** Null where the text cannot be read. What the dataset no longer has is left out, and named. */
export function loadedSearch(description: DatasetDescription, text: string, nowMs = Date.now()): LoadedSearch | null {
  const parsed = parseSavedQuery(text);
  if (!("query" in parsed)) return null;
  const { query } = parsed;
  const settings = settingsOf(query);
  if (!settings) return null;
  const { schema, filterSupport } = description;
  const columns = new Set(schema.columns.map(({ name }) => name));
  const fields = new Set([...filterSupport.staticFilters, ...filterSupport.additionalFilters].map(({ name }) => name));
  const isThere = ({ name }: { name: string }) => columns.has(name) || fields.has(name);
  const rings = (query.geospatial?.polygons ?? []).flatMap((polygon) => {
    const ring = parseRing(polygon);
    return "ring" in ring ? [ring.ring] : [];
  });
  const { supportsTimeRange, supportsGeospatial } = filterSupport;
  const shown = (query.columns ?? []).filter((name) => columns.has(name));
  return {
    filters: {
      geospatial: supportsGeospatial ? areaFilter(rings) : null,
      timeRange: query.timeRange && supportsTimeRange ? rangeOf(query.timeRange, nowMs) : null,
      dynamic: filtersFromSettings(description, settings.filter(isThere)),
    },
    view: {
      columns: shown.length > 0 ? shown : null,
      sort: (query.sort ?? []).filter(({ column }) => columns.has(column)),
      mode: query.view ?? null,
      leftOut: [
        ...(query.timeRange && !supportsTimeRange ? ["the time range"] : []),
        ...(rings.length > 0 && !supportsGeospatial ? ["the area"] : []),
        ...settings.filter((setting) => !isThere(setting)).map(({ name, operator: said, value }) => `${name} ${said} ${String(value)}`),
        ...(query.columns ?? []).filter((name) => !columns.has(name)).map((name) => `the column ${name}`),
        ...(query.sort ?? []).filter(({ column }) => !columns.has(column)).map(({ column }) => `the order by ${column}`),
      ],
    },
  };
}

/** Null where an operator is unknown: without one of its filters the search would find more than it was saved for. */
function settingsOf({ filters }: SavedQuery): FilterSetting[] | null {
  const settings = filters.flatMap(({ name, operator: said, value }) => {
    const known = operator.safeParse(said);
    return known.success ? [{ name, operator: known.data, value }] : [];
  });
  return settings.length < filters.length ? null : settings;
}

function rangeOf(range: NonNullable<SavedQuery["timeRange"]>, nowMs: number): TimeRangeFilter | null {
  const last = range.last === undefined ? undefined : parseSpan(range.last);
  if (last) return lastRangeOf(last, nowMs);
  return range.start !== undefined && range.end !== undefined ? timeRangeOf(Date.parse(range.start), Date.parse(range.end)) : null;
}
