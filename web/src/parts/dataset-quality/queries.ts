import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { loadInPlace } from "#lib/chunk-load.ts";

/** Loaded with the first call: screens are shown before it. */
const loadQualityCalls = () => loadInPlace(() => import("./calls.ts"));

type Qualities = ReadonlyMap<string, DatasetQuality>;

const none: Qualities = new Map();

const qualitiesQuery = queryOptions({
  queryKey: ["datasets", "quality"],
  queryFn: async ({ signal }): Promise<Qualities> => {
    const qualities = await (await loadQualityCalls()).readQualities(signal);
    return new Map(qualities.map((one) => [datasetKey(one.dataset), one]));
  },
});

/** By `datasetKey`: the datasets with issues. Empty until they are loaded, and if loading fails. */
export const useQualities = (): Qualities => useQuery(qualitiesQuery).data ?? none;

export const qualityQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "quality", category, datasetId],
    queryFn: async ({ signal }) => (await loadQualityCalls()).readQuality({ category, datasetId }, signal),
  });
