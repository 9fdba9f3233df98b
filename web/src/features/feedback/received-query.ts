import { feedbackAdministration } from "@fairway/contract/feedback";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** All feedback, newest first. */
export const receivedQuery = queryOptions({
  queryKey: ["feedback", "received"],
  queryFn: ({ signal }) => call(feedbackAdministration.list, {}, { signal }),
  staleTime: 0,
});
