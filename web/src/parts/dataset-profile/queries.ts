import { queryOptions } from "@tanstack/react-query";
import { loadInPlace } from "#lib/chunk-load.ts";

const pollMs = 2_000;

/** Loaded with the first call: screens are shown before it. */
const loadCalls = () => loadInPlace(() => import("./calls.ts"));

/** The profile of a dataset. Polls while it is being computed. */
export const profileQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "profile", category, datasetId] as const,
    queryFn: async ({ signal }) => (await loadCalls()).readProfile({ category, datasetId }, signal),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? pollMs : false),
  });
