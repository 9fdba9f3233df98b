import type { FlowRequest } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** The ids of a request in its address. */
export interface RequestIds {
  group: string;
  flowId: number;
  requestId: number;
}

const pollIntervalMs = 15_000;

const keyOf = ({ group, flowId, requestId }: RequestIds, ...part: readonly unknown[]) =>
  ["flow-requests", requestId, group, flowId, ...part] as const;

/** Changes by others are shown when the tab is looked at again, and while it is open soon after the request has changed. */
const followed = { staleTime: 0, refetchOnWindowFocus: true } as const;

/** The request, read again every 15 seconds while the tab is visible. */
export const requestQuery = (ids: RequestIds) =>
  queryOptions({
    queryKey: keyOf(ids, "request"),
    queryFn: ({ signal }) => call(flows.request, { params: ids }, { signal }),
    refetchInterval: pollIntervalMs,
    ...followed,
  });

/** The iterations without their contents, oldest first. */
export const iterationsQuery = (ids: RequestIds) =>
  queryOptions({
    queryKey: keyOf(ids, "iterations"),
    queryFn: ({ signal }) => call(flows.iterations, { params: ids, query: { content: "false" } }, { signal }),
    ...followed,
  });

/** An iteration's content, which never changes. */
export const contentQuery = (ids: RequestIds, iterationId: number) =>
  queryOptions({
    queryKey: keyOf(ids, "iteration", iterationId),
    queryFn: async ({ signal }) => (await call(flows.iteration, { params: { ...ids, iterationId } }, { signal })).content ?? "",
    staleTime: Infinity,
  });

/** Of what the page reads when it opens: its parts, which are rendered once the iterations are there, do not read it again. */
const readAhead = { refetchOnMount: false, retryOnMount: false } as const;

/** The comments, oldest first. */
export const commentsQuery = (ids: RequestIds) =>
  queryOptions({
    queryKey: keyOf(ids, "comments"),
    queryFn: ({ signal }) => call(flows.comments, { params: ids }, { signal }),
    ...followed,
    ...readAhead,
  });

/** Other events of the request, oldest first. */
export const eventsQuery = (ids: RequestIds) =>
  queryOptions({
    queryKey: keyOf(ids, "events"),
    queryFn: ({ signal }) => call(flows.events, { params: ids }, { signal }),
    ...followed,
    ...readAhead,
  });

/** Members who can be mentioned. */
export const membersQuery = (group: string) =>
  queryOptions({
    queryKey: ["flow-requests", "members", group],
    queryFn: ({ signal }) => call(flows.members, { params: { group } }, { signal }),
    staleTime: 300_000,
  });

/** The accepted iterations of the flow without their contents, newest first. */
export const acceptedQuery = ({ group, flowId }: RequestIds) =>
  queryOptions({
    queryKey: ["flow-groups", group, "flow", flowId, "main", "without contents"],
    queryFn: ({ signal }) => call(flows.mainIterations, { params: { group, flowId }, query: { content: "false" } }, { signal }),
    ...followed,
  });

/** Reads what is shown of the request again, without contents of iterations. */
export const reloadTimeline = (ids: RequestIds): Promise<unknown> =>
  Promise.all(
    ["iterations", "comments", "events"].map((part) => queryClient.invalidateQueries({ queryKey: keyOf(ids, part), exact: true })),
  );

/** Shows the request as the gateway answered it, and reads everything else that follows from its change again. */
export async function showChanged(ids: RequestIds, request: FlowRequest): Promise<void> {
  queryClient.setQueryData(requestQuery(ids).queryKey, request);
  await Promise.all([reloadTimeline(ids), queryClient.invalidateQueries({ queryKey: ["flow-groups"] })]);
}

/** After a call that was refused: the request may have changed meanwhile. */
export const reloadRequest = (ids: RequestIds): Promise<unknown> =>
  Promise.all([queryClient.invalidateQueries({ queryKey: keyOf(ids, "request"), exact: true }), reloadTimeline(ids)]);
