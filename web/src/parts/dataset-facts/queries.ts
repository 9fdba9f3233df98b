import { datasetKey } from "@fairway/contract/datasets";
import { queryOptions } from "@tanstack/react-query";
import { loadInPlace } from "#lib/chunk-load.ts";

const staleMs = 60_000;

/** Loaded with the first call: screens are shown before it. */
const loadCalls = () => loadInPlace(() => import("./calls.ts"));

/** The facts of all datasets, by `datasetKey`. */
export const allFactsQuery = queryOptions({
  queryKey: ["datasets", "facts"],
  queryFn: async ({ signal }) => {
    const facts = await (await loadCalls()).readAllFacts(signal);
    return new Map(facts.map((one) => [datasetKey(one.dataset), one]));
  },
  staleTime: staleMs,
});

/** The facts of one dataset; null if the user may not reach it. */
export const factsQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "facts", category, datasetId],
    queryFn: async ({ signal }) => (await loadCalls()).readFacts({ category, datasetId }, signal),
    staleTime: staleMs,
  });

export const relationsQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "relations", category, datasetId],
    queryFn: async ({ signal }) => (await loadCalls()).readRelations({ category, datasetId }, signal),
    staleTime: staleMs,
  });
