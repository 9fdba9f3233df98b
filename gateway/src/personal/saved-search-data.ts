import { parseSpan, spanAt } from "@fairway/contract/relative-times";
import type { SavedQuery } from "@fairway/contract/saved-searches";
import type { SearchData } from "@fairway/contract/search";

/** A range of time in epoch milliseconds, both ends inclusive; without an end, it is infinite. */
export interface TimeSpan {
  readonly startMs: number;
  readonly endMs: number;
}

/** The saved search as it is at a given time, in epoch milliseconds. Without order. */
export function searchDataOf({ timeRange, geospatial, filters, computed, lookups }: SavedQuery, nowMs: number): SearchData {
  const span = timeRange?.last === undefined ? undefined : parseSpan(timeRange.last);
  const range = span === undefined ? timeRange : rangeOf(spanAt(span, nowMs));
  return {
    ...(range === undefined
      ? {}
      : {
          timeRange: {
            ...(range.start === undefined ? {} : { start: range.start }),
            ...(range.end === undefined ? {} : { end: range.end }),
          },
        }),
    ...(geospatial === undefined ? {} : { geospatial: { polygons: geospatial.polygons, antimeridianPolygons: false } }),
    filters,
    ...(computed === undefined ? {} : { computed }),
    ...(lookups === undefined ? {} : { lookups }),
  };
}

/** The range of a search with both its ends. */
export const spanOf = ({ start, end }: { readonly start?: string | undefined; readonly end?: string | undefined }): TimeSpan => ({
  startMs: start === undefined ? -Infinity : Date.parse(start),
  endMs: end === undefined ? Infinity : Date.parse(end),
});

/** The range as a search has it. */
export const rangeOf = ({ startMs, endMs }: TimeSpan): NonNullable<SearchData["timeRange"]> => ({
  ...(Number.isFinite(startMs) ? { start: new Date(startMs).toISOString() } : {}),
  ...(Number.isFinite(endMs) ? { end: new Date(endMs).toISOString() } : {}),
});
