import { type CacStatus, cac } from "@fairway/contract/cac";
import { queryOptions } from "@tanstack/react-query";
import { create } from "zustand";
import { call } from "#lib/call.ts";
import type { CardReturn } from "#lib/card.ts";
import { queryClient } from "#lib/query-client.ts";

type CardCode = CardReturn & { kind: "code" };

/** The card that was read and waits for the password. */
export const useReadCard = create<{ answer: CardCode | null }>(() => ({ answer: null }));

export const linkFailed = "Unable to Link CAC";

/** Always asked anew: a new password, set anywhere, unlinks the card. */
export const cacStatusQuery = queryOptions({
  queryKey: ["cac-status"],
  queryFn: ({ signal }) => call(cac.status, {}, { signal }),
  staleTime: 0,
});

/** Links the card that a code stands for. Rejects with GatewayError; naming `password`, the code is still good. */
export async function linkCard({ code, codeVerifier, redirectUri }: CardCode, password: string): Promise<void> {
  const status = await call(cac.link, { body: { password, code, codeVerifier, redirectUri } });
  await show(status);
}

/** Whatever comes of it, the status is what the gateway says. */
export async function unlinkCard(): Promise<void> {
  try {
    await call(cac.unlink, {});
    await show({ linked: false, linkedTimestamp: null });
  } catch (error) {
    void queryClient.invalidateQueries({ queryKey: cacStatusQuery.queryKey });
    throw error;
  }
}

async function show(status: CacStatus): Promise<void> {
  // An older answer that is still on its way must not win.
  await queryClient.cancelQueries({ queryKey: cacStatusQuery.queryKey });
  queryClient.setQueryData(cacStatusQuery.queryKey, status);
}
