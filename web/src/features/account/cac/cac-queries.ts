import { type CacStatus, cac } from "@fairway/contract/cac";
import { queryOptions } from "@tanstack/react-query";
import { create } from "zustand";
import { call } from "#lib/gateway/call.ts";
import type { CardReturn } from "#lib/session/card.ts";
import { queryClient } from "#lib/gateway/query-client.ts";

type CardCode = CardReturn & { kind: "code" };

/** The issuer's response for a card that is waiting for the password. */
export const useReadCard = create<{ response: CardCode | null }>(() => ({ response: null }));

export const linkFailed = "Unable to Link CAC";

/** Never cached: a new password, set anywhere, unlinks the card. */
export const cacStatusQuery = queryOptions({
  queryKey: ["cac-status"],
  queryFn: ({ signal }) => call(cac.status, {}, { signal }),
  staleTime: 0,
});

/** Links the card of a code. Rejects with GatewayError; when its path is `password`, the code is still valid. */
export async function linkCard({ code, codeVerifier, redirectUri }: CardCode, password: string): Promise<void> {
  const status = await call(cac.link, { body: { password, code, codeVerifier, redirectUri } });
  await setStatus(status);
}

/** Unlinks the card. On failure the status is reloaded. */
export async function unlinkCard(): Promise<void> {
  try {
    await call(cac.unlink, {});
    await setStatus({ linked: false, linkedTimestamp: null });
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: cacStatusQuery.queryKey });
    throw error;
  }
}

async function setStatus(status: CacStatus): Promise<void> {
  // A pending response with the old status must not overwrite this one.
  await queryClient.cancelQueries({ queryKey: cacStatusQuery.queryKey });
  queryClient.setQueryData(cacStatusQuery.queryKey, status);
}
