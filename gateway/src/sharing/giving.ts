import { passesRole } from "@fairway/contract/access";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { administratorRole } from "#identity/accounts.ts";
import { userWithoutSession } from "#identity/user-without-session.ts";
import { mayDo, type Sharing, type StoredShare } from "./access.ts";

/** Whether the user acts as an administrator, also on what is not shared with them. */
export const isAdministrator = ({ roles, lacksSecondFactor }: SignedInUser): boolean =>
  passesRole(roles, administratorRole) && lacksSecondFactor !== true;

interface Giving {
  readonly thing: Sharing;
  readonly noun: string;
  readonly byAdministrator: boolean;
}

/** The account that a thing is given to: by its owner someone who can edit it, by an administrator any that is enabled. */
export async function requireRecipient(
  db: Kysely<Database>,
  userId: string,
  { thing, noun, byAdministrator }: Giving,
): Promise<SignedInUser> {
  const account = await userWithoutSession(db, userId);
  const can = account && mayDo(thing, account);
  if (account !== undefined && (byAdministrator || can === "edit" || can === "own")) return account;
  throw new Refusal("invalid-value", `There is no such person, or this person cannot edit the ${noun}.`, { path: "userId" });
}

/** The shares of a thing with another owner. A former owner who still has an account stays an editor. */
export function sharesAfterGiving({ ownerId, shares }: Sharing, newOwnerId: string, staysEditor: boolean): StoredShare[] {
  const others = shares.filter(({ kind, target }) => kind !== "user" || (target !== newOwnerId && target !== ownerId));
  return ownerId === null || !staysEditor ? others : [...others, { kind: "user", target: ownerId, can: "edit" }];
}

export const accountIsFull = (username: string, noun: string): Refusal =>
  new Refusal("conflict", `'${username}' has no room for this ${noun}.`, { path: "userId" });

export const hasMoved = (noun: string): Refusal => new Refusal("conflict", `This ${noun} has another owner since.`);
