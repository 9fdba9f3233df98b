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
}

/** Where a session is used from. */
export interface SessionOrigin {
  /** The client's address, past the trusted proxies. */
  readonly ip: string;
  readonly userAgent: string;
  /** From this machine, with no proxy in between. */
  readonly isDirect: boolean;
  /** Scheme, host and port that the caller asked for, past the trusted proxies. */
  readonly origin: string;
}

/** What a user has proven, as it was then. */
export interface Proof {
  readonly passwordHash: string;
  /** The card that was shown in place of the password. */
  readonly cardHash?: string;
  /** A second factor was proven besides the password. */
  readonly secondFactor?: boolean;
}

export type Refreshed =
  | { readonly session: OpenSession; readonly refreshToken: string }
  /** The token was stolen or replayed: the session is over. Or it is unknown, expired, or its user may not sign in. */
  | { readonly refused: "reused"; readonly sessionId: string; readonly userId: string }
  | { readonly refused: "invalid" };

/** A browser asks for some three thousand in thirty days. */
const mostTokens = 10_000;

const sessionColumns = [
  "sessions.id",
  "sessions.user_id as userId",
  "sessions.signed_in_at as signedInAt",
  "sessions.expires_at as expiresAt",
] as const;

/** Sessions and the refresh tokens that keep them going. A session that ends is deleted, and its tokens with it. Decision 0022. */
export class Sessions {
  readonly #db: Kysely<Database>;
  readonly #limits: SecurityLimits;

  constructor(db: Kysely<Database>, limits: SecurityLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /**
   * Starts a session of a user who has just proven this much. Undefined when the password was changed, the card unlinked
   * or the user locked meanwhile.
   */
  async start(purpose: SessionPurpose, userId: string, proof: Proof, from: SessionOrigin): Promise<OpenSession | undefined> {
    const started = await this.#starting(this.#db, purpose, userId, proof, from).executeTakeFirst();
    return started && open(started);
  }

  /** The same with its first refresh token, in one statement: a sign-in waits for each. */
  async startRenewable(
    userId: string,
    proof: Proof,
    from: SessionOrigin,
  ): Promise<{ session: OpenSession; refreshToken: string } | undefined> {
    const refreshToken = newSecret();
    const started = await this.#db
      .with("started", (db) => this.#starting(db, "ordinary", userId, proof, from))
      .with("given", (db) =>
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
    return started && { session: open(started), refreshToken };
  }

  #starting(
    db: Pick<Kysely<Database>, "insertInto">,
    purpose: SessionPurpose,
    userId: string,
    { passwordHash, cardHash, secondFactor = cardHash !== undefined }: Proof,
    from: SessionOrigin,
  ) {
    const { ip_address, user_agent } = originColumns(from);
    const lifetime = {
      ordinary: sql`make_interval(days => ${this.#limits.sessionDays})`,
      "password-reset": sql`make_interval(secs => ${this.#limits.passwordResetSeconds})`,
      "second-factor": sql`make_interval(secs => ${this.#limits.secondFactorSeconds})`,
    }[purpose];
    return db
      .insertInto("sessions")
      .columns(["id", "user_id", "purpose", "expires_at", "ip_address", "user_agent", "second_factor"])
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
          ])
          .where("users.id", "=", userId)
          .where("users.password_hash", "=", passwordHash)
          .where("users.locked", "=", false)
          .$if(cardHash !== undefined, (users) =>
            users.innerJoin("card_links", "card_links.user_id", "users.id").where("card_links.card_hash", "=", cardHash ?? ""),
          )
          // Waits for a lock or a change of password under way, which would otherwise miss this session.
          .forShare(),
      )
      .returning(sessionColumns);
  }

  /**
   * Spends a refresh token for its successor. A spent one whose successors were never used gets another one: its answer
   * was lost, or two tabs asked at once. When two of them have been used, two parties hold the session, and it ends: also by a
   * token that has expired since, with which its rightful holder may come back late.
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
        .where("refresh_tokens.hash", "=", hash)
        .where("sessions.expires_at", ">", sql<Date>`now()`)
        .where("users.locked", "=", false)
        // Refreshes of one session take turns.
        .forUpdate("sessions")
        .executeTakeFirst();
      if (!held) return { refused: "invalid" };
      if (await wasOvertaken(trx, held.id, hash, held.parentHash)) {
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
      return { session: open(held), refreshToken: await this.#giveSuccessor(trx, held.id, hash) };
    });
  }

  /** Whose session a refresh token belongs to, whether or not the token is still good for anything. */
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

  /** Ends the session of one step of signing in. False when it is over already. */
  async endStep(sessionId: string): Promise<boolean> {
    const { numDeletedRows } = await this.#db.deleteFrom("sessions").where("id", "=", sessionId).executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Ends the session of a refresh token, also of a spent or expired one. Answers its id, undefined when there is none. */
  async end(token: string): Promise<string | undefined> {
    const ended = await this.#db
      .deleteFrom("sessions")
      .where("id", "=", (tokens) => tokens.selectFrom("refresh_tokens").select("session_id").where("hash", "=", hashOfSecret(token)))
      .returning("id")
      .executeTakeFirst();
    return ended?.id;
  }

  /** Deletes sessions that are over, and those that nothing can renew any more. Their tokens tell of thieves as long as they live. */
  async sweep(): Promise<void> {
    await this.#db
      .deleteFrom("sessions")
      .where("expires_at", "<", sql<Date>`now()`)
      .execute();
    // An access token given with the last of them lives for a day at most.
    await sql`
      delete from sessions where purpose = 'ordinary' and signed_in_at < now() - interval '1 day' and not exists (
        select from refresh_tokens where session_id = sessions.id and expires_at > now() - interval '1 day'
      )`.execute(this.#db);
    // Somebody may renew a session all day long; no browser does.
    await sql`
      delete from refresh_tokens where expires_at < now() and session_id in (
        select session_id from refresh_tokens group by session_id having count(*) > ${mostTokens}
      )`.execute(this.#db);
  }

  get #tokenExpiry() {
    return sql<Date>`now() + make_interval(hours => ${this.#limits.refreshTokenHours})`;
  }

  async #giveSuccessor(trx: Transaction<Database>, sessionId: string, parentHash: string): Promise<string> {
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

/** Whether a child of the token was used, or a sibling: another token given for the same parent. */
async function wasOvertaken(trx: Transaction<Database>, sessionId: string, hash: string, parentHash: string | null): Promise<boolean> {
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

const open = (row: { id: string; userId: string; signedInAt: Date; expiresAt: Date }): OpenSession => ({
  id: row.id,
  userId: row.userId,
  signedInAtMs: row.signedInAt.getTime(),
  endsAtMs: row.expiresAt.getTime(),
});
