import type { OwnProfile, ProfileDraft } from "@fairway/contract/profile";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { findById } from "./accounts.ts";
import { requireFreshSignIn } from "./own-sign-in-methods.ts";
import { noteSecurityEvents } from "./security-events.ts";
import { checkedTexts } from "./user-texts.ts";

/** Refuses with `not-found` if the user was deleted in the meantime. */
export async function profileOf(db: Kysely<Database>, userId: string): Promise<OwnProfile> {
  const account = await findById(db, userId);
  if (!account) throw new Refusal("not-found", "This account no longer exists.");
  const { username, email, firstName, lastName, roles } = account;
  const link = await db.selectFrom("provider_links").select("made_account").where("user_id", "=", userId).executeTakeFirst();
  return {
    username,
    email: email ?? "",
    firstName: firstName ?? "",
    lastName: lastName ?? "",
    roles,
    ...(link?.made_account === true ? { managed: true as const } : {}),
  };
}

/**
 * Refuses with `sign-in-again` if the email address changes without a recent sign-in, and with `forbidden` if the organization's
 * sign-in service says name and email.
 */
export async function changeProfile(
  db: Kysely<Database>,
  user: Pick<SignedInUser, "id" | "signedInAtMs">,
  draft: ProfileDraft,
  freshSignInMinutes: number,
): Promise<OwnProfile> {
  const before = await profileOf(db, user.id);
  if (before.managed)
    throw new Refusal("forbidden", "Your name and email come from your organization's sign-in service. Change them there.");
  const { email, firstName, lastName } = checkedTexts(draft, before);
  if (email !== before.email) {
    requireFreshSignIn(user.signedInAtMs, freshSignInMinutes);
    await noteSecurityEvents(db, [{ userId: user.id, kind: "email-changed" }]);
  }
  // Does not increment the version if nothing has changed.
  await db
    .updateTable("users")
    .set((eb) => ({ email, first_name: firstName, last_name: lastName, version: eb("version", "+", 1) }))
    .where("id", "=", user.id)
    .where(sql<boolean>`(email, first_name, last_name) is distinct from (${email}, ${firstName}, ${lastName})`)
    .execute();
  return profileOf(db, user.id);
}
