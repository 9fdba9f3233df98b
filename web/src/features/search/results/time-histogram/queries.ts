import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { askOverTime } from "#features/search/results/distributions/calls.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Rows of a search over time. Waits for its first rows, which it must not delay. */
export function timeDistributionQuery(record: SearchRecord) {
  const { id, datasetDescription, isSearching, results, run } = record;
  const { category, datasetId } = datasetDescription;
  const search = countDataOf(record);
  return queryOptions({
    // By run: a later one of the same search may find other rows.
    queryKey: ["time-distribution", category.id, datasetId, search, id, run],
    queryFn: ({ signal }) => askOverTime(record, signal),
    enabled: !isSearching && results !== null && results.length > 0,
    // The old bars stay until those of the next run arrive.
    placeholderData: keepPreviousData,
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });
}
