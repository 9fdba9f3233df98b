import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { RelyingParty } from "./relying-party.ts";

/** `add`: a new passkey. `second-factor`: in addition to a password. `alone`: instead of password and second factor. */
export type PasskeyPurpose = "add" | "second-factor" | "alone";

declare module "#database/schema.ts" {
  interface Database {
    /** Single-use challenges that a session's browser has to sign. */
    passkey_challenges: {
      session_id: string;
      purpose: PasskeyPurpose;
      /** Base64url. */
      challenge: string;
      rp_id: string;
      origin: string;
      /** Name of the passkey that is being added. */
      name: string | null;
      expires_at: Date;
    };
  }
}

export interface PasskeyChallenge {
  /** Base64url. */
  readonly challenge: string;
  readonly rpId: string;
  readonly origin: string;
  /** Name of the passkey that is being added. */
  readonly name: string | null;
}

/**
 * Single-use challenges that passkeys sign, each for one session and purpose. Stored in the database, so that any gateway can
 * verify the response. The challenge of a second step expires with its session, others after `seconds`.
 */
export class PasskeyChallenges {
  readonly #db: Kysely<Database>;
  readonly #seconds: number;

  constructor(db: Kysely<Database>, seconds: number) {
    this.#db = db;
    this.#seconds = seconds;
  }

  /** Replaces an earlier challenge of this session and purpose. */
  async issue(sessionId: string, purpose: PasskeyPurpose, { id: rpId, origin }: RelyingParty, name: string | null = null): Promise<Buffer> {
    const bytes = randomBytes(32);
    const end = purpose === "second-factor" ? sql`expires_at` : sql`now() + make_interval(secs => ${this.#seconds})`;
    await this.#db
      .insertInto("passkey_challenges")
      .columns(["session_id", "purpose", "challenge", "rp_id", "origin", "name", "expires_at"])
      // Inserts nothing if the session has ended.
      .expression((from) =>
        from
          .selectFrom("sessions")
          .select([
            "id as session_id",
            sql<PasskeyPurpose>`${purpose}`.as("purpose"),
            sql<string>`${bytes.toString("base64url")}`.as("challenge"),
            sql<string>`${rpId}`.as("rp_id"),
            sql<string>`${origin}`.as("origin"),
            sql<string | null>`${name}::text`.as("name"),
            sql<Date>`${end}`.as("expires_at"),
          ])
          .where("id", "=", sessionId),
      )
      .onConflict((conflict) =>
        conflict.columns(["session_id", "purpose"]).doUpdateSet({
          challenge: (row) => row.ref("excluded.challenge"),
          rp_id: (row) => row.ref("excluded.rp_id"),
          origin: (row) => row.ref("excluded.origin"),
          name: (row) => row.ref("excluded.name"),
          expires_at: (row) => row.ref("excluded.expires_at"),
        }),
      )
      .execute();
    return bytes;
  }

  /** Deletes and returns the challenge; undefined if there is none or it has expired. */
  async spend(sessionId: string, purpose: PasskeyPurpose): Promise<PasskeyChallenge | undefined> {
    const spent = await this.#db
      .deleteFrom("passkey_challenges")
      .where("session_id", "=", sessionId)
      .where("purpose", "=", purpose)
      .returning(["challenge", "rp_id as rpId", "origin", "name", sql<boolean>`expires_at <= now()`.as("isExpired")])
      .executeTakeFirst();
    return spent?.isExpired === false ? spent : undefined;
  }

  async sweep(): Promise<void> {
    await this.#db
      .deleteFrom("passkey_challenges")
      .where("expires_at", "<", sql<Date>`now()`)
      .execute();
  }
}
