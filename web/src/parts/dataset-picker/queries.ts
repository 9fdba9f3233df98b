import { type DatasetDescription, datasets } from "@fairway/contract/datasets";
import { favoriteDatasets } from "@fairway/contract/favorites";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The access list: each category with the datasets that this user may access. */
export const datasetsQuery = queryOptions({
  queryKey: ["datasets"],
  queryFn: ({ signal }) => call(datasets.list, {}, { signal }),
});

/** The gateway computes a time extent in the background and leaves it out until then, as it does for datasets without rows. */
const extentPollMs = 5_000;
const maxExtentPolls = 12;

const mayGetExtent = ({ timeExtent, filterSupport }: DatasetDescription) => timeExtent === null && filterSupport.supportsTimeRange;

export const describeRoot = ["datasets", "describe"] as const;

/** A dataset's description, cached for the lifetime of the page. While it is shown without its time extent, it is read again. */
export const describeQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: [...describeRoot, category, datasetId],
    queryFn: ({ signal }) => call(datasets.describe, { params: { category, datasetId } }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data !== undefined && mayGetExtent(data) && dataUpdateCount <= maxExtentPolls ? extentPollMs : false,
  });

export const favoritesQuery = queryOptions({
  queryKey: ["favorite", "datasets"],
  queryFn: ({ signal }) => call(favoriteDatasets.list, {}, { signal }),
});
