import { type deliveryKind, type SendingTimes, type Subscribed, subscriptionLimits } from "@fairway/contract/subscriptions";
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
import type { z } from "zod";
import type { Database } from "#database/schema.ts";
import { lockUser } from "#personal/lock-user.ts";
import { nextTurn } from "./schedule.ts";

export type DeliveryKind = z.infer<typeof deliveryKind>;

/** Digests of the parts of a message, by their keys. */
export type Digests = Readonly<Record<string, string>>;

declare module "#database/schema.ts" {
  interface Database {
    subscriptions: {
      id: string;
      user_id: string;
      name: string;
      name_key: string;
      board_id: string | null;
      saved_search_id: string | null;
      hour: number;
      minute: number;
      weekdays: number[];
      zone: string;
      only_if_changed: boolean;
      with_rows: boolean;
      /** Of the last delivery. */
      digests: JSONColumnType<Digests> | null;
      /** The day of the next turn, by the clock of the zone, such as `2026-03-29`. */
      run_day: string | null;
      /** When it is sent, or tried again; null: never. */
      due_at: Date | null;
      /** The last day whose turn is over, or whose email may have been accepted. */
      last_day: string | null;
      /** Attempts of the turn that failed. */
      attempts: Generated<number>;
      /** Set until what its owner asked for is over. */
      asked_at: Date | null;
      last_asked_at: Date | null;
      is_paused: Generated<boolean>;
      /** A sentence. */
      pause_reason: Generated<string>;
      last_sent_at: Date | null;
      /** Names the run that a gateway is busy with. Results of others are ignored. */
      claim: string | null;
      claimed_at: Date | null;
      /** When other gateways may take over. */
      claimed_until: Date | null;
      created_at: ColumnType<Date, never, never>;
    };
    subscription_deliveries: {
      /** Orders deliveries, newest last. */
      id: GeneratedAlways<string>;
      subscription_id: string;
      started_at: Date;
      /** `sending`: handed over to the mail server, whose answer is not stored yet. */
      kind: DeliveryKind | "sending";
      is_asked: boolean;
      not_ready: string[];
      reason: string;
      duration_ms: number;
    };
  }
}

export type SubscriptionRow = Selectable<Database["subscriptions"]>;
export type DeliveryRow = Selectable<Database["subscription_deliveries"]> & { readonly kind: DeliveryKind };

/** A subscription whose run has been assigned to this gateway. */
export type ClaimedSubscription = SubscriptionRow & {
  readonly claim: string;
  /** Whether it is only what its owner asked for, not a turn. */
  readonly is_asked: boolean;
};

/** The result of a run. */
export interface Outcome {
  readonly kind: DeliveryKind;
  readonly notReady?: readonly string[];
  readonly reason?: string;
  readonly startedMs: number;
  /** Undefined: as before. */
  readonly digests?: Digests;
  /** A new state of its turns; undefined: as before. `isFinal`: there are no further ones. */
  readonly pause?: { readonly reason: string; readonly isFinal: boolean } | null;
  /** Tries the turn again after so many seconds, instead of ending it. */
  readonly retrySeconds?: number;
  /** The delivery that was marked before sending. */
  readonly deliveryId?: string;
  /** Stores a message for the owner together with the outcome. */
  readonly notify?: (transaction: Transaction<Database>) => Promise<void>;
}

/** Outlasts gathering and sending. */
export const leaseSeconds = 180;

export const timesOf = ({ hour, minute, weekdays, zone }: SubscriptionRow): SendingTimes => ({ hour, minute, weekdays, zone });

export const subscribedOf = ({ board_id: boardId, saved_search_id: savedSearchId }: SubscriptionRow): Subscribed =>
  boardId === null ? { savedSearchId: savedSearchId ?? "" } : { boardId };

/** The columns of the next turn after a moment. */
export function turnColumns(at: SendingTimes, afterMs: number, lastDay: string | null): Pick<SubscriptionRow, "run_day" | "due_at"> {
  const turn = nextTurn(at, afterMs, lastDay);
  return { run_day: turn?.day ?? null, due_at: turn === null ? null : new Date(turn.ms) };
}

/** The subscriptions of all gateways. Decision 1150. */
export class SubscriptionStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  /** The user's own subscription. */
  find(userId: string, id: string): Promise<SubscriptionRow | undefined> {
    return this.#db.selectFrom("subscriptions").selectAll().where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
  }

  listFor(userId: string): Promise<SubscriptionRow[]> {
    return this.#db.selectFrom("subscriptions").selectAll().where("user_id", "=", userId).orderBy("name_key").orderBy("id").execute();
  }

  /** Assigns up to `count` due runs to the caller. People take turns: the first of each goes before the second of anyone. */
  async claim(count: number, claim: string): Promise<ClaimedSubscription[]> {
    const isDue = sql<boolean>`least(due_at, asked_at) <= now() and (claimed_until is null or claimed_until <= now())`;
    const { rows } = await sql<ClaimedSubscription>`
      with due as (
        select id, least(due_at, asked_at) as at, row_number() over (partition by user_id order by least(due_at, asked_at), id) as turn
        from subscriptions where ${isDue}
      ), chosen as (
        select id from due order by turn, at, id limit ${count}
      ), locked as (
        select id from subscriptions where id in (select id from chosen) and ${isDue} for update skip locked
      )
      update subscriptions set claim = ${claim}, claimed_at = clock_timestamp(), claimed_until = now() + make_interval(secs => ${leaseSeconds})
      where id in (select id from locked)
      returning *, coalesce(due_at > now(), true) as is_asked`.execute(this.#db);
    return rows;
  }

  /**
   * Marks that the email is about to be sent, and answers the id of the delivery: from now on, the turn counts, whatever happens. Null if
   * the run is not the caller's any more.
   */
  async markSending({ id, claim, run_day: day, is_asked: isAsked }: ClaimedSubscription, startedMs: number): Promise<string | null> {
    return this.#db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable("subscriptions")
        .set({ claimed_until: sql<Date>`now() + make_interval(secs => ${leaseSeconds})`, ...(isAsked ? {} : { last_day: day }) })
        .where("id", "=", id)
        .where("claim", "=", claim)
        .executeTakeFirstOrThrow();
      if (numUpdatedRows === 0n) return null;
      const { id: deliveryId } = await trx
        .insertInto("subscription_deliveries")
        .values({
          subscription_id: id,
          started_at: new Date(startedMs),
          kind: "sending",
          is_asked: isAsked,
          not_ready: [],
          reason: "",
          duration_ms: 0,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      return deliveryId;
    });
  }

  /** The delivery that was being sent when the gateway of an earlier run ended. */
  async interrupted({ id }: Pick<SubscriptionRow, "id">): Promise<{ readonly id: string; readonly is_asked: boolean } | undefined> {
    return this.#db
      .selectFrom("subscription_deliveries")
      .select(["id", "is_asked"])
      .where("subscription_id", "=", id)
      .where("kind", "=", "sending")
      .executeTakeFirst();
  }

  /** The email of a turn that has been replaced meanwhile. */
  async endInterrupted(deliveryId: string, reason: string): Promise<void> {
    await this.#db.updateTable("subscription_deliveries").set({ kind: "unsure", reason }).where("id", "=", deliveryId).execute();
  }

  /** Stores what became of a run. False if it is not the caller's any more; what was sent is stored all the same. */
  async finish(
    { id, claim, user_id: userId, is_asked: isAsked, last_day: lastDay }: ClaimedSubscription,
    outcome: Outcome,
  ): Promise<boolean> {
    const { kind, notReady = [], reason = "", startedMs, digests, pause, retrySeconds, deliveryId, notify } = outcome;
    const isOver = retrySeconds === undefined;
    return this.#db.transaction().execute(async (trx) => {
      await lockUser(trx, userId);
      const row = await trx.selectFrom("subscriptions").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
      if (row === undefined) return false;
      const isHeld = row.claim === claim;
      if (!isHeld && deliveryId === undefined) return false;
      const delivery = { kind, not_ready: [...notReady], reason: storable(reason), duration_ms: Math.round(Date.now() - startedMs) };
      if (deliveryId !== undefined && !isOver) {
        await trx.deleteFrom("subscription_deliveries").where("id", "=", deliveryId).execute();
      } else if (deliveryId !== undefined) {
        await trx.updateTable("subscription_deliveries").set(delivery).where("id", "=", deliveryId).execute();
      } else if (isOver) {
        await trx
          .insertInto("subscription_deliveries")
          .values({ ...delivery, subscription_id: id, started_at: new Date(startedMs), is_asked: isAsked })
          .execute();
      }
      const sent = kind === "sent" ? { last_sent_at: new Date() } : {};
      if (!isHeld) {
        if (kind === "sent") await trx.updateTable("subscriptions").set(sent).where("id", "=", id).execute();
        return false;
      }
      const day = isAsked ? row.last_day : isOver ? row.run_day : lastDay;
      const turn = isAsked
        ? {}
        : pause?.isFinal === true
          ? { run_day: null, due_at: null }
          : isOver
            ? turnColumns(timesOf(row), Date.now(), day)
            : { due_at: sql<Date>`now() + make_interval(secs => ${retrySeconds})` };
      await trx
        .updateTable("subscriptions")
        .set({
          claim: null,
          claimed_until: null,
          last_day: day,
          ...turn,
          ...(isAsked ? { asked_at: null } : { attempts: isOver ? 0 : row.attempts + 1 }),
          // A turn says all that was asked for meanwhile.
          ...(kind === "sent" ? { asked_at: null } : {}),
          ...(pause === undefined ? {} : { is_paused: pause !== null, pause_reason: pause?.reason ?? "" }),
          ...(digests === undefined ? {} : { digests: JSON.stringify(digests) }),
          ...sent,
        })
        .where("id", "=", id)
        .execute();
      await notify?.(trx);
      return true;
    });
  }

  /** Gives a run back, to be done after so many seconds. */
  async postpone({ id, claim }: Pick<ClaimedSubscription, "id" | "claim">, seconds: number): Promise<void> {
    const until = seconds === 0 ? null : sql<Date>`now() + make_interval(secs => ${seconds})`;
    // A claim of nobody, until then.
    await this.#db
      .updateTable("subscriptions")
      .set({ claim: null, claimed_until: until })
      .where("id", "=", id)
      .where("claim", "=", claim)
      .execute();
  }

  /** Newest first, one more than a page. */
  async deliveries(subscriptionId: string, before: string | undefined): Promise<DeliveryRow[]> {
    const rows = await this.#db
      .selectFrom("subscription_deliveries")
      .selectAll()
      .where("subscription_id", "=", subscriptionId)
      .where("kind", "<>", "sending")
      .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
      .orderBy("id", "desc")
      .limit(subscriptionLimits.deliveriesPerPage + 1)
      .execute();
    return rows as DeliveryRow[];
  }

  async removeOldDeliveries(): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("subscription_deliveries")
      .where("started_at", "<", sql<Date>`now() - make_interval(days => ${subscriptionLimits.deliveryDays})`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }
}

/** PostgreSQL text cannot hold NUL, but errors may quote it from files. */
const storable = (text: string): string => text.replaceAll("\0", "\u{fffd}");
