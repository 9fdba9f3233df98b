import { flows } from "@fairway/contract/flows";
import { QueryObserver, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { useFlowMembership } from "#lib/screens/flow-membership.ts";
import { logFailure } from "#lib/browser/log.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

const pollIntervalMs = 60_000;

/** The flow groups of which the user is a member, by name. The menu follows every response. */
export const flowGroupsQuery = queryOptions({
  queryKey: ["flow-groups"],
  queryFn: async ({ signal }) => {
    const groups = await call(flows.groups, {}, { signal });
    useFlowMembership.setState({
      isMember: groups.length > 0,
      needsMyReview: groups.reduce((sum, { needsMyReview }) => sum + needsMyReview, 0),
    });
    return groups;
  },
  // A screen that opens reloads them, unless the menu has just done so.
  staleTime: 5_000,
});

/**
 * Reads the user's flow groups now and, for members, once a minute while the tab is visible. A failure is only logged. Returns the
 * function that stops it.
 */
export function watchFlowGroups(): () => void {
  const observer = new QueryObserver(queryClient, {
    ...flowGroupsQuery,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data && state.data.length > 0 ? pollIntervalMs : false),
    refetchOnWindowFocus: ({ state }) => state.data !== undefined && state.data.length > 0,
  });
  let failedAt = 0;
  return observer.subscribe(({ error, errorUpdatedAt }) => {
    if (error === null || errorUpdatedAt === failedAt) return;
    failedAt = errorUpdatedAt;
    logFailure("The flow groups could not be loaded", error);
  });
}
