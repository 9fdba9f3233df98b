import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

const pollMs = 2_000;

/** The profile of a dataset. Polls while it is being computed. */
export const profileQuery = (category: string, datasetId: string) =>
  queryOptions({
    queryKey: ["datasets", "profile", category, datasetId] as const,
    queryFn: ({ signal }) => call(datasetProfiles.read, { params: { category, datasetId } }, { signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => (state.data?.state === "running" ? pollMs : false),
  });
