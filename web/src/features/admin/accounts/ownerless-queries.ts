import { ownership } from "@fairway/contract/sharing";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

export const ownerlessQuery = queryOptions({
  queryKey: ["admin", "ownerless"],
  queryFn: ({ signal }) => call(ownership.ownerless, {}, { signal }),
  staleTime: 0,
});

export const reloadOwnerless = (): Promise<void> => queryClient.invalidateQueries(ownerlessQuery);
