import type { profile } from "@fairway/contract/profile";
import type { ownSecurityEvents } from "@fairway/contract/security-events";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import type { Identity } from "#identity/identity.ts";
import type { Database } from "#database/schema.ts";
import type { Kysely } from "kysely";

export interface ProfileParts {
  readonly identity: Pick<Identity, "changePassword" | "profileOf" | "changeProfile" | "securityEventsOf">;
  /** Runs a change of the caller's own account in a transaction, and notes what it changed. */
  readonly noteOwnChange: <T>(
    user: SignedInUser,
    action: "profile" | "password",
    change: (db: Kysely<Database>) => Promise<T>,
  ) => Promise<T>;
}

export const securityEventRoutes = ({ identity }: Pick<ProfileParts, "identity">): Handlers<typeof ownSecurityEvents> => ({
  list: ({ user }) => identity.securityEventsOf(user.id),
});

export const profileRoutes = ({ identity, noteOwnChange }: ProfileParts): Handlers<typeof profile> => ({
  read: ({ user }) => identity.profileOf(user.id),
  save: ({ user, body }) => noteOwnChange(user, "profile", (db) => identity.changeProfile(user, body, db)),
  resetPassword: async ({ user, body, isDirect }) => {
    await identity.changePassword(user, body.password, { isDirect }, (change) => noteOwnChange(user, "password", change));
    return undefined;
  },
});
