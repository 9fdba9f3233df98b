import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { unlinkCard } from "./card-links.ts";
import type { PasswordPolicy } from "./password-policy.ts";
import { hashPassword } from "./passwords.ts";
import type { LocalAccounts } from "./local-accounts.ts";
import { noteSecurityEvents } from "./security-events.ts";
import type { SessionStates } from "./session-states.ts";
import type { SessionOrigin } from "./sessions.ts";
import type { WorkLane } from "./work-lane.ts";

/** Runs a change in a new transaction. */
export type Transact = <T>(change: (trx: Kysely<Database>) => Promise<T>) => Promise<T>;

export interface OwnPasswordParts {
  readonly lane: WorkLane;
  readonly states: SessionStates;
  readonly localAccounts: LocalAccounts;
  readonly passwordPolicy: PasswordPolicy;
  readonly freshSignInMinutes: number;
}

/**
 * Sets the calling user's password, unlinks the user's card and ends the user's other sessions, to lock out anyone else who
 * knows the old password. Also ends the session of a forced update, so that its token works once. Refuses with `sign-in-again`
 * in an ordinary session without a recent sign-in, with `forbidden` for an account without a password and for a demo account
 * behind a proxy, and like the password policy.
 */
export async function changeOwnPassword(
  parts: OwnPasswordParts,
  user: SignedInUser,
  password: string,
  from: Pick<SessionOrigin, "isDirect">,
  transact: Transact,
): Promise<void> {
  parts.localAccounts.requireDirect(user.username, from);
  await parts.passwordPolicy.requireAcceptable(password, user);
  await parts.lane.run(() =>
    transact(async (trx) => {
      // Locks the user first, like everything that ends sessions, which serializes concurrent changes.
      const own = await trx.selectFrom("users").select("password_hash").where("id", "=", user.id).forUpdate().executeTakeFirst();
      const session = await trx
        .selectFrom("sessions")
        .select([
          "purpose",
          sql<boolean>`coalesce(authenticated_at, signed_in_at) > now() - make_interval(mins => ${parts.freshSignInMinutes})`.as("isFresh"),
        ])
        .where("id", "=", user.sessionId)
        .where("user_id", "=", user.id)
        .where("expires_at", ">", sql<Date>`now()`)
        .executeTakeFirst();
      // Ended after the call was authorized: by a logout, or by concurrent use of the same token.
      if (!session) throw new Refusal("not-signed-in", "Your session has ended. Please sign in again.");
      if (session.purpose === "ordinary" && !session.isFresh) {
        throw new Refusal("sign-in-again", "You signed in too long ago for this. Please enter your current password again.");
      }
      // Otherwise someone whom the organization has removed could still sign in.
      if (own?.password_hash === null) {
        throw new Refusal("forbidden", "Your account has no password, because you sign in with your organization's sign-in service.");
      }
      const password_hash = await hashPassword(password);
      await trx
        .updateTable("users")
        .set((eb) => ({ password_hash, require_password_change: false, version: eb("version", "+", 1) }))
        .where("id", "=", user.id)
        .execute();
      await unlinkCard(trx, user.id);
      await noteSecurityEvents(trx, [{ userId: user.id, kind: "password-changed" }]);
      await trx
        .deleteFrom("sessions")
        .where("user_id", "=", user.id)
        .$if(session.purpose === "ordinary", (others) => others.where("id", "!=", user.sessionId))
        .execute();
    }),
  );
  await parts.states.changed("user", user.id);
}
