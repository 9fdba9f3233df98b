import { type ApiKey, type ApiKeyDraft, apiKeys } from "@fairway/contract/api-keys";
import { ecosystems } from "@fairway/contract/ecosystems";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { queryClient } from "#lib/query-client.ts";

/** Asked anew at each visit: the last use and what was lost change without this browser. */
export const keysQuery = queryOptions({
  queryKey: ["apiKeys"],
  queryFn: ({ signal }) => call(apiKeys.list, {}, { signal }),
  staleTime: 0,
});

/** Those that one's roles open. */
export const ecosystemsQuery = queryOptions({
  queryKey: ["ecosystems"],
  queryFn: ({ signal }) => call(ecosystems.list, {}, { signal }),
});

/** Creates a key, or changes the one of this name. Only a new one is answered with its value. */
export const saveKey = (draft: ApiKeyDraft, isNew: boolean): Promise<ApiKey> =>
  thenListed(call(isNew ? apiKeys.create : apiKeys.edit, { body: draft }));

export const deleteKey = (name: string): Promise<void> => thenListed(call(apiKeys.remove, { params: { name } }));

/** Answers the key with its new value. */
export const rotateKey = (name: string, overlapHours: number): Promise<ApiKey> =>
  thenListed(call(apiKeys.rotate, { params: { name }, body: { overlapHours } }));

async function thenListed<T>(change: Promise<T>): Promise<T> {
  const done = await change;
  await queryClient.invalidateQueries({ queryKey: keysQuery.queryKey });
  return done;
}
