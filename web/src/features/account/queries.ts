import { type ProfileDraft, profile } from "@fairway/contract/profile";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import { ownSessions } from "@fairway/contract/sessions";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { GatewayError } from "#lib/gateway/gateway-error.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { currentSession } from "#lib/session/current-session.ts";

export const profileQuery = queryOptions({
  queryKey: ["profile"],
  queryFn: ({ signal }) => call(profile.read, {}, { signal }),
});

/** Never cached: sessions change outside of this browser. */
export const sessionsQuery = queryOptions({
  queryKey: ["profile", "sessions"],
  queryFn: ({ signal }) => call(ownSessions.list, {}, { signal }),
  staleTime: 0,
});

export const signInsQuery = queryOptions({
  queryKey: ["profile", "sign-ins"],
  queryFn: ({ signal }) => call(ownSessions.signIns, {}, { signal }),
  staleTime: 0,
});

export const securityEventsQuery = queryOptions({
  queryKey: ["profile", "security-events"],
  queryFn: ({ signal }) => call(ownSecurityEvents.list, {}, { signal }),
  staleTime: 0,
});

/** Stores the profile and renews the token, so every tab shows the new name. */
export async function saveProfile(body: ProfileDraft): Promise<void> {
  const saved = await call(profile.save, { body });
  queryClient.setQueryData(profileQuery.queryKey, saved);
  // A changed email is recorded there.
  void queryClient.invalidateQueries({ queryKey: securityEventsQuery.queryKey });
  try {
    await currentSession().renew();
  } catch (error) {
    // The profile is stored; the next renewal shows it.
    if (!(error instanceof GatewayError)) throw error;
  }
}

/** Ends a session, or all others when `id` is null. The list is refetched in any case. */
export async function signOutElsewhere(id: string | null): Promise<void> {
  try {
    await (id === null ? call(ownSessions.endOthers, {}) : call(ownSessions.end, { params: { id } }));
  } finally {
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  }
}
