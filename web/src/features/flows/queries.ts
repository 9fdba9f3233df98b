import { type FlowRequestCounts, flows } from "@fairway/contract/flows";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

// Changes by others to flows and requests are shown when a screen opens; until then it shows the last known state.
const staleTime = 0;

/** The flows of a group, by name. */
export const flowsQuery = (group: string) =>
  queryOptions({
    queryKey: ["flow-groups", group, "flows"],
    queryFn: ({ signal }) => call(flows.list, { params: { group } }, { signal }),
    staleTime,
  });

/** The requests of a group that need a review by the user, by creation time. */
export const reviewRequestsQuery = (group: string) =>
  queryOptions({
    queryKey: ["flow-groups", group, "requests", "review"],
    queryFn: ({ signal }) => call(flows.groupRequests, { params: { group }, query: { show: "review" } }, { signal }),
    staleTime,
  });

/** Filter of the requests of a group. */
export interface RequestsFilter {
  state?: "open" | "closed";
  status?: number;
  search?: string;
}

const requestsPerPage = 200;

/** The requests of all flows of a group that match, the newest first, a page at a time. */
export const requestPagesQuery = (group: string, filter: RequestsFilter, show: keyof FlowRequestCounts) =>
  infiniteQueryOptions({
    queryKey: ["flow-groups", group, "requests", "pages", filter, show],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, show, limit: requestsPerPage, ...(pageParam === null ? {} : { before: pageParam }) };
      return call(flows.groupRequests, { params: { group }, query }, { signal });
    },
    initialPageParam: null as number | null,
    getNextPageParam: (page) => (page.length < requestsPerPage ? null : (page.at(-1)?.id ?? null)),
    placeholderData: keepPreviousData,
    staleTime,
  });

/** How many requests of a group match. */
export const requestCountsQuery = (group: string, filter: RequestsFilter) =>
  queryOptions({
    queryKey: ["flow-groups", group, "requests", "counts", filter],
    queryFn: ({ signal }) => call(flows.requestCounts, { params: { group }, query: filter }, { signal }),
    placeholderData: keepPreviousData,
    staleTime,
  });

/** The accepted iterations of a flow without their contents, newest first. */
export const mainIterationsQuery = (group: string, flowId: number) =>
  queryOptions({
    queryKey: ["flow-groups", group, "flow", flowId, "main"],
    queryFn: ({ signal }) => call(flows.mainIterations, { params: { group, flowId }, query: { content: "false" } }, { signal }),
    staleTime,
  });

/** Reloads everything of flows and their requests, after any of it was changed. */
export async function reloadFlows(): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["flow-groups"] }),
    queryClient.invalidateQueries({ queryKey: ["flow-requests"] }),
  ]);
}
