import { ringText } from "@fairway/contract/areas";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import type { SearchDataDraft, SortKey } from "@fairway/contract/search";
import type { GeospatialFilter, SearchFilters, TimeRangeFilter } from "./search-record.ts";

interface Asked {
  datasetDescription: DatasetDescription;
  filters: SearchFilters;
  sort: readonly SortKey[];
}

/** True for a filter that says something: an empty value means "any". */
export const hasValue = (filter: FieldFilter): boolean => (typeof filter.value === "string" ? filter.value.trim() !== "" : true);

/**
 * The body of a search call. Pre-filled filters are applied by the server and not sent; filters without a value say
 * nothing. `paging` goes along only where the dataset pages.
 */
export function searchDataOf({ datasetDescription, filters, sort }: Asked, paging?: { offset: number; max: number }): SearchDataDraft {
  return {
    ...(paging && datasetDescription.features.includes("PAGINATION") ? { paging } : {}),
    ...(filters.timeRange ? { timeRange: isoRange(filters.timeRange) } : {}),
    ...(filters.geospatial ? { geospatial: { polygons: polygonsOf(filters.geospatial), antimeridianPolygons: false } } : {}),
    filters: filters.dynamic
      .filter((filter) => !filter.preFilled && hasValue(filter))
      .map(({ name, value, operator }) => ({ name, value, operator })),
    ...(sort.length > 0 ? { sort: [...sort] } : {}),
  };
}

/** The body of a count over the same search: neither pages nor order matter to it. */
export function countDataOf(asked: Asked): SearchDataDraft {
  return searchDataOf({ ...asked, sort: [] });
}

const polygonsOf = ({ polygons }: GeospatialFilter): string[] => polygons.map(({ points }) => ringText(points));

export function isoRange({ startMs, endMs }: TimeRangeFilter): { start: string; end: string } {
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}
