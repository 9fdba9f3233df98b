import { type ColumnType, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { hashOfSecret } from "./secret-token.ts";
import { noteSecurityEvents } from "./security-events.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** A card is linked to one account, and an account has at most one card. */
    card_links: {
      user_id: string;
      /** Links of an issuer that is no longer configured have no effect. */
      issuer: string;
      /** `Card.hash`; unique. */
      card_hash: string;
      linked_at: ColumnType<Date, never, never>;
    };
    /** Used codes of cards and states of requests to the OpenID Connect provider (SHA-256, hex). Each is accepted once. */
    spent_card_codes: { hash: string; spent_at: ColumnType<Date, never, never> };
  }
}

/** A card that its issuer has just confirmed. */
export interface Card {
  readonly issuer: string;
  /** SHA-256 (hex) of the issuer and the holder's id, which itself is not stored. */
  readonly hash: string;
}

/** When the user's card of this issuer was linked; undefined if there is none. */
export async function linkedSince(db: Kysely<Database>, userId: string, issuer: string): Promise<Date | undefined> {
  const link = await db
    .selectFrom("card_links")
    .select("linked_at")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .executeTakeFirst();
  return link?.linked_at;
}

/**
 * Links a card to the account whose password was just verified against `passwordHash`. Refuses with `conflict` if the card is
 * linked to another account or the account has another card, with `not-signed-in` if the account has changed since.
 */
export async function linkCard(db: Kysely<Database>, userId: string, passwordHash: string, { issuer, hash }: Card): Promise<Date> {
  return db.transaction().execute(async (trx) => {
    const user = await trx
      .selectFrom("users")
      .select("id")
      .where("id", "=", userId)
      .where("password_hash", "=", passwordHash)
      .where("locked", "=", false)
      .forUpdate()
      .executeTakeFirst();
    if (!user) throw new Refusal("not-signed-in", "Your session has ended. Please sign in again.");
    // A card of an issuer that is no longer configured is replaced.
    await trx.deleteFrom("card_links").where("user_id", "=", userId).where("issuer", "!=", issuer).execute();
    const own = await trx.selectFrom("card_links").select(["card_hash", "linked_at"]).where("user_id", "=", userId).executeTakeFirst();
    if (own?.card_hash === hash) return own.linked_at;
    if (own) throw new Refusal("conflict", "Another CAC is linked to your account. Unlink it first.");
    const linked = await trx
      .insertInto("card_links")
      .values({ user_id: userId, issuer, card_hash: hash })
      .onConflict((conflict) => conflict.column("card_hash").doNothing())
      .returning("linked_at")
      .executeTakeFirst();
    if (!linked) throw new Refusal("conflict", "This CAC is linked to another account.");
    await noteSecurityEvents(trx, [{ userId, kind: "card-linked" }]);
    return linked.linked_at;
  });
}

/** Call it in the transaction that sets a password, to revoke a card that was linked with the old one. False if there was none. */
export async function unlinkCard(db: Kysely<Database>, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("card_links").where("user_id", "=", userId).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Marks a code as used. False if it was used before. */
export async function spendCode(db: Kysely<Database>, code: string): Promise<boolean> {
  const spent = await db
    .insertInto("spent_card_codes")
    .values({ hash: hashOfSecret(code) })
    .onConflict((conflict) => conflict.column("hash").doNothing())
    .returning("hash")
    .executeTakeFirst();
  return spent !== undefined;
}

/** Deletes used codes that are older than the lifetime of any code. */
export async function forgetSpentCodes(db: Kysely<Database>): Promise<void> {
  await db
    .deleteFrom("spent_card_codes")
    .where("spent_at", "<", sql<Date>`now() - interval '1 day'`)
    .execute();
}
