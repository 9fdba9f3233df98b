import { datasets } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The access list: each category with the datasets that this user may access. */
export const datasetsQuery = queryOptions({
  queryKey: ["datasets"],
  queryFn: ({ signal }) => call(datasets.list, {}, { signal }),
});

/** A dataset's description, cached for the lifetime of the page. */
export const describeQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "describe", category, datasetId],
    queryFn: ({ signal }) => call(datasets.describe, { params: { category, datasetId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });

export const favoritesQuery = queryOptions({
  queryKey: ["favorite", "datasets"],
  queryFn: ({ signal }) => call(favoriteDatasets.list, {}, { signal }),
});
