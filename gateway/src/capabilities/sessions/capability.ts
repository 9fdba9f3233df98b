import { type SignInAttempt, ownSessions } from "@fairway/contract/sessions";
import { type Capability, implement } from "#http/capability.ts";
import { parseUserAgent } from "#http/client.ts";
import type { Handlers } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Identity } from "#identity/identity.ts";

interface Parts {
  readonly identity: Pick<Identity, "sessionsOf" | "endSession" | "endOtherSessions">;
  /** The latest attempts to sign in to an account, newest first. */
  readonly signInsOf: (userId: string) => Promise<SignInAttempt[]>;
}

export const openSessions = (parts: Parts): Capability => ({ routes: { ownSessions: implement(ownSessions, handlers(parts)) } });

const handlers = ({ identity, signInsOf }: Parts): Handlers<typeof ownSessions> => ({
  list: async ({ user }) => {
    const sessions = await identity.sessionsOf(user);
    return sessions.map(({ id, ipAddress, userAgent, signedInMs, lastUsedMs }) => ({
      id,
      isCurrent: id === user.sessionId,
      client: parseUserAgent(userAgent),
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
  signIns: ({ user }) => signInsOf(user.id),
});
