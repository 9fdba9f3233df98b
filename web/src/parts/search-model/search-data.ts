import { ringText } from "@fairway/contract/areas";
import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import type { SearchDataDraft, SortKey, TimeRange } from "@fairway/contract/search";
import { type FormFilter, isCompared, settingOf } from "./form-filter.ts";
import type { GeospatialFilter, SearchFilters, TimeRangeFilter } from "./search-record.ts";

interface SearchRequest {
  datasetDescription: DatasetDescription;
  filters: SearchFilters;
  sort: readonly SortKey[];
  added?: SearchColumns | undefined;
}

/** `wind >= 64`, or `wind is empty` where the value is null. */
export const conditionText = (name: string, operator: string, value: string | null): string =>
  value === null ? `${name} ${operator === "=" ? "is empty" : "is not empty"}` : `${name} ${operator} ${value}`;

/** False for a comparison with an empty text, which means "any". Null asks for rows without a value, or with one. */
export const hasValue = (filter: FormFilter): boolean =>
  !isCompared(filter) || typeof filter.value !== "string" || filter.value.trim() !== "";

/**
 * The body of a search call. Filters without a value are omitted, and so are pre-filled ones, which the server applies itself.
 * `paging` is sent only for datasets that support it.
 */
export function searchDataOf(
  { datasetDescription, filters, sort, added }: SearchRequest,
  paging?: { offset: number; max: number },
): SearchDataDraft {
  return {
    ...(paging && datasetDescription.features.includes("PAGINATION") ? { paging } : {}),
    ...(filters.timeRange ? { timeRange: isoRange(filters.timeRange) } : {}),
    ...(filters.geospatial ? { geospatial: { polygons: polygonsOf(filters.geospatial), antimeridianPolygons: false } } : {}),
    ...(filters.within ? { within: [...filters.within.box] } : {}),
    filters: filters.dynamic.filter((filter) => !filter.preFilled && hasValue(filter)).map(settingOf),
    ...(sort.length > 0 ? { sort: [...sort] } : {}),
    ...added,
  };
}

/** The body of a count over the same search, without paging and order. */
export function countDataOf(request: SearchRequest): SearchDataDraft {
  return searchDataOf({ ...request, sort: [] });
}

const polygonsOf = ({ polygons }: GeospatialFilter): string[] => polygons.map(({ points }) => ringText(points));

export const isoRange = ({ startMs, endMs }: Pick<TimeRangeFilter, "startMs" | "endMs">): TimeRange => ({
  ...(startMs === null ? {} : { start: new Date(startMs).toISOString() }),
  ...(endMs === null ? {} : { end: new Date(endMs).toISOString() }),
});
