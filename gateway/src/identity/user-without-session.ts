import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { findById } from "./accounts.ts";

/** The user for work that outlives the session or API key that started it; undefined if deleted or locked. */
export async function userWithoutSession(db: Kysely<Database>, userId: string): Promise<SignedInUser | undefined> {
  const account = await findById(db, userId);
  if (account === undefined || account.locked) return undefined;
  return { id: account.id, username: account.username, roles: account.roles, groups: account.groups, sessionId: "", signedInAtMs: 0 };
}
