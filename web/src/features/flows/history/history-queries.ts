import type { MainIteration } from "@fairway/contract/flow-requests";
import { flows } from "@fairway/contract/flows";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The content of an accepted iteration, which never changes. */
export const contentQuery = (group: string, flowId: number, { iteration }: MainIteration) => {
  const iterationId = iteration.id;
  return queryOptions({
    queryKey: ["flow-content", group, flowId, iterationId],
    queryFn: async ({ signal }) => {
      const { iteration: read } = await call(flows.mainIteration, { params: { group, flowId, iterationId } }, { signal });
      return read.content ?? "";
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
};
