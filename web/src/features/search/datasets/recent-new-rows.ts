import { useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { search } from "@fairway/contract/search";
import { newerRows } from "#features/search/results/new-rows/newer-rows.ts";
import { readSeen, searchKeyOf, type SeenRows } from "#features/search/results/new-rows/seen-rows.ts";
import { call } from "#lib/gateway/call.ts";
import { whenIdle } from "#lib/pacing/when-idle.ts";
import { countedAtMs } from "#parts/open-searches/row-count.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";

/** False until the screen has shown what matters more. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  return isIdle;
}

/** Rows of the search that are newer than those of its last run in this browser; 0 while that is unknown. */
export function useNewRows(record: SearchRecord, isIdle: boolean): number {
  const key = useMemo(() => searchKeyOf(record), [record]);
  const seen = useMemo(() => (canHaveNewRows(record) ? readSeen(key) : undefined), [record, key]);
  // A later run that did not look for the newest time, as on the map.
  const isOutdated = seen !== undefined && record.ranMs !== null && record.ranMs > seen.ranMs;
  const { data = 0 } = useQuery({
    queryKey: ["new-rows", "recent", key, seen?.newestMs],
    queryFn: ({ signal }) => (seen ? inTurn(signal, () => countNewer(record, seen, signal)) : 0),
    enabled: isIdle && seen !== undefined && !isOutdated,
    staleTime: 300_000,
    gcTime: 600_000,
    retry: false,
  });
  return seen === undefined || isOutdated ? 0 : data;
}

/** Of datasets whose engine finds the newest rows by their times; never of those that another service computes. */
const canHaveNewRows = ({ isSample, datasetDescription: { assists, features, filterSupport } }: SearchRecord): boolean =>
  !isSample && assists.includes("PROFILE") && features.includes("COUNT") && filterSupport.supportsTimeRange;

async function countNewer(record: SearchRecord, seen: SeenRows, signal: AbortSignal): Promise<number> {
  const { filters, datasetDescription } = record;
  const timeRange = filters.timeRange && rangeAt(filters.timeRange, countedAtMs());
  const body = newerRows({ ...record, filters: { ...filters, timeRange } }, seen, null);
  if (body === null) return 0;
  const params = { category: datasetDescription.category.id, datasetId: datasetDescription.datasetId };
  return (await call(search.rowCount, { params, body }, { signal })).rows ?? 0;
}

let previous: Promise<unknown> = Promise.resolve();

/** After the counts before it: together they never take more than one of the engine's slots. */
function inTurn<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  const result = previous.then(() => {
    signal.throwIfAborted();
    return work();
  });
  previous = result.catch(() => undefined);
  return result;
}
