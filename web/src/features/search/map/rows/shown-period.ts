import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchFilters, TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { rangeText } from "#parts/search-model/time-range.ts";

/** The steps that a playback shows. */
export interface ShownPeriod {
  readonly startMs: number;
  /** Where the next step begins. */
  readonly endMs: number;
  /** "2005 to 2008". */
  readonly text: string;
}

/** The dataset can be searched for a part of its time. */
export const canNarrowToPeriod = ({ filterSupport }: Pick<DatasetDescription, "filterSupport">): boolean => filterSupport.supportsTimeRange;

/** The time range of a search within a period, to the millisecond: the rows of its steps. */
export function rangeWithin(own: TimeRangeFilter | null, period: ShownPeriod): TimeRangeFilter {
  const startMs = Math.max(own?.startMs ?? Number.NEGATIVE_INFINITY, period.startMs);
  const endMs = Math.min(own?.endMs ?? Number.POSITIVE_INFINITY, period.endMs - 1);
  // A range that the period does not narrow keeps its words, and stays relative.
  if (own !== null && startMs === own.startMs && endMs === own.endMs) return own;
  return { startMs, endMs, text: rangeText({ startMs, endMs }) };
}

/** The filters of a search within a period; the same ones without it. */
export const filtersWithin = (filters: SearchFilters, period: ShownPeriod | null): SearchFilters =>
  period === null ? filters : { ...filters, timeRange: rangeWithin(filters.timeRange, period) };
