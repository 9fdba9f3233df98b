import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { type OwnDataset, ownDatasets } from "@fairway/contract/own-datasets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** Datasets that users have brought: those of the user, those shared with the user, and the room that is left. */
export const ownDataQuery = queryOptions({
  queryKey: ["own-datasets"],
  queryFn: ({ signal }) => call(ownDatasets.list, {}, { signal }),
  staleTime: 30_000,
});

/** Own and shared datasets by `datasetKey`. Empty until they are loaded, and if that fails: screens show ids then. */
export function useOwnDatasets(): ReadonlyMap<string, OwnDataset> {
  const { data } = useQuery(ownDataQuery);
  return useMemo(() => new Map((data?.datasets ?? []).map((dataset) => [datasetKey(dataset), dataset])), [data]);
}

/** The title of an own dataset, or the id of any dataset. */
export const titleOf = (own: ReadonlyMap<string, OwnDataset>, dataset: DatasetRef): string =>
  own.get(datasetKey(dataset))?.title || dataset.datasetId;

/** Reads again what lists datasets, after one came, changed or went. */
export async function refreshDatasets(): Promise<void> {
  await Promise.all([queryClient.invalidateQueries(ownDataQuery), queryClient.invalidateQueries({ queryKey: ["datasets"] })]);
}
