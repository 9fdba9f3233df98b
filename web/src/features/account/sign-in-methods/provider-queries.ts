import { oidc } from "@fairway/contract/oidc";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import type { ProviderReturn } from "#lib/session/provider.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

export const linkQuery = queryOptions({
  queryKey: ["profile", "provider-link"],
  queryFn: ({ signal }) => call(oidc.link, {}, { signal }),
  staleTime: 0,
});

const refresh = () => queryClient.invalidateQueries({ queryKey: linkQuery.queryKey });

/** Links the account to the person of the response. Refetches the link even on failure. */
export async function addLink({ kind: _kind, ...body }: ProviderReturn & { kind: "response" }): Promise<void> {
  try {
    await call(oidc.addLink, { body });
  } finally {
    await refresh();
  }
}

/** Refetches the link even on failure. */
export async function removeLink(): Promise<void> {
  try {
    await call(oidc.removeLink, {});
  } finally {
    await refresh();
  }
}
