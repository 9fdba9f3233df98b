import { apiKeyAdministration } from "@fairway/contract/api-keys";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

export const allKeysQuery = queryOptions({
  queryKey: ["admin", "apiKeys"],
  queryFn: ({ signal }) => call(apiKeyAdministration.list, {}, { signal }),
  staleTime: 0,
});

export async function revokeKey(id: string): Promise<void> {
  await call(apiKeyAdministration.revoke, { params: { id } });
  queryClient.setQueryData(allKeysQuery.queryKey, (keys) => keys?.filter((key) => key.id !== id));
}
