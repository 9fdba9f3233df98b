import type { OwnProfile, ProfileDraft } from "@fairway/contract/profile";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { findById } from "./accounts.ts";
import { checkedTexts } from "./user-texts.ts";

/** Refuses with `not-found` where the user was deleted meanwhile. */
export async function profileOf(db: Kysely<Database>, userId: string): Promise<OwnProfile> {
  const account = await findById(db, userId);
  if (!account) throw new Refusal("not-found", "This account is no longer there.");
  const { username, email, firstName, lastName, roles } = account;
  return { username, email: email ?? "", firstName: firstName ?? "", lastName: lastName ?? "", roles };
}

export async function changeProfile(db: Kysely<Database>, userId: string, draft: ProfileDraft): Promise<OwnProfile> {
  const { email, firstName, lastName } = checkedTexts(draft, await profileOf(db, userId));
  // What is saved as it was is no change that anybody else has to know of.
  await db
    .updateTable("users")
    .set((eb) => ({ email, first_name: firstName, last_name: lastName, version: eb("version", "+", 1) }))
    .where("id", "=", userId)
    .where(sql<boolean>`(email, first_name, last_name) is distinct from (${email}, ${firstName}, ${lastName})`)
    .execute();
  return profileOf(db, userId);
}
