import { flowDeployments } from "@fairway/contract/flow-deployments";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

const root = "flow-deployments";

/** The deployments of all iterations of a flow, newest first. Administrators only. */
export const deploymentsQuery = (flowId: number) =>
  queryOptions({
    queryKey: [root, "flow", flowId],
    queryFn: ({ signal }) => call(flowDeployments.ofFlow, { params: { flowId } }, { signal }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  });

/** The enabled environments, by display name. */
export const deployEnvironmentsQuery = queryOptions({
  queryKey: [root, "environments"],
  queryFn: ({ signal }) => call(flowDeployments.environments, {}, { signal }),
  staleTime: 0,
});

/** The flows that run in each environment, as far as the user may know. */
export const deploymentOverviewQuery = queryOptions({
  queryKey: [root, "overview"],
  queryFn: ({ signal }) => call(flowDeployments.overview, {}, { signal }),
  staleTime: 0,
  refetchOnWindowFocus: true,
});

/** Reads what runs where again, also in the timeline of requests. */
export const reloadDeployments = (): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries({ queryKey: [root] }), queryClient.invalidateQueries({ queryKey: ["flow-requests"] })]);
