import type { OwnedKind, OwnerlessEntry } from "@fairway/contract/sharing";
import type { Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";

export interface AllGiven {
  readonly count: number;
  /** Tells open pages. Call it once the transaction is committed. */
  readonly report: () => Promise<void>;
}

/** Things of one kind that accounts own, for those who administer accounts. */
export interface OwnedThings {
  readonly kind: OwnedKind;
  /** Those whose owner's account has been deleted. */
  ownerless(): Promise<OwnerlessEntry[]>;
  /** Gives one without owner to an enabled account. Refuses with `not-found` one that has an owner. */
  give(by: SignedInUser, id: string, userId: string): Promise<{ readonly name: string; readonly owner: string }>;
  /** Deletes one without owner, and resolves with its name. Refuses with `not-found` one that has an owner. */
  remove(id: string): Promise<string>;
  /** Gives all that an account owns to another one, within the transaction that deletes it. */
  giveAll(trx: Transaction<Database>, from: string, to: SignedInUser): Promise<AllGiven>;
  owned(userId: string): Promise<{ readonly count: number; readonly shared: readonly { readonly id: string; readonly name: string }[] }>;
}
