import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { SignedInUser } from "#http/signed-in-user.ts";
import { type Account, findById, holdersOf } from "./accounts.ts";

/** The user for work that outlives the session or API key that started it; undefined if deleted or locked. */
export async function userWithoutSession(db: Kysely<Database>, userId: string): Promise<SignedInUser | undefined> {
  const account = await findById(db, userId);
  return account === undefined || account.locked ? undefined : userOf(account);
}

/** The same for all who hold a role. */
export const usersHolding = async (db: Kysely<Database>, role: string): Promise<SignedInUser[]> => (await holdersOf(db, role)).map(userOf);

const userOf = ({ id, username, roles, groups, groupNames }: Account): SignedInUser =>
  SignedInUser.make({ id, username, roles, groups, groupNames, sessionId: "", signedInAtMs: 0 });
