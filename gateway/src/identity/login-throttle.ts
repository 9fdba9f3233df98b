import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type Transaction, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { Refusal } from "#http/refusal.ts";
import type { SecurityLimits } from "./security-limits.ts";
import { usernameKey } from "./username.ts";

/** A failure of an account, recorded before the password is checked. */
export interface Reservation {
  readonly account: string;
  readonly address: string;
  readonly failureId: string;
  /** The account is locked for this address, so the sign-in fails with any password. */
  readonly locked: boolean;
}

/** A sign-in without an outcome. Without a failure id, only the address's count was increased. */
interface UndecidedAttempt {
  readonly address: string;
  failureId: string | undefined;
}

/** Limits memory in a flood of sign-ins during an outage. */
const maxUndecided = 10_000;

/** Address of a lock for all addresses. */
const anyAddress = "*";

// A check takes some 10 ms. One that stays pending longer belongs to a crashed gateway and counts as failed.
const pendingSeconds = 10;
const pendingPollMs = 25;

/**
 * Counts sign-ins in the database, so that limits apply across gateways. Decision 0023.
 *
 * A sign-in is recorded as failed before its password is checked, and the failure is released if the password was right. So
 * concurrent sign-ins never compare more passwords than the limits allow. A sign-in that would exceed a limit only because of
 * pending checks waits for those.
 */
export class LoginThrottle {
  readonly #db: Kysely<Database>;
  readonly #limits: SecurityLimits;
  /** Address → end of its refusal (epoch ms). Avoids SQL for an address that is already refused. */
  readonly #refused = new LRUCache<string, number>({ max: 20_000 });
  readonly #undecided: UndecidedAttempt[] = [];

  constructor(db: Kysely<Database>, limits: SecurityLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Counts a sign-in from an address. Refuses with `too-many-requests` after too many attempts or failures in this minute. */
  async countAttempt(address: string): Promise<void> {
    const refusedUntilMs = this.#refused.get(address) ?? 0;
    if (refusedUntilMs > Date.now()) throw tooMany((refusedUntilMs - Date.now()) / 1_000);
    const expired = sql<boolean>`login_rates.window_start <= now() - interval '1 minute'`;
    const rate = await this.#db
      .insertInto("login_rates")
      .values({ address, window_start: sql<Date>`now()`, attempts: 1, failures: 0 })
      .onConflict((conflict) =>
        conflict.column("address").doUpdateSet({
          window_start: sql<Date>`case when ${expired} then now() else login_rates.window_start end`,
          attempts: sql<number>`case when ${expired} then 1 else login_rates.attempts + 1 end`,
          failures: sql<number>`case when ${expired} then 0 else login_rates.failures end`,
        }),
      )
      .returning(["attempts", "failures", secondsLeft.as("secondsLeft")])
      .executeTakeFirstOrThrow();
    const tooOften = rate.attempts > this.#limits.loginAttemptsPerMinute || rate.failures >= this.#limits.loginFailuresPerMinute;
    if (tooOften) this.#refuse(address, rate.secondsLeft);
  }

  /** Counts a failed sign-in from an address whose user is unknown. */
  async countFailure(address: string): Promise<void> {
    await this.#db
      .updateTable("login_rates")
      .set({ failures: sql<number>`failures + 1` })
      .where("address", "=", address)
      .execute();
  }

  /**
   * Reserves a failure and runs the sign-in, which ends with `release` or `confirm`. A sign-in that is undecided because of a
   * database outage does not count, because an outage must not lock users out. It is released before the next reservation.
   */
  async withReservation<T>(username: string, address: string, signIn: (reservation: Reservation) => Promise<T>): Promise<T> {
    const attempt: UndecidedAttempt = { address, failureId: undefined };
    try {
      const reservation = await this.#reserve(username, address);
      attempt.failureId = reservation.failureId;
      return await signIn(reservation);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && this.#undecided.length < maxUndecided) this.#undecided.push(attempt);
      throw error;
    }
  }

  /** Records a failure of the address and of the account before the password is checked. */
  async #reserve(username: string, address: string): Promise<Reservation> {
    await this.#releaseUndecided();
    const rate = await this.#db
      .updateTable("login_rates")
      .set({ failures: sql<number>`failures + 1` })
      .where("address", "=", address)
      .where("failures", "<", this.#limits.loginFailuresPerMinute)
      .returning("address")
      .executeTakeFirst();
    if (!rate) this.#refuse(address, await this.#secondsLeft(address));
    const account = accountKey(username);
    const deadlineMs = Date.now() + (pendingSeconds + 1) * 1_000;
    while (Date.now() < deadlineMs) {
      const failure = await this.#tryReserve(account, address);
      if (failure !== "wait") return { account, address, ...failure };
      await delay(pendingPollMs);
    }
    throw new Refusal("not-ready", "There are too many sign-in attempts for this account. Please try again in a moment.", {
      retryAfterSeconds: 2,
    });
  }

  /** Removes the reserved failure after a correct password. */
  async release({ failureId, address }: UndecidedAttempt): Promise<void> {
    await this.#db
      .with("taken_back", (db) => db.deleteFrom("login_failures").where("id", "=", failureId ?? null))
      .updateTable("login_rates")
      .set({ failures: sql<number>`greatest(failures - 1, 0)` })
      .where("address", "=", address)
      .execute();
  }

  /**
   * Confirms the reserved failure, and locks the account if the limit is reached. Returns the scope of the new lock. A sign-in
   * to a locked account runs the same statements, so that it takes the same time, but does not count.
   */
  async confirm({ account, address, failureId, locked }: Reservation): Promise<{ locks: "address" | "anywhere" | undefined }> {
    return this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, account);
      await trx
        .updateTable("login_failures")
        .set({ state: locked ? "void" : "failed" })
        .where("id", "=", failureId)
        .execute();
      const counts = await this.#counts(trx, account, address);
      if (locked) return { locks: undefined };
      const reachesAnywhere = counts.failedAnywhere >= this.#limits.lockoutFailuresAnywhere;
      const reachesAddress = counts.failedHere >= this.#limits.lockoutFailuresPerAddress;
      if (!reachesAnywhere && !reachesAddress) return { locks: undefined };
      await trx
        .insertInto("login_locks")
        .values({ account, address: reachesAnywhere ? anyAddress : address, until: sql<Date>`now() + ${this.#lockout}` })
        .onConflict((conflict) => conflict.columns(["account", "address"]).doUpdateSet({ until: (row) => row.ref("excluded.until") }))
        .execute();
      return { locks: reachesAnywhere ? "anywhere" : "address" };
    });
  }

  /** Whether the account has a lockout for any address. */
  async isLocked(username: string): Promise<boolean> {
    const lock = await this.#db
      .selectFrom("login_locks")
      .select("account")
      .where("account", "=", accountKey(username))
      .where("until", ">", sql<Date>`now()`)
      .executeTakeFirst();
    return lock !== undefined;
  }

  /** Those of these usernames that have such a lockout. Pass the current transaction: waiting for a second connection can cause a deadlock. */
  async lockedAmong(usernames: readonly string[], db: Kysely<Database>): Promise<Set<string>> {
    const rows = await db
      .selectFrom("login_locks")
      .select("account")
      .where("until", ">", sql<Date>`now()`)
      .execute();
    if (rows.length === 0) return new Set();
    const locked = new Set(rows.map(({ account }) => account));
    return new Set(usernames.filter((username) => locked.has(accountKey(username))));
  }

  /** Deletes an account's failures and lockouts. */
  async forgive(username: string): Promise<void> {
    const account = accountKey(username);
    await this.#db.transaction().execute(async (trx) => {
      await lockAccount(trx, account);
      await trx.deleteFrom("login_locks").where("account", "=", account).execute();
      await trx.deleteFrom("login_failures").where("account", "=", account).execute();
    });
  }

  /** Deletes what no longer counts. */
  async sweep(): Promise<void> {
    await this.#db
      .deleteFrom("login_failures")
      .where(sql<boolean>`at < now() - ${this.#lockout}`)
      .execute();
    await this.#db
      .deleteFrom("login_locks")
      .where(sql<boolean>`until < now()`)
      .execute();
    await this.#db
      .deleteFrom("login_rates")
      .where(sql<boolean>`window_start < now() - interval '10 minutes'`)
      .execute();
  }

  async #releaseUndecided(): Promise<void> {
    while (this.#undecided.length > 0) {
      const attempts = this.#undecided.splice(0);
      for (let next = attempts.shift(); next !== undefined; next = attempts.shift()) {
        try {
          await this.release(next);
        } catch (error) {
          this.#undecided.push(next, ...attempts);
          throw error;
        }
      }
    }
  }

  /** A single statement, to keep sign-ins fast. Counting takes the account's lock, which is held until the failure is recorded. */
  async #tryReserve(account: string, address: string): Promise<{ failureId: string; locked: boolean } | "wait"> {
    const { lockoutFailuresPerAddress: perAddress, lockoutFailuresAnywhere } = this.#limits;
    const { rows } = await sql<{ failureId: string | null; locked: boolean }>`
      with counts as materialized (select * from ${this.#countFailures(account, address)}),
      verdict as (
        select locked or failed_here >= ${perAddress} or failed_anywhere >= ${lockoutFailuresAnywhere} as locked,
          here >= ${perAddress} or anywhere >= ${lockoutFailuresAnywhere} as must_wait
        from counts
      ),
      place as (
        insert into login_failures (account, address, state)
        select ${account}, ${address}, case when locked then 'void' else 'pending' end from verdict where locked or not must_wait
        returning id
      )
      select place.id as "failureId", verdict.locked from verdict left join place on true
    `.execute(this.#db);
    const [failure] = rows;
    return failure?.failureId == null ? "wait" : { failureId: failure.failureId, locked: failure.locked };
  }

  async #counts(trx: Transaction<Database>, account: string, address: string) {
    const { rows } = await sql<{ failedHere: number; failedAnywhere: number }>`
      select failed_here as "failedHere", failed_anywhere as "failedAnywhere" from ${this.#countFailures(account, address)}
    `.execute(trx);
    return rows[0] ?? { failedHere: 0, failedAnywhere: 0 };
  }

  #countFailures(account: string, address: string) {
    return sql`count_login_failures(${account}, ${address}, ${this.#lockout}, make_interval(secs => ${pendingSeconds}))`;
  }

  get #lockout() {
    return sql`make_interval(mins => ${this.#limits.lockoutMinutes})`;
  }

  async #secondsLeft(address: string): Promise<number> {
    const rate = await this.#db
      .selectFrom("login_rates")
      .select(secondsLeft.as("secondsLeft"))
      .where("address", "=", address)
      .executeTakeFirst();
    return rate?.secondsLeft ?? 1;
  }

  #refuse(address: string, seconds: number): never {
    this.#refused.set(address, Date.now() + seconds * 1_000);
    throw tooMany(seconds);
  }
}

const secondsLeft = sql<number>`greatest(1, ceil(extract(epoch from login_rates.window_start + interval '1 minute' - now())))::int`;

const tooMany = (seconds: number) =>
  new Refusal("too-many-requests", "Too many sign-ins from this address. Please wait a minute and try again.", {
    retryAfterSeconds: seconds,
  });

const accountKey = (username: string) => createHash("sha256").update(usernameKey(username)).digest("hex");

// The lock that count_login_failures takes. The hash seed separates these locks from others.
const lockAccount = (trx: Transaction<Database>, account: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${account}, 1))`.execute(trx);
