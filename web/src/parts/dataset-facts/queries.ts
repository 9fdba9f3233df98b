import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

const staleMs = 60_000;

/** The facts of all datasets, by `datasetKey`. */
export const allFactsQuery = queryOptions({
  queryKey: ["datasets", "facts"],
  queryFn: async ({ signal }) => {
    const facts = await call(datasetFactRoutes.facts, { query: {} }, { signal });
    return new Map(facts.map((one) => [datasetKey(one.dataset), one]));
  },
  staleTime: staleMs,
});

/** The facts of one dataset; null if the user may not reach it. */
export const factsQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "facts", category, datasetId],
    queryFn: async ({ signal }) => {
      const [facts = null] = await call(datasetFactRoutes.facts, { query: { datasetCategory: category, datasetId } }, { signal });
      return facts;
    },
    staleTime: staleMs,
  });

export const relationsQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "relations", category, datasetId],
    queryFn: ({ signal }) => call(datasetFactRoutes.relations, { params: { category, datasetId } }, { signal }),
    staleTime: staleMs,
  });
