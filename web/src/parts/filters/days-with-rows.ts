import type { DatasetDescription } from "@fairway/contract/datasets";
import { distributions } from "@fairway/contract/distributions";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { TimeRange } from "@fairway/contract/search";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { isoDay } from "#lib/time/dates.ts";

const dayMs = 86_400_000;

/** A calendar shows up to this many days of the months before and after. */
const daysAround = 6;

const none: ReadonlySet<string> = new Set();

/**
 * The days (`YYYY-MM-DD`) with rows among those of some months, by the dataset's own filters. None while they are loading, or if
 * the dataset or the time does not allow to count them: the calendar works without.
 */
export function useDaysWithRows(dataset: DatasetDescription | null, firstMonth: string, months: number): ReadonlySet<string> {
  const timeRange = rangeShown(firstMonth, months);
  const params = { category: dataset?.category.id ?? "", datasetId: dataset?.datasetId ?? "" };
  const { data = none } = useQuery({
    queryKey: ["days-with-rows", params.category, params.datasetId, timeRange],
    queryFn: async ({ signal }) => {
      const body = { ...(timeRange && { timeRange }), byDay: true };
      const { buckets } = await call(distributions.overTime, { params, body }, { signal });
      return new Set(buckets.flatMap(({ startMs, rows }) => (rows > 0 ? [isoDay(startMs) ?? ""] : [])));
    },
    enabled: timeRange !== null && dataset !== null && canCount(dataset),
    // Days stay right while those of the next months load.
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data;
}

const canCount = ({ assists, filterSupport }: DatasetDescription): boolean =>
  assists.includes("PROFILE") && missingFilterHint(filterSupport, { filters: [], timeRange: true, area: false }) === null;

/** Null beyond the years that a search can have. */
function rangeShown(firstMonth: string, months: number): TimeRange | null {
  if (!/^\d{4}-/.test(firstMonth)) return null;
  const first = new Date(`${firstMonth.slice(0, 7)}-01T00:00:00Z`);
  const startMs = first.getTime() - daysAround * dayMs;
  const endMs = new Date(first).setUTCMonth(first.getUTCMonth() + months) + daysAround * dayMs - 1;
  return { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() };
}
