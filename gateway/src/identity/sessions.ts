import { randomUUID } from "node:crypto";
import { type Kysely, type Transaction, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { hashOfSecret, newSecret } from "./secret-token.ts";
import type { SecurityLimits } from "./security-limits.ts";
import type { SessionPurpose } from "./tables.ts";

/** A session that was just started or refreshed. */
export interface OpenSession {
  readonly id: string;
  readonly userId: string;
  readonly signedInAtMs: number;
  readonly endsAtMs: number;
  /** The session was started at the organization's OpenID Connect provider, which has to confirm its renewals. */
  readonly isFromProvider: boolean;
}

/** Address and browser that use a session. */
export interface SessionOrigin {
  /** The client's address behind trusted proxies. */
  readonly ip: string;
  readonly userAgent: string;
  /** Whether the client is on this machine without a proxy in between. */
  readonly isDirect: boolean;
  /** Requested scheme, host and port behind trusted proxies. */
  readonly origin: string;
}

/** Proofs that a user has given, as of the time of the check. */
export interface Proof {
  readonly passwordHash: string;
  /** The card that was used instead of the password. */
  readonly cardHash?: string;
  /** Whether a second factor was proven in addition to the password. */
  readonly secondFactor?: boolean;
}

/** Proven by the organization's OpenID Connect provider. */
export interface PersonProof {
  /** The person, whose link to the account is checked. */
  readonly personHash: string;
  /** When the person authenticated there; 0 if unknown, which is never recent. */
  readonly authenticatedAtMs: number;
}

export type Refreshed =
  | { readonly session: OpenSession; readonly refreshToken: string }
  /** `reused`: the token was stolen or replayed, and the session is ended. `invalid`: unknown, expired, or the user may not sign in. */
  | { readonly refused: "reused"; readonly sessionId: string; readonly userId: string }
  | { readonly refused: "invalid" };

/** A browser uses some three thousand in thirty days. */
const maxTokensPerSession = 10_000;

const sessionColumns = [
  "sessions.id",
  "sessions.user_id as userId",
  "sessions.signed_in_at as signedInAt",
  "sessions.expires_at as expiresAt",
] as const;

/** Sessions and their refresh tokens. A session that ends is deleted together with its tokens. Decision 0022. */
export class Sessions {
  readonly #db: Kysely<Database>;
  readonly #limits: SecurityLimits;

  constructor(db: Kysely<Database>, limits: SecurityLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /**
   * Starts a session for a user with this proof. Undefined if the password was changed, the card unlinked or the user locked
   * since the proof.
   */
  async start(purpose: SessionPurpose, userId: string, proof: Proof, from: SessionOrigin): Promise<OpenSession | undefined> {
    const started = await this.#insertSession(this.#db, purpose, userId, proof, from).executeTakeFirst();
    return started && toOpenSession(started, false);
  }

  /** Like `start`, with the first refresh token. A single statement, to keep sign-ins fast. */
  async startRenewable(
    userId: string,
    proof: Proof,
    from: SessionOrigin,
  ): Promise<{ session: OpenSession; refreshToken: string } | undefined> {
    const refreshToken = newSecret();
    const started = await this.#db
      .with("started", (db) => this.#insertSession(db, "ordinary", userId, proof, from))
      .with("inserted_token", (db) =>
        db
          .insertInto("refresh_tokens")
          .columns(["hash", "session_id", "expires_at"])
          .expression((tokens) =>
            tokens
              .selectFrom("started")
              .select([sql<string>`${hashOfSecret(refreshToken)}`.as("hash"), "started.id", this.#tokenExpiry.as("expires_at")]),
          ),
      )
      .selectFrom("started")
      .selectAll()
      .executeTakeFirst();
    return started && { session: toOpenSession(started, false), refreshToken };
  }

  /** Like `startRenewable`, for a session of the provider. `keep` stores what belongs to it in the same transaction. */
  async startFromProvider(
    userId: string,
    proof: PersonProof,
    from: SessionOrigin,
    keep: (trx: Transaction<Database>, sessionId: string) => Promise<void>,
  ): Promise<{ session: OpenSession; refreshToken: string } | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      const started = await this.#insertSession(trx, "ordinary", userId, proof, from).executeTakeFirst();
      if (!started) return undefined;
      const refreshToken = await this.#createToken(trx, started.id, null);
      await keep(trx, started.id);
      return { session: toOpenSession(started, true), refreshToken };
    });
  }

  #insertSession(
    db: Pick<Kysely<Database>, "insertInto">,
    purpose: SessionPurpose,
    userId: string,
    proof: Proof | PersonProof,
    from: SessionOrigin,
  ) {
    const { passwordHash, cardHash, secondFactor, personHash, authenticatedAt } = provenBy(proof);
    const { ip_address, user_agent } = originColumns(from);
    const lifetime = {
      ordinary: sql`make_interval(days => ${this.#limits.sessionDays})`,
      "password-reset": sql`make_interval(secs => ${this.#limits.passwordResetSeconds})`,
      "second-factor": sql`make_interval(secs => ${this.#limits.secondFactorSeconds})`,
    }[purpose];
    return db
      .insertInto("sessions")
      .columns(["id", "user_id", "purpose", "expires_at", "ip_address", "user_agent", "second_factor", "authenticated_at"])
      .expression((sessions) =>
        sessions
          .selectFrom("users")
          .select([
            sql<string>`${randomUUID()}`.as("id"),
            "users.id as user_id",
            sql<typeof purpose>`${purpose}`.as("purpose"),
            sql<Date>`now() + ${lifetime}`.as("expires_at"),
            sql<string>`${ip_address}`.as("ip_address"),
            sql<string>`${user_agent}`.as("user_agent"),
            sql<boolean>`${secondFactor}::boolean`.as("second_factor"),
            sql<Date | null>`case when ${authenticatedAt}::timestamptz < now() then ${authenticatedAt}::timestamptz end`.as(
              "authenticated_at",
            ),
          ])
          .where("users.id", "=", userId)
          .where("users.locked", "=", false)
          .$if(passwordHash !== undefined, (users) => users.where("users.password_hash", "=", passwordHash ?? ""))
          .$if(personHash !== undefined, (users) =>
            users
              .innerJoin("provider_links", "provider_links.user_id", "users.id")
              .where("provider_links.person_hash", "=", personHash ?? ""),
          )
          .$if(cardHash !== undefined, (users) =>
            users.innerJoin("card_links", "card_links.user_id", "users.id").where("card_links.card_hash", "=", cardHash ?? ""),
          )
          // Waits for a concurrent lock or password change, which would otherwise miss this session.
          .forShare(),
      )
      .returning(sessionColumns);
  }

  /**
   * Exchanges a refresh token for its successor. A spent token whose successors were never used gets another one, because the
   * response may have been lost or two tabs may refresh concurrently. If two of the successors have been used, two parties hold
   * the session, so it is ended. This also applies to an expired token, with which its rightful holder may come back late.
   */
  async refresh(token: string, from: SessionOrigin): Promise<Refreshed> {
    const hash = hashOfSecret(token);
    return this.#db.transaction().execute(async (trx): Promise<Refreshed> => {
      const held = await trx
        .selectFrom("refresh_tokens")
        .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
        .innerJoin("users", "users.id", "sessions.user_id")
        .select(sessionColumns)
        .select("refresh_tokens.parent_hash as parentHash")
        .select(sql<boolean>`refresh_tokens.expires_at <= now()`.as("isExpired"))
        .select(sql<boolean>`exists (select from provider_sessions where session_id = sessions.id)`.as("isFromProvider"))
        .where("refresh_tokens.hash", "=", hash)
        .where("sessions.expires_at", ">", sql<Date>`now()`)
        .where("users.locked", "=", false)
        // Serializes refreshes of a session.
        .forUpdate("sessions")
        .executeTakeFirst();
      if (!held) return { refused: "invalid" };
      if (await isSuperseded(trx, held.id, hash, held.parentHash)) {
        await trx.deleteFrom("sessions").where("id", "=", held.id).execute();
        return { refused: "reused", sessionId: held.id, userId: held.userId };
      }
      if (held.isExpired) return { refused: "invalid" };
      await trx.updateTable("refresh_tokens").set({ spent: true }).where("hash", "=", hash).execute();
      await trx
        .updateTable("sessions")
        .set({ ...originColumns(from), last_used_at: sql<Date>`now()` })
        .where("id", "=", held.id)
        .execute();
      return { session: toOpenSession(held, held.isFromProvider), refreshToken: await this.#createToken(trx, held.id, hash) };
    });
  }

  /** The username of a refresh token's session, even if the token is no longer valid. */
  async usernameOf(token: string): Promise<string | undefined> {
    const holder = await this.#db
      .selectFrom("refresh_tokens")
      .innerJoin("sessions", "sessions.id", "refresh_tokens.session_id")
      .innerJoin("users", "users.id", "sessions.user_id")
      .select("users.username")
      .where("refresh_tokens.hash", "=", hashOfSecret(token))
      .executeTakeFirst();
    return holder?.username;
  }

  /** Ends the session of one step of a sign-in. False if it has already ended. */
  async endStep(sessionId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.deleteFrom("sessions").where("id", "=", sessionId).executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Ends the session of a refresh token, even a spent or expired one. Returns the session's id; undefined if there is none. */
  async end(token: string): Promise<string | undefined> {
    const ended = await this.#db
      .deleteFrom("sessions")
      .where("id", "=", (tokens) => tokens.selectFrom("refresh_tokens").select("session_id").where("hash", "=", hashOfSecret(token)))
      .returning("id")
      .executeTakeFirst();
    return ended?.id;
  }

  /** Deletes expired sessions and sessions that cannot be renewed any more. Until then, their spent tokens detect theft. */
  async sweep(): Promise<void> {
    await this.#db
      .deleteFrom("sessions")
      .where("expires_at", "<", sql<Date>`now()`)
      .execute();
    // The last access token of a session is valid for a day at most.
    await sql`
      delete from sessions where purpose = 'ordinary' and signed_in_at < now() - interval '1 day' and not exists (
        select from refresh_tokens where session_id = sessions.id and expires_at > now() - interval '1 day'
      )`.execute(this.#db);
    // Limits sessions that are renewed much more often than a browser does.
    await sql`
      delete from refresh_tokens where expires_at < now() and session_id in (
        select session_id from refresh_tokens group by session_id having count(*) > ${maxTokensPerSession}
      )`.execute(this.#db);
  }

  get #tokenExpiry() {
    return sql<Date>`now() + make_interval(hours => ${this.#limits.refreshTokenHours})`;
  }

  async #createToken(trx: Transaction<Database>, sessionId: string, parentHash: string | null): Promise<string> {
    const token = newSecret();
    await trx
      .insertInto("refresh_tokens")
      .values({
        hash: hashOfSecret(token),
        session_id: sessionId,
        parent_hash: parentHash,
        expires_at: this.#tokenExpiry,
      })
      .execute();
    return token;
  }
}

/** Whether a successor of the token was used, or a sibling (another successor of the same parent). */
async function isSuperseded(trx: Transaction<Database>, sessionId: string, hash: string, parentHash: string | null): Promise<boolean> {
  const used = await trx
    .selectFrom("refresh_tokens")
    .select("hash")
    .where("session_id", "=", sessionId)
    .where("spent", "=", true)
    .where((row) =>
      row.or([
        row("parent_hash", "=", hash),
        ...(parentHash === null ? [] : [row.and([row("parent_hash", "=", parentHash), row("hash", "!=", hash)])]),
      ]),
    )
    .executeTakeFirst();
  return used !== undefined;
}

const originColumns = ({ ip, userAgent }: SessionOrigin) => ({ ip_address: ip.slice(0, 64), user_agent: userAgent.slice(0, 500) });

/** The part of a proof that is stored with a session. Every proof has one of the hashes. */
function provenBy(proof: Proof | PersonProof) {
  if ("personHash" in proof) {
    const { personHash, authenticatedAtMs } = proof;
    // The provider may have asked for a second factor, which is its business.
    return { personHash, authenticatedAt: new Date(authenticatedAtMs), secondFactor: true, passwordHash: undefined, cardHash: undefined };
  }
  const { passwordHash, cardHash, secondFactor = cardHash !== undefined } = proof;
  return { passwordHash, cardHash, secondFactor, personHash: undefined, authenticatedAt: null };
}

const toOpenSession = (row: { id: string; userId: string; signedInAt: Date; expiresAt: Date }, isFromProvider: boolean): OpenSession => ({
  id: row.id,
  userId: row.userId,
  signedInAtMs: row.signedInAt.getTime(),
  endsAtMs: row.expiresAt.getTime(),
  isFromProvider,
});
