import { type ApiKey, type ApiKeyDraft, apiKeys } from "@fairway/contract/api-keys";
import { ecosystems } from "@fairway/contract/ecosystems";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

/** Never cached: the last use and lost access change outside of this browser. */
export const keysQuery = queryOptions({
  queryKey: ["apiKeys"],
  queryFn: ({ signal }) => call(apiKeys.list, {}, { signal }),
  staleTime: 0,
});

/** The ecosystems that the user's roles open. */
export const ecosystemsQuery = queryOptions({
  queryKey: ["ecosystems"],
  queryFn: ({ signal }) => call(ecosystems.list, {}, { signal }),
});

/** Creates a key, or edits the one with this name. The response includes the value only for a new key. */
export const saveKey = (draft: ApiKeyDraft, isNew: boolean): Promise<ApiKey> =>
  thenRefetchKeys(call(isNew ? apiKeys.create : apiKeys.edit, { body: draft }));

export const deleteKey = (name: string): Promise<void> => thenRefetchKeys(call(apiKeys.remove, { params: { name } }));

/** Returns the key with its new value. */
export const rotateKey = (name: string, overlapHours: number): Promise<ApiKey> =>
  thenRefetchKeys(call(apiKeys.rotate, { params: { name }, body: { overlapHours } }));

async function thenRefetchKeys<T>(change: Promise<T>): Promise<T> {
  const result = await change;
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  return result;
}
