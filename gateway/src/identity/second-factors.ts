import { randomBytes } from "node:crypto";
import type { SecondFactorProof, SignInMethods } from "@fairway/contract/second-factors";
import { type Kysely, sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#master-key.ts";
import { hashOfSecret } from "./secret-token.ts";

/** RFC 6238 as every authenticator app knows it. */
const totp = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Steps before and after the present one that are accepted: clocks differ. */
const window = 1;
const secretBytes = 20;
const recoveryCodeCount = 10;
/** 80 bits: enough that a fast hash protects them. */
const recoveryCodeBytes = 10;
/** A setup that nobody confirms within this time is forgotten. */
const setupMinutes = 30;

interface SecondFactorParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  /** Named in the authenticator app. */
  readonly issuer: string;
}

/** Authenticator apps (TOTP) and the recovery codes that stand in for one. */
export class SecondFactors {
  readonly #parts: SecondFactorParts;
  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  async methodsOf(userId: string): Promise<Omit<SignInMethods, "required">> {
    const { db } = this.#parts;
    const authenticator = await db
      .selectFrom("authenticators")
      .select(["confirmed_at as confirmedAt", "last_used_at as lastUsedAt"])
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    const { left } = await db
      .selectFrom("recovery_codes")
      .select(({ fn }) => fn.countAll<string>().as("left"))
      .where("user_id", "=", userId)
      .where("used_at", "is", null)
      .executeTakeFirstOrThrow();
    return {
      authenticator: authenticator?.confirmedAt
        ? { addedMs: authenticator.confirmedAt.getTime(), lastUsedMs: authenticator.lastUsedAt?.getTime() ?? null }
        : null,
      recoveryCodesLeft: Number(left),
    };
  }

  /** Makes a secret that counts for nothing until it is confirmed. Refuses with `conflict` where an app is set up already. */
  async begin(user: { readonly id: string; readonly username: string }): Promise<{ secret: string; uri: string }> {
    const { db, masterKey, issuer } = this.#parts;
    const secret = new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer });
    const started = await db
      .insertInto("authenticators")
      .values({ user_id: user.id, secret: masterKey.encrypt(secret.base32, context(user.id)) })
      .onConflict((conflict) =>
        conflict
          .column("user_id")
          .doUpdateSet({ secret: (row) => row.ref("excluded.secret"), created_at: sql<Date>`now()`, last_step: 0 })
          .where("authenticators.confirmed_at", "is", null),
      )
      .returning("user_id")
      .executeTakeFirst();
    if (!started) throw new Refusal("conflict", "An authenticator app is set up already. Remove it first.");
    return { secret: secret.base32, uri: new TOTP({ ...totp, issuer, label: user.username, secret }).toString() };
  }

  /** Answers new recovery codes. Refuses with `invalid-value` naming `code`, with `not-found` where no setup waits. */
  async confirm(user: { readonly id: string; readonly sessionId: string }, code: string): Promise<string[]> {
    return this.#parts.db.transaction().execute(async (trx) => {
      const waiting = await trx
        .selectFrom("authenticators")
        .select("secret")
        .where("user_id", "=", user.id)
        .where("confirmed_at", "is", null)
        .where(sql<boolean>`created_at > now() - make_interval(mins => ${setupMinutes})`)
        .forUpdate()
        .executeTakeFirst();
      if (!waiting) throw new Refusal("not-found", "No authenticator app is being set up. Start again.");
      const step = this.#stepOf(user.id, waiting.secret, code);
      if (step === undefined)
        throw new Refusal("invalid-value", "The code does not match. Check the time of your device.", { path: "code" });
      await trx
        .updateTable("authenticators")
        .set({ confirmed_at: sql<Date>`now()`, last_step: step })
        .where("user_id", "=", user.id)
        .execute();
      await trx.updateTable("sessions").set({ second_factor: true }).where("id", "=", user.sessionId).execute();
      return replaceRecoveryCodes(trx, user.id);
    });
  }

  /** False where nothing was set up. */
  async remove(userId: string): Promise<boolean> {
    return this.#parts.db.transaction().execute(async (trx) => {
      const removed = await trx.deleteFrom("authenticators").where("user_id", "=", userId).returning("confirmed_at").executeTakeFirst();
      await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
      return removed?.confirmed_at != null;
    });
  }

  /** Refuses with `not-found` without an authenticator app. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    return this.#parts.db.transaction().execute(async (trx) => {
      const authenticator = await trx
        .selectFrom("authenticators")
        .select("user_id")
        .where("user_id", "=", userId)
        .where("confirmed_at", "is not", null)
        .forUpdate()
        .executeTakeFirst();
      if (!authenticator) throw new Refusal("not-found", "Recovery codes come with an authenticator app. Set one up first.");
      return replaceRecoveryCodes(trx, userId);
    });
  }

  /** Whether this proves the second factor. Each code counts once: one that somebody looked at over a shoulder is worth nothing. */
  async accepts(userId: string, { code, recoveryCode }: SecondFactorProof): Promise<boolean> {
    if (code !== undefined) return this.#acceptsCode(userId, code);
    const used = await this.#parts.db
      .updateTable("recovery_codes")
      .set({ used_at: sql<Date>`now()` })
      .where("user_id", "=", userId)
      .where("hash", "=", hashOfSecret(recoveryCode ?? ""))
      .where("used_at", "is", null)
      .returning("hash")
      .executeTakeFirst();
    return used !== undefined;
  }

  async #acceptsCode(userId: string, code: string): Promise<boolean> {
    const { db } = this.#parts;
    const authenticator = await db
      .selectFrom("authenticators")
      .select("secret")
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .executeTakeFirst();
    const step = authenticator && this.#stepOf(userId, authenticator.secret, code);
    if (step === undefined) return false;
    const used = await db
      .updateTable("authenticators")
      .set({ last_step: step, last_used_at: sql<Date>`now()` })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .returning("user_id")
      .executeTakeFirst();
    return used !== undefined;
  }

  /** The time step that a code belongs to; undefined where it belongs to none of those accepted now. */
  #stepOf(userId: string, encrypted: string, code: string): number | undefined {
    const secret = Secret.fromBase32(this.#parts.masterKey.decrypt(encrypted, context(userId)).toString());
    const timestamp = Date.now();
    const delta = new TOTP({ ...totp, secret }).validate({ token: code, timestamp, window });
    return delta === null ? undefined : Math.floor(timestamp / 1_000 / totp.period) + delta;
  }
}

const context = (userId: string): string => `authenticator:${userId}`;

async function replaceRecoveryCodes(trx: Kysely<Database>, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodeCount }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(recoveryCodeBytes)).buffer }).base32.toLowerCase(),
  );
  await trx.deleteFrom("recovery_codes").where("user_id", "=", userId).execute();
  await trx
    .insertInto("recovery_codes")
    .values(codes.map((code) => ({ user_id: userId, hash: hashOfSecret(code) })))
    .execute();
  return codes.map((code) => code.replaceAll(/(.{4})(?=.)/g, "$1-"));
}
