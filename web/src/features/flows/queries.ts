import { flows } from "@fairway/contract/flows";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { queryClient } from "#lib/query-client.ts";

// What others do to flows and requests is shown when a screen opens; until then it shows what it last knew.
const staleTime = 0;

/** The flows of a group, by name. */
export const flowsQuery = (group: string) =>
  queryOptions({
    queryKey: ["flow-groups", group, "flows"],
    queryFn: ({ signal }) => call(flows.list, { params: { group } }, { signal }),
    staleTime,
  });

/** The open or closed requests of all flows of a group, by creation time. */
export const groupRequestsQuery = (group: string, state: "open" | "closed") =>
  queryOptions({
    queryKey: ["flow-groups", group, "requests", state],
    queryFn: ({ signal }) => call(flows.groupRequests, { params: { group }, query: { state } }, { signal }),
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
