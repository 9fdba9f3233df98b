import { profile } from "@fairway/contract/profile";
import { ownSecurityEvents } from "@fairway/contract/security-events";
import type { Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import type { Identity } from "#identity/identity.ts";

interface Parts {
  readonly identity: Pick<Identity, "changePassword" | "profileOf" | "changeProfile" | "securityEventsOf">;
  /** Runs a change of the caller's own account in a transaction and records a revision of it. */
  readonly recordOwnChange: <T>(
    user: SignedInUser,
    action: "profile" | "password",
    change: (db: Kysely<Database>) => Promise<T>,
  ) => Promise<T>;
}

/** The caller's own profile, password and security activity. */
export const openProfile = ({ identity, recordOwnChange }: Parts): Capability => ({
  routes: {
    profile: implement(profile, {
      read: ({ user }) => identity.profileOf(user.id),
      save: ({ user, body }) => recordOwnChange(user, "profile", (db) => identity.changeProfile(user, body, db)),
      resetPassword: async ({ user, body, isDirect }) => {
        await identity.changePassword(user, body.password, { isDirect }, (change) => recordOwnChange(user, "password", change));
        return undefined;
      },
    }),
    ownSecurityEvents: implement(ownSecurityEvents, { list: ({ user }) => identity.securityEventsOf(user.id) }),
  },
});
