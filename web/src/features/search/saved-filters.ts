import { parseRing } from "@fairway/contract/areas";
import { operator } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { parseSavedQuery, type SavedQuery } from "@fairway/contract/saved-searches";
import { areaFilter } from "#parts/area/area-filter.ts";
import { filtersWith } from "#parts/filters/filter-list.ts";
import { timeRangeOf } from "#parts/filters/time-text.ts";
import { searchDataOf } from "#parts/open-searches/search-data.ts";
import type { SearchFilters, TimeRangeFilter } from "#parts/open-searches/search-record.ts";

/** The filters as the text that is saved. */
export const savedTextOf = (datasetDescription: DatasetDescription, filters: SearchFilters): string =>
  JSON.stringify(searchDataOf({ datasetDescription, filters, sort: [] }));

/** The filters of a saved text, in the form of the dataset as it is now. Null where the text cannot be read. */
export function filtersOfSaved(description: DatasetDescription, text: string, nowMs = Date.now()): SearchFilters | null {
  const parsed = parseSavedQuery(text);
  if (!("query" in parsed)) return null;
  const { timeRange, geospatial, filters } = parsed.query;
  const settings = filters.flatMap(({ name, operator: said, value }) => {
    const known = operator.safeParse(said);
    return known.success ? [{ name, operator: known.data, value }] : [];
  });
  // Without one of its filters the search would find more than it was saved for.
  if (settings.length < filters.length) return null;
  const rings = (geospatial?.polygons ?? []).flatMap((polygon) => {
    const ring = parseRing(polygon);
    return "ring" in ring ? [ring.ring] : [];
  });
  return {
    geospatial: areaFilter(rings),
    timeRange: timeRange ? rangeOf(timeRange, nowMs) : null,
    dynamic: filtersWith(description, settings),
  };
}

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

function rangeOf(range: NonNullable<SavedQuery["timeRange"]>, nowMs: number): TimeRangeFilter {
  if ("start" in range) return timeRangeOf(Date.parse(range.start), Date.parse(range.end));
  const span = Number(range.last.slice(0, -1)) * (unitMs[range.last.slice(-1)] ?? 0);
  return timeRangeOf(nowMs - span, nowMs);
}
