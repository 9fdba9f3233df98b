import { type SearchDataDraft, search } from "@fairway/contract/search";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** How many rows a search would find: an extra, whose failure is silent. */
export const rowCountQuery = (params: { category: string; datasetId: string }, body: SearchDataDraft) =>
  queryOptions({
    queryKey: ["row-count", params.category, params.datasetId, body] as const,
    queryFn: ({ signal }) => call(search.rowCount, { params, body }, { signal }),
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });

/** End of relative ranges in such a count: whole minutes, so that the same filters are the same query. */
export const countedAtMs = (): number => Math.floor(Date.now() / 60_000) * 60_000;
