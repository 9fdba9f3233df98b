import { breakdowns } from "@fairway/contract/breakdowns";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { Asked } from "@fairway/contract/charts/asked";

/** The answer to a summary of a search, with totals. */
export function summaryQuery(record: SearchRecord, asked: Asked) {
  const { id, run, datasetDescription } = record;
  const params = { category: datasetDescription.category.id, datasetId: datasetDescription.datasetId };
  const body = { ...asked, search: countDataOf(record), totals: true };
  return queryOptions({
    // By run: a later one of the same search may find other rows.
    queryKey: ["breakdown", params, id, run, body],
    queryFn: ({ signal }) => call(breakdowns.run, { params, body }, { signal }),
    staleTime: Infinity,
    gcTime: 300_000,
    retry: false,
  });
}
