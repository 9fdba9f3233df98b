import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { Secret } from "otpauth";
import type { Database } from "#database/schema.ts";
import { hasSecondFactor } from "./accounts.ts";
import { hashOfSecret } from "./secret-token.ts";
import { type NewSecurityEvent, noteSecurityEvents } from "./security-events.ts";

declare module "#database/schema.ts" {
  interface Database {
    recovery_codes: {
      user_id: string;
      /** SHA-256 (hex) of the code without dashes. */
      hash: string;
      used_at: Date | null;
    };
  }
}

const codeCount = 10;
/** 120 bits; a fast hash is sufficient from 112 bits on (ASVS 6.5.2). */
const codeBytes = 15;

export async function recoveryCodesLeft(db: Kysely<Database>, userId: string): Promise<number> {
  const { left } = await db
    .selectFrom("recovery_codes")
    .select(({ fn }) => fn.countAll<string>().as("left"))
    .where("user_id", "=", userId)
    .where("used_at", "is", null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Marks a code as used. False if it does not belong to the account or was used before. */
export async function spendRecoveryCode(db: Kysely<Database>, userId: string, code: string): Promise<boolean> {
  const used = await db
    .updateTable("recovery_codes")
    .set({ used_at: sql<Date>`now()` })
    .where("user_id", "=", userId)
    .where("hash", "=", hashOfSecret(code))
    .where("used_at", "is", null)
    .returning("hash")
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * Call it in the transaction that adds a second factor. Marks the session as proven by it, and returns new recovery codes, or
 * none if the account has unused ones.
 */
export async function secondFactorAdded(trx: Kysely<Database>, sessionId: string, event: NewSecurityEvent): Promise<string[]> {
  await trx.updateTable("sessions").set({ second_factor: true }).where("id", "=", sessionId).execute();
  await noteSecurityEvents(trx, [event]);
  return (await recoveryCodesLeft(trx, event.userId)) > 0 ? [] : replaceRecoveryCodes(trx, event.userId);
}

export async function replaceRecoveryCodes(trx: Kysely<Database>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: codeCount }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(codeBytes)).buffer }).base32.toLowerCase(),
  );
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await trx
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, hash: hashOfSecret(code) })))
    .execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-"));
}

/** Call it in the transaction that removes a second factor: the codes are deleted with the last one. */
export async function dropUnneededRecoveryCodes(trx: Kysely<Database>, userId: string): Promise<void> {
  const account = await trx.selectFrom("users").select(hasSecondFactor.as("isNeeded")).where("users.id", "=", userId).executeTakeFirst();
  if (account?.isNeeded !== true) await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
}

/** Serializes changes of an account's second factors. */
export async function lockSecondFactors(trx: Kysely<Database>, userId: string): Promise<void> {
  await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().executeTakeFirst();
}
