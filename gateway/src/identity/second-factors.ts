import { randomBytes } from "node:crypto";
import type { LoginAnswer } from "@fairway/contract/auth";
import type { SecondFactorProof, SignInMethods } from "@fairway/contract/second-factors";
import { type ColumnType, type Generated, type Kysely, sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import type { Database } from "#database/schema.ts";
import { encryptedTextColumn } from "#secrets/encrypted-column.ts";
import { Refusal } from "#http/refusal.ts";
import type { MasterKey } from "#secrets/master-key.ts";
import { hasSecondFactor } from "./accounts.ts";
import type { Passkeys } from "./passkeys.ts";
import {
  dropUnneededRecoveryCodes,
  lockSecondFactors,
  recoveryCodesLeft,
  replaceRecoveryCodes,
  secondFactorAdded,
  spendRecoveryCode,
} from "./recovery-codes.ts";
import { noteSecurityEvents } from "./security-events.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** At most one per account. */
    authenticators: {
      user_id: string;
      /** Base32, encrypted with the master key. */
      secret: string;
      created_at: ColumnType<Date, never, Date>;
      /** Null until the setup is confirmed with a code. */
      confirmed_at: Date | null;
      /** Time step of the latest accepted code, so that no code is accepted twice. */
      last_step: Generated<number>;
      last_used_at: Date | null;
    };
  }
}

/** RFC 6238 with the parameters that every authenticator app supports. Decision 0190. */
const totp = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** Number of accepted time steps before and after the current one, for clock skew. */
const window = 1;
const secretBytes = 20;
/** An unconfirmed setup expires after this time. */
const setupMinutes = 30;

interface SecondFactorParts {
  readonly db: Kysely<Database>;
  readonly masterKey: Pick<MasterKey, "encrypt" | "decrypt">;
  /** Shown in the authenticator app. */
  readonly issuer: string;
  readonly passkeys: Pick<Passkeys, "listFor" | "requestFor" | "accepts">;
}

/** Authenticator apps (TOTP), passkeys, and recovery codes that replace either. */
export class SecondFactors {
  readonly #parts: SecondFactorParts;
  constructor(parts: SecondFactorParts) {
    this.#parts = parts;
  }

  async methodsOf(userId: string): Promise<Omit<SignInMethods, "required">> {
    const { db, passkeys } = this.#parts;
    const authenticator = await this.#authenticatorOf(userId);
    return {
      authenticator: authenticator && { addedMs: authenticator.addedAt.getTime(), lastUsedMs: authenticator.lastUsedAt?.getTime() ?? null },
      recoveryCodesLeft: await recoveryCodesLeft(db, userId),
      passkeys: await passkeys.listFor(userId),
    };
  }

  /** Creates a secret that has no effect until confirmed. Refuses with `conflict` if an app is already set up. */
  async begin(user: { readonly id: string; readonly username: string }): Promise<{ secret: string; uri: string }> {
    const { db, masterKey, issuer } = this.#parts;
    const secret = new Secret({ buffer: Uint8Array.from(randomBytes(secretBytes)).buffer });
    const started = await db
      .insertInto("authenticators")
      .values({ user_id: user.id, secret: masterKey.encrypt(secret.base32, authenticatorColumn.contextOf({ userId: user.id })) })
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

  /** Returns recovery codes if the account had none. Refuses with `invalid-value` for `code`, with `not-found` if there is no pending setup. */
  async confirm(user: { readonly id: string; readonly sessionId: string }, code: string): Promise<string[]> {
    return this.#parts.db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, user.id);
      const pending = await trx
        .selectFrom("authenticators")
        .select("secret")
        .where("user_id", "=", user.id)
        .where("confirmed_at", "is", null)
        .where(sql<boolean>`created_at > now() - make_interval(mins => ${setupMinutes})`)
        .forUpdate()
        .executeTakeFirst();
      if (!pending) throw new Refusal("not-found", "No authenticator app is being set up. Start again.");
      const step = this.#stepOf(user.id, pending.secret, code);
      if (step === undefined)
        throw new Refusal("invalid-value", "The code does not match. Check the time of your device.", { path: "code" });
      await trx
        .updateTable("authenticators")
        .set({ confirmed_at: sql<Date>`now()`, last_step: step })
        .where("user_id", "=", user.id)
        .execute();
      return secondFactorAdded(trx, user.sessionId, { userId: user.id, kind: "authenticator-added" });
    });
  }

  /** Removes the authenticator app. False if none was set up. */
  async remove(userId: string): Promise<boolean> {
    return this.#parts.db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, userId);
      const removed = await trx.deleteFrom("authenticators").where("user_id", "=", userId).returning("confirmed_at").executeTakeFirst();
      await dropUnneededRecoveryCodes(trx, userId);
      if (removed?.confirmed_at == null) return false;
      await noteSecurityEvents(trx, [{ userId, kind: "authenticator-removed" }]);
      return true;
    });
  }

  /** Refuses with `not-found` if the account has no second factor. */
  async renewRecoveryCodes(userId: string): Promise<string[]> {
    return this.#parts.db.transaction().execute(async (trx) => {
      await lockSecondFactors(trx, userId);
      const user = await trx.selectFrom("users").select(hasSecondFactor.as("hasOne")).where("users.id", "=", userId).executeTakeFirst();
      if (user?.hasOne !== true) {
        throw new Refusal("not-found", "Recovery codes come with a second factor. Set up an authenticator app or add a passkey first.");
      }
      await noteSecurityEvents(trx, [{ userId, kind: "recovery-codes-made" }]);
      return replaceRecoveryCodes(trx, userId);
    });
  }

  /** Second factors that complete a sign-in. `origin` is the requested origin. */
  async stepOf(userId: string, sessionId: string, origin: string): Promise<NonNullable<LoginAnswer["secondFactors"]>> {
    const passkey = await this.#parts.passkeys.requestFor({ id: userId, sessionId }, "second-factor", origin);
    return { code: (await this.#authenticatorOf(userId)) !== null, passkey: passkey ?? null };
  }

  /** Whether this proves the second factor. Each code is accepted once, so that an observed code is useless. */
  async accepts(user: { readonly id: string; readonly sessionId: string }, proof: SecondFactorProof): Promise<boolean> {
    const { code, recoveryCode, passkey } = proof;
    if (code !== undefined) return this.#acceptsCode(user.id, code);
    if (passkey !== undefined) return this.#parts.passkeys.accepts(user, "second-factor", passkey);
    return this.#parts.db.transaction().execute(async (trx) => {
      const isAccepted = await spendRecoveryCode(trx, user.id, recoveryCode ?? "");
      if (isAccepted) await noteSecurityEvents(trx, [{ userId: user.id, kind: "recovery-code-used" }]);
      return isAccepted;
    });
  }

  async #acceptsCode(userId: string, code: string): Promise<boolean> {
    const authenticator = await this.#authenticatorOf(userId);
    const step = authenticator ? this.#stepOf(userId, authenticator.secret, code) : undefined;
    if (step === undefined) return false;
    const used = await this.#parts.db
      .updateTable("authenticators")
      .set({ last_step: step, last_used_at: sql<Date>`now()` })
      .where("user_id", "=", userId)
      .where("last_step", "<", step)
      .returning("user_id")
      .executeTakeFirst();
    return used !== undefined;
  }

  /** The confirmed authenticator app; null if there is none. */
  async #authenticatorOf(userId: string): Promise<{ secret: string; addedAt: Date; lastUsedAt: Date | null } | null> {
    const authenticator = await this.#parts.db
      .selectFrom("authenticators")
      .select(["secret", "confirmed_at as addedAt", "last_used_at as lastUsedAt"])
      .where("user_id", "=", userId)
      .where("confirmed_at", "is not", null)
      .$narrowType<{ addedAt: Date }>()
      .executeTakeFirst();
    return authenticator ?? null;
  }

  /** The time step of a code; undefined if the code is not valid at present. */
  #stepOf(userId: string, encrypted: string, code: string): number | undefined {
    const secret = Secret.fromBase32(this.#parts.masterKey.decrypt(encrypted, authenticatorColumn.contextOf({ userId })).toString());
    const timestamp = Date.now();
    const delta = new TOTP({ ...totp, secret }).validate({ token: code, timestamp, window });
    return delta === null ? undefined : Math.floor(timestamp / 1_000 / totp.period) + delta;
  }
}

export const authenticatorColumn = encryptedTextColumn(
  { table: "authenticators", column: "secret", row: { userId: "user_id" } },
  ({ userId }) => `authenticator:${userId}`,
);

/** Removes all second factors for the administrator `by`. False if there were none. */
export const removeSecondFactors = (db: Kysely<Database>, userId: string, by: string): Promise<boolean> =>
  db.transaction().execute(async (trx) => {
    await lockSecondFactors(trx, userId);
    const authenticators = await trx.deleteFrom("authenticators").where("user_id", "=", userId).returning("confirmed_at").execute();
    const passkeys = await trx.deleteFrom("passkeys").where("user_id", "=", userId).returning("id").execute();
    await dropUnneededRecoveryCodes(trx, userId);
    const hadOne = passkeys.length > 0 || authenticators.some(({ confirmed_at: confirmedAt }) => confirmedAt !== null);
    if (hadOne) await noteSecurityEvents(trx, [{ userId, kind: "second-factors-removed", by }]);
    return hadOne;
  });
