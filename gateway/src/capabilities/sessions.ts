import type { SignInAttempt, ownSessions } from "@fairway/contract/sessions";
import { clientOf } from "#http/client.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";

export interface OwnSessionParts {
  readonly identity: Pick<Identity, "sessionsOf" | "endSession" | "endOtherSessions">;
  readonly audit: { signInsOf(userId: string): Promise<SignInAttempt[]> };
}

export const ownSessionRoutes = ({ identity, audit }: OwnSessionParts): Handlers<typeof ownSessions> => ({
  list: async ({ user }) => {
    const sessions = await identity.sessionsOf(user);
    return sessions.map(({ id, ipAddress, userAgent, signedInMs, lastUsedMs }) => ({
      id,
      isCurrent: id === user.sessionId,
      client: clientOf(userAgent),
      ipAddress,
      signedInMs,
      lastUsedMs,
    }));
  },
  end: async ({ user, params }) => {
    if (!(await identity.endSession(user.id, params.id))) throw new Refusal("not-found", "You are not signed in there.");
    return undefined;
  },
  endOthers: async ({ user }) => {
    await identity.endOtherSessions(user);
    return undefined;
  },
  signIns: ({ user }) => audit.signInsOf(user.id),
});
