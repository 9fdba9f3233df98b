import { randomBytes } from "node:crypto";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import type { RelyingParty } from "./relying-party.ts";

/** `add`: a new passkey. `second-factor`: beside a password. `alone`: in the place of password and second factor. */
export type PasskeyPurpose = "add" | "second-factor" | "alone";

declare module "#database/schema.ts" {
  interface Database {
    /** What a session's browser was asked to sign; it counts once. */
    passkey_challenges: {
      session_id: string;
      purpose: PasskeyPurpose;
      /** Base64url. */
      challenge: string;
      rp_id: string;
      origin: string;
      /** Of the passkey that is being added. */
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
  /** Of the passkey that is being added. */
  readonly name: string | null;
}

/**
 * Challenges that passkeys sign. They stand in the database, so that another gateway can take the answer, belong to one session
 * and one purpose, and count once. A second step waits as long as its session, everything else for `seconds`.
 */
export class PasskeyChallenges {
  readonly #db: Kysely<Database>;
  readonly #seconds: number;

  constructor(db: Kysely<Database>, seconds: number) {
    this.#db = db;
    this.#seconds = seconds;
  }

  /** Takes the place of an earlier one of this session and purpose. */
  async issue(sessionId: string, purpose: PasskeyPurpose, { id: rpId, origin }: RelyingParty, name: string | null = null): Promise<Buffer> {
    const bytes = randomBytes(32);
    const end = purpose === "second-factor" ? sql`expires_at` : sql`now() + make_interval(secs => ${this.#seconds})`;
    await this.#db
      .insertInto("passkey_challenges")
      .columns(["session_id", "purpose", "challenge", "rp_id", "origin", "name", "expires_at"])
      // Of a session that has ended meanwhile, there is nothing to insert.
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

  /** Undefined where none waits, or it has expired. */
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
