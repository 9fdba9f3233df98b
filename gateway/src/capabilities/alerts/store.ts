import type { AlertCheck, AlertCondition } from "@fairway/contract/alerts";
import { alertLimits } from "@fairway/contract/alerts";
import type { Limits } from "@fairway/contract/limits";
import {
  type ColumnType,
  type Generated,
  type GeneratedAlways,
  type JSONColumnType,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
} from "kysely";
import type { Database } from "#database/schema.ts";
import type { ScopeKeys } from "#personal/scope-keys.ts";
import { addDeliveries, type NewDelivery } from "./deliveries.ts";
import type { AlertMemory } from "./judge.ts";
import { lockUser } from "#personal/lock-user.ts";

/** Written as a number, read as a string. */
type BigInteger = ColumnType<string | null, number | null | undefined, number | null>;

export type PausedBy = "owner" | "portal" | "administrator";

declare module "#database/schema.ts" {
  interface Database {
    alerts: {
      id: string;
      user_id: string;
      name: string;
      name_key: string;
      saved_search_id: string | null;
      category: string;
      dataset_id: string;
      condition: JSONColumnType<AlertCondition>;
      every_minutes: number;
      tell_when_over: boolean;
      email: boolean;
      /** Whether the condition held at the last check. */
      is_firing: Generated<boolean>;
      memory: JSONColumnType<AlertMemory> | null;
      /** The parts of its datasets that its owner saw when memory and figures were stored. */
      scope_keys: JSONColumnType<ScopeKeys> | null;
      paused_by: PausedBy | null;
      /** A sentence; empty where its owner paused it. */
      pause_reason: Generated<string>;
      snoozed_until: Date | null;
      /** Checks that failed since the last successful one. */
      failures: Generated<number>;
      checked_at: Date | null;
      seen_rows: BigInteger;
      seen_newest_ms: BigInteger;
      /** Null while nothing is to be done. */
      next_check_at: Date | null;
      /** Names the check that a gateway is busy with. Results of others are ignored. */
      claim: string | null;
      claimed_at: Date | null;
      /** When other gateways may take over. */
      claimed_until: Date | null;
      tested_at: Date | null;
      created_at: ColumnType<Date, never, never>;
    };
    alert_checks: {
      /** Orders checks, newest last. */
      id: GeneratedAlways<string>;
      alert_id: string;
      checked_at: ColumnType<Date, never, never>;
      kind: AlertCheck["kind"];
      /** Whether it differs from the check before, failed or sent a message. */
      is_change: boolean;
      rows: BigInteger;
      new_rows: BigInteger;
      newest_ms: BigInteger;
      scope_keys: JSONColumnType<ScopeKeys> | null;
      told: AlertCheck["told"];
      reason: string;
      duration_ms: number;
    };
  }
}

/** With its saved search as it is now, and its webhook. */
export type AlertRow = Selectable<Database["alerts"]> & {
  readonly saved_search_name: string | null;
  /** Its owner's id; null if that account is gone, or the search. */
  readonly saved_search_owner: string | null;
  readonly query: string | null;
  readonly webhook_target: string | null;
  readonly webhook_problem: string | null;
  readonly webhook_dead_at: Date | null;
};

/** An alert whose check has been assigned to this gateway. */
export type ClaimedAlert = AlertRow & { readonly claim: string; readonly is_snoozed: boolean };

export type CheckRow = Selectable<Database["alert_checks"]>;

/** Changes that a check makes to an alert. */
export interface CheckOutcome {
  readonly check: Pick<CheckRow, "kind" | "told" | "reason"> & { readonly durationMs: number; readonly isChange: boolean };
  readonly isFiring: boolean;
  /** Undefined: as before. */
  readonly memory?: AlertMemory;
  readonly seen?: { readonly rows: number | null; readonly newRows: number | null; readonly newestMs: number | null };
  /** Of memory and what was seen. */
  readonly scopeKeys?: ScopeKeys;
  readonly failures: number;
  /** Messages for the webhook, if it has one. */
  readonly deliveries: readonly NewDelivery[];
  /** Stores the messages for the owner together with the check; undefined if there are none. */
  readonly notify?: (transaction: Transaction<Database>) => Promise<void>;
  readonly pause: { readonly by: PausedBy; readonly reason: string } | null;
  /** Seconds from now until the next check; `in-turn`: at its interval; null: none. */
  readonly next: number | "in-turn" | null;
}

/** How many checks of one person the caller may have under way, and how many each has now. */
export interface CheckShares {
  readonly perUser: number;
  readonly runningOf: ReadonlyMap<string, number>;
}

const now = sql<Date>`now()`;

/** The alerts of all gateways. Decision 0604. */
export class AlertStore {
  readonly #db: Kysely<Database>;
  readonly #limits: Pick<Limits, "alertCheckMs" | "alertHistoryDays">;

  constructor(db: Kysely<Database>, limits: Pick<Limits, "alertCheckMs" | "alertHistoryDays">) {
    this.#db = db;
    this.#limits = limits;
  }

  /** The user's own alert. */
  find(userId: string, id: string): Promise<AlertRow | undefined> {
    return this.#rows().where("alerts.id", "=", id).where("alerts.user_id", "=", userId).executeTakeFirst();
  }

  /** By name. */
  listFor(userId: string): Promise<AlertRow[]> {
    return this.#rows().where("alerts.user_id", "=", userId).orderBy("alerts.name_key").orderBy("alerts.id").execute();
  }

  /** With their saved searches and webhooks. */
  #rows() {
    return this.#db
      .selectFrom("alerts")
      .leftJoin("saved_searches", "saved_searches.id", "alerts.saved_search_id")
      .leftJoin("alert_webhooks", "alert_webhooks.alert_id", "alerts.id")
      .selectAll("alerts")
      .select([
        "saved_searches.name as saved_search_name",
        "saved_searches.user_id as saved_search_owner",
        "saved_searches.query",
        "alert_webhooks.target as webhook_target",
        "alert_webhooks.problem as webhook_problem",
        "alert_webhooks.dead_at as webhook_dead_at",
      ]);
  }

  /**
   * Assigns up to `count` due checks to the caller. People take turns: whose last check is longest ago goes first, and then the second
   * of each, up to the share of a person. A gateway that does not answer in time loses its checks to others.
   */
  async claim(count: number, claim: string, { perUser, runningOf }: CheckShares): Promise<ClaimedAlert[]> {
    const leaseSeconds = this.#limits.alertCheckMs / 1_000 + 30;
    const isDue = sql<boolean>`next_check_at <= now() and (claimed_until is null or claimed_until <= now())`;
    const { rows } = await sql<{ id: string }>`
      with due as (
        select id, user_id, next_check_at, row_number() over (partition by user_id order by next_check_at, id) as turn
        from alerts where ${isDue}
      ), served as (
        select user_id, max(claimed_at) as at from alerts where user_id in (select user_id from due) group by user_id
      ), chosen as (
        select due.id from due join served using (user_id)
        where turn <= ${perUser} - coalesce((${JSON.stringify(Object.fromEntries(runningOf))}::jsonb ->> user_id)::integer, 0)
        order by due.turn, served.at nulls first, due.next_check_at, due.id limit ${count}
      ), locked as (
        select id from alerts where id in (select id from chosen) and ${isDue} for update skip locked
      )
      update alerts set claim = ${claim}, claimed_at = clock_timestamp(), claimed_until = now() + make_interval(secs => ${leaseSeconds})
      where id in (select id from locked) returning id`.execute(this.#db);
    if (rows.length === 0) return [];
    const claimed = await this.#rows()
      .select(sql<boolean>`coalesce(alerts.snoozed_until > now(), false)`.as("is_snoozed"))
      .where(
        "alerts.id",
        "in",
        rows.map(({ id }) => id),
      )
      .where("alerts.claim", "=", claim)
      .execute();
    return claimed.map((row) => Object.assign(row, { claim }));
  }

  /** Stores the result of a check. False if it is not the caller's any more, because it took too long or the alert was changed. */
  async finish({ id, claim, user_id: userId }: Pick<ClaimedAlert, "id" | "claim" | "user_id">, outcome: CheckOutcome): Promise<boolean> {
    const { check, seen, memory, scopeKeys, pause, next, notify } = outcome;
    const keys = scopeKeys === undefined ? null : JSON.stringify(scopeKeys);
    return this.#db.transaction().execute(async (trx) => {
      if (notify !== undefined) await lockUser(trx, userId);
      const { numUpdatedRows } = await trx
        .updateTable("alerts")
        .set({
          is_firing: outcome.isFiring,
          failures: outcome.failures,
          paused_by: pause?.by ?? null,
          pause_reason: pause?.reason ?? "",
          checked_at: now,
          next_check_at: next === "in-turn" ? inTurn : next === null ? null : sql<Date>`now() + make_interval(secs => ${next})`,
          claim: null,
          claimed_until: null,
          ...(memory === undefined ? {} : { memory: JSON.stringify(memory), scope_keys: keys }),
          ...(seen === undefined ? {} : { seen_rows: seen.rows, seen_newest_ms: seen.newestMs }),
        })
        .where("id", "=", id)
        .where("claim", "=", claim)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return false;
      await trx
        .insertInto("alert_checks")
        .values({
          alert_id: id,
          kind: check.kind,
          is_change: check.isChange,
          rows: seen?.rows ?? null,
          new_rows: seen?.newRows ?? null,
          newest_ms: seen?.newestMs ?? null,
          scope_keys: keys,
          told: check.told,
          reason: storable(check.reason),
          duration_ms: Math.round(check.durationMs),
        })
        .execute();
      await addDeliveries(trx, id, outcome.deliveries);
      await notify?.(trx);
      return true;
    });
  }

  /** Gives a check back, to be done after so many seconds. */
  async postpone({ id, claim }: Pick<ClaimedAlert, "id" | "claim">, seconds: number): Promise<void> {
    await this.#db
      .updateTable("alerts")
      .set({ claim: null, claimed_until: null, next_check_at: sql<Date>`now() + make_interval(secs => ${seconds})` })
      .where("id", "=", id)
      .where("claim", "=", claim)
      .execute();
  }

  /** Newest first, one more than a page. */
  async history(alertId: string, before: string | undefined, onlyChanges: boolean): Promise<CheckRow[]> {
    return this.#db
      .selectFrom("alert_checks")
      .selectAll()
      .where("alert_id", "=", alertId)
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
      .$if(onlyChanges, (query) => query.where("is_change", "=", true))
      .orderBy("id", "desc")
      .limit(alertLimits.checksPerPage + 1)
      .execute();
  }

  async removeOldChecks(): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("alert_checks")
      .where("checked_at", "<", sql<Date>`now() - make_interval(days => ${this.#limits.alertHistoryDays})`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

/** The next of the times that lie an interval apart and are not over: checks that were missed are not made up for. */
const inTurn = sql<Date>`next_check_at + make_interval(mins => every_minutes)
  * (1 + floor(greatest(0, extract(epoch from now() - next_check_at)) / (60 * every_minutes)))`;

/** PostgreSQL text cannot hold NUL, but engine errors may quote it from files. */
const storable = (text: string): string => text.replaceAll("\0", "\u{fffd}");
