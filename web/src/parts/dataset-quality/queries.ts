import { datasetQualities, type DatasetQuality } from "@fairway/contract/dataset-quality";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

type Qualities = ReadonlyMap<string, DatasetQuality>;

const none: Qualities = new Map();

const qualitiesQuery = queryOptions({
  queryKey: ["datasets", "quality"],
  queryFn: async ({ signal }): Promise<Qualities> => {
    const qualities = await call(datasetQualities.list, {}, { signal });
    return new Map(qualities.map((one) => [datasetKey(one.dataset), one]));
  },
});

/** By `datasetKey`: the datasets with issues. Empty until they are loaded, and if loading fails. */
export const useQualities = (): Qualities => useQuery(qualitiesQuery).data ?? none;

export const qualityQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "quality", category, datasetId],
    queryFn: ({ signal }) => call(datasetQualities.read, { params: { category, datasetId } }, { signal }),
  });
