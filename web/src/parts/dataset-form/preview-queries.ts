import { missingFilters, type SearchCriteria } from "@fairway/contract/required-filters";
import { type ResultRow, search } from "@fairway/contract/search";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import type { DatasetDraft } from "./dataset-draft.ts";

const previewRows = 200;
const nothing: SearchCriteria = { filters: [], timeRange: false, area: false };

/** The first rows of a dataset as its readers find them, or a sample where a search needs more to be given. */
export const previewQuery = ({ category, id: datasetId, features, filterSupport }: DatasetDraft) =>
  queryOptions({
    queryKey: ["datasets", "preview", category, datasetId],
    queryFn: async ({ signal }): Promise<readonly ResultRow[]> => {
      const params = { category, datasetId };
      if (!features.includes("PAGINATION") || missingFilters(filterSupport, nothing).length > 0) {
        return (await call(search.sample, { params }, { signal })).results;
      }
      const body = { filters: [], paging: { offset: 0, max: previewRows } };
      return (await call(search.run, { params, body }, { signal })).results;
    },
    staleTime: 60_000,
    gcTime: 60_000,
    retry: false,
  });
