import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { type Kysely, type Transaction, sql } from "kysely";
import { LRUCache } from "lru-cache";
import type { Database } from "#database/schema.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { Refusal } from "#http/refusal.ts";
import type { SecurityLimits } from "./security-limits.ts";
import { usernameKey } from "./username.ts";

/** A place among an account's failures, taken before the password is checked. */
export interface Reservation {
  readonly account: string;
  readonly address: string;
  readonly failureId: string;
  /** The account is locked for this address: the sign-in fails whatever the password. */
  readonly locked: boolean;
}

/** What a sign-in without a verdict may have left; without a failure, the address's count alone. */
interface Unjudged {
  readonly address: string;
  failureId: string | undefined;
}

/** Of a flood during an outage, so many are remembered. */
const maxUnjudged = 10_000;

/** Locks for every address. */
const anywhere = "*";

// A check takes some 10 ms. One that is open for longer belongs to a gateway that died, and counts as failed.
const pendingSeconds = 10;
const pendingPollMs = 25;

/**
 * Counts sign-ins in the database, so that several gateways count together. Decision 0023.
 *
 * A sign-in counts as failed before its password is checked and is taken back when it was right. Whatever arrives in
 * parallel, no more passwords are compared than the limits allow; who would exceed one only because of checks still open
 * waits for those.
 */
export class LoginThrottle {
  readonly #db: Kysely<Database>;
  readonly #limits: SecurityLimits;
  /** Address → end of its refusal (epoch ms): a flood costs no SQL once it is known as one. */
  readonly #refused = new LRUCache<string, number>({ max: 20_000 });
  readonly #unjudged: Unjudged[] = [];

  constructor(db: Kysely<Database>, limits: SecurityLimits) {
    this.#db = db;
    this.#limits = limits;
  }

  /** Counts a sign-in of `address`. Refuses with `too-many-requests` when it had too many in this minute, or too many failed. */
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

  /** A sign-in of `address` failed before anything told whose it was. */
  async countFailure(address: string): Promise<void> {
    await this.#db
      .updateTable("login_rates")
      .set({ failures: sql<number>`failures + 1` })
      .where("address", "=", address)
      .execute();
  }

  /**
   * Reserves a failure, and judges the sign-in, which ends with `takeBack` or `confirm`. One that the database's failure left
   * without a verdict does not count: an outage must not lock anybody out. It is taken back before the next reservation.
   */
  async judged<T>(username: string, address: string, judge: (reservation: Reservation) => Promise<T>): Promise<T> {
    const unjudged: Unjudged = { address, failureId: undefined };
    try {
      const reservation = await this.#reserve(username, address);
      unjudged.failureId = reservation.failureId;
      return await judge(reservation);
    } catch (error) {
      if (error instanceof DatabaseUnavailable && this.#unjudged.length < maxUnjudged) this.#unjudged.push(unjudged);
      throw error;
    }
  }

  /** Takes a place among the failures of the address and of the account, before the password is checked. */
  async #reserve(username: string, address: string): Promise<Reservation> {
    await this.#forgetUnjudged();
    const rate = await this.#db
      .updateTable("login_rates")
      .set({ failures: sql<number>`failures + 1` })
      .where("address", "=", address)
      .where("failures", "<", this.#limits.loginFailuresPerMinute)
      .returning("address")
      .executeTakeFirst();
    if (!rate) this.#refuse(address, await this.#secondsLeft(address));
    const account = accountKey(username);
    const giveUpAtMs = Date.now() + (pendingSeconds + 1) * 1_000;
    while (Date.now() < giveUpAtMs) {
      const place = await this.#takePlace(account, address);
      if (place !== "wait") return { account, address, ...place };
      await delay(pendingPollMs);
    }
    throw new Refusal("not-ready", "This account is being signed in too often at this moment. Please try again.", { retryAfterSeconds: 2 });
  }

  /** The password was right: the reserved failure never was one. */
  async takeBack({ failureId, address }: Unjudged): Promise<void> {
    await this.#db
      .with("taken_back", (db) => db.deleteFrom("login_failures").where("id", "=", failureId ?? null))
      .updateTable("login_rates")
      .set({ failures: sql<number>`greatest(failures - 1, 0)` })
      .where("address", "=", address)
      .execute();
  }

  /**
   * The sign-in failed: it stays counted, and locks the account when it was one too many. Answers whether it did.
   * A sign-in of a locked account reads and writes as much, so that it takes the same time, but does not count.
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
        .values({ account, address: reachesAnywhere ? anywhere : address, until: sql<Date>`now() + ${this.#lockout}` })
        .onConflict((conflict) => conflict.columns(["account", "address"]).doUpdateSet({ until: (row) => row.ref("excluded.until") }))
        .execute();
      return { locks: reachesAnywhere ? "anywhere" : "address" };
    });
  }

  /** Whether failures lock the account for any address. */
  async isLocked(username: string): Promise<boolean> {
    const lock = await this.#db
      .selectFrom("login_locks")
      .select("account")
      .where("account", "=", accountKey(username))
      .where("until", ">", sql<Date>`now()`)
      .executeTakeFirst();
    return lock !== undefined;
  }

  /** Those of these usernames that are locked so. Who is in a transaction asks in it: waiting for a second connection can starve all. */
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

  /** Forgets an account's failures and the locks they caused. */
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

  async #forgetUnjudged(): Promise<void> {
    while (this.#unjudged.length > 0) {
      const mine = this.#unjudged.splice(0);
      for (let next = mine.shift(); next !== undefined; next = mine.shift()) {
        try {
          await this.takeBack(next);
        } catch (error) {
          this.#unjudged.push(next, ...mine);
          throw error;
        }
      }
    }
  }

  /** One statement: a sign-in waits for each. Its counting holds the account's lock until the place is taken. */
  async #takePlace(account: string, address: string): Promise<{ failureId: string; locked: boolean } | "wait"> {
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
    const [place] = rows;
    return place?.failureId == null ? "wait" : { failureId: place.failureId, locked: place.locked };
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

// The lock that count_login_failures takes. The second number keeps these locks apart from all others.
const lockAccount = (trx: Transaction<Database>, account: string) =>
  sql`select pg_advisory_xact_lock(hashtextextended(${account}, 1))`.execute(trx);
