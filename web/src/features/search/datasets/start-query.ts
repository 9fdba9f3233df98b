import { startPage } from "@fairway/contract/start-page";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";

/** The operator's part of the first screen. Without it, the screen has its own line and no questions. */
export const startPageQuery = queryOptions({
  queryKey: ["start-page"],
  queryFn: ({ signal }) => call(startPage.read, {}, { signal }),
  staleTime: 600_000,
  retry: false,
});
