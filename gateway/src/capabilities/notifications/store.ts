import { randomUUID } from "node:crypto";
import {
  type ColumnType,
  type GeneratedAlways,
  type Generated,
  type JSONColumnType,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
} from "kysely";
import type { Database } from "#database/schema.ts";
import type { NewNotification } from "#personal/notify.ts";
import type { ScopeKeys } from "#personal/scope-keys.ts";

declare module "#database/schema.ts" {
  interface Database {
    notifications: {
      id: string;
      /** Orders notifications, newest last. */
      number: GeneratedAlways<string>;
      user_id: string;
      topic: string | null;
      title: string;
      text: string;
      link: string | null;
      category: string | null;
      dataset_id: string | null;
      scope_keys: JSONColumnType<ScopeKeys> | null;
      role: string | null;
      created_at: ColumnType<Date, never, never>;
      read_at: ColumnType<Date | null, never, Date>;
      /** Null if no email is sent, or not any more. */
      email_due_at: ColumnType<Date | null, never, Date | null>;
      email_attempts: Generated<number>;
    };
  }
}

export type NotificationRow = Selectable<Database["notifications"]>;

/** The notifications of one user for one email. */
export interface ClaimedEmail {
  readonly userId: string;
  readonly rows: readonly NotificationRow[];
}

const topicEmailSeconds = 3_600;

const maxTitleCharacters = 300;
const maxTextCharacters = 2_000;

/** Arbitrary, but must not be used by another advisory lock. */
const emailLock = 7_102_035;

export interface NotificationLimits {
  readonly notificationsPerUser: number;
  readonly notificationDays: number;
  readonly notificationEmailSeconds: number;
}

export class NotificationStore {
  readonly #db: Kysely<Database>;
  readonly #limits: NotificationLimits;
  readonly #sendsEmail: boolean;

  constructor(db: Kysely<Database>, limits: NotificationLimits, sendsEmail: boolean) {
    this.#db = db;
    this.#limits = limits;
    this.#sendsEmail = sendsEmail;
  }

  add(userIds: readonly string[], notification: NewNotification): Promise<void> {
    return this.#db.transaction().execute((trx) => this.addWithin(trx, userIds, notification));
  }

  /** Adds the notification for each user, in one statement per step, and removes what exceeds the limit of each. */
  async addWithin(trx: Transaction<Database>, userIds: readonly string[], notification: NewNotification): Promise<void> {
    if (userIds.length === 0) return;
    // In one order, so that concurrent calls cannot deadlock.
    const users = [...new Set(userIds)].toSorted();
    const { topic = null, link = null, dataset, scopeKeys, role = null, email } = notification;
    const title = cut(oneLine(notification.title), maxTitleCharacters);
    const text = cut(notification.text ?? "", maxTextCharacters);
    const soon = sql`now() + make_interval(secs => ${this.#limits.notificationEmailSeconds})`;
    // One topic sends a user at most one email per interval, however often it comes back.
    const emailDue =
      !this.#sendsEmail || email === "never"
        ? sql`null`
        : email === "at-once"
          ? sql`now()`
          : sql`(
          select greatest(${soon}, max(earlier.created_at) + make_interval(secs => ${topicEmailSeconds}))
          from notifications earlier
          where earlier.user_id = recipients.id and earlier.topic = ${topic} and earlier.email_attempts > 0
        )`;
    // Locks the users, who may be deleted concurrently.
    await sql`
      with recipients as (
        select users.id, ids.id as notification_id
        from users join unnest(${users}::text[], ${users.map(() => randomUUID())}::text[]) as ids (user_id, id) on ids.user_id = users.id
        order by users.id for key share of users
      )
      insert into notifications (id, user_id, topic, title, text, link, category, dataset_id, scope_keys, role, email_due_at)
      select notification_id, id, ${topic}, ${title}, ${text}, ${link}, ${dataset?.datasetCategory ?? null},
        ${dataset?.datasetId ?? null}, ${scopeKeys === undefined ? null : JSON.stringify(scopeKeys)}::jsonb, ${role}, ${emailDue}
      from recipients
      on conflict (user_id, topic) where topic is not null and read_at is null do update set
        number = default, title = excluded.title, text = excluded.text, link = excluded.link, scope_keys = excluded.scope_keys, created_at = now()`.execute(
      trx,
    );
    await sql`
      delete from notifications old using (
        select id, row_number() over (partition by user_id order by number desc) as place
        from notifications where user_id = any(${users}::text[])
      ) as placed
      where placed.id = old.id and placed.place > ${this.#limits.notificationsPerUser}`.execute(trx);
  }

  /** Removes unread notifications of a topic that no longer applies. Those that were sent by email stay, as read. Returns whose they were. */
  async retract(topic: string): Promise<string[]> {
    const removed = await this.#db
      .deleteFrom("notifications")
      .where("topic", "=", topic)
      .where("read_at", "is", null)
      .where("email_attempts", "=", 0)
      .returning("user_id")
      .execute();
    const read = await this.#db
      .updateTable("notifications")
      .set({ read_at: sql<Date>`now()`, email_due_at: null })
      .where("topic", "=", topic)
      .where("read_at", "is", null)
      .returning("user_id")
      .execute();
    return [...removed, ...read].map(({ user_id: userId }) => userId);
  }

  /** All notifications of a user, newest first. */
  of(userId: string): Promise<NotificationRow[]> {
    return this.#db.selectFrom("notifications").selectAll().where("user_id", "=", userId).orderBy("number", "desc").execute();
  }

  async markRead(userId: string, ids: readonly string[]): Promise<void> {
    await sql`
      update notifications set read_at = now(), email_due_at = null
      where user_id = ${userId} and read_at is null and id = any(${ids}::text[])`.execute(this.#db);
  }

  async removeOld(): Promise<number> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("notifications")
      .where("created_at", "<", sql<Date>`now() - make_interval(days => ${this.#limits.notificationDays})`)
      .executeTakeFirst();
    return Number(numDeletedRows);
  }

  /**
   * The unread notifications that one user is to get by email, once one of them is due; undefined if none is. They count as tried,
   * and are due again after `retrySeconds`, should this gateway die meanwhile.
   */
  async claimEmail(retrySeconds: number): Promise<ClaimedEmail | undefined> {
    return this.#db.transaction().execute(async (trx) => {
      // Of all gateways, one claims at a time, so that no notification is sent twice.
      await sql`select pg_advisory_xact_lock(${emailLock})`.execute(trx);
      const due = await trx
        .selectFrom("notifications")
        .select("user_id")
        .where("email_due_at", "<=", sql<Date>`now()`)
        .orderBy("email_due_at")
        .limit(1)
        .executeTakeFirst();
      if (due === undefined) return undefined;
      const { rows } = await sql<NotificationRow>`
        update notifications set email_attempts = email_attempts + 1,
          email_due_at = now() + make_interval(secs => ${retrySeconds} * power(4, email_attempts))
        where user_id = ${due.user_id} and email_due_at is not null and read_at is null
        returning *`.execute(trx);
      return { userId: due.user_id, rows: rows.toSorted((a, b) => Number(BigInt(a.number) - BigInt(b.number))) };
    });
  }

  /** No email is sent for these any more. */
  async endEmail(rows: readonly NotificationRow[]): Promise<void> {
    await sql`update notifications set email_due_at = null where id = any(${rows.map(({ id }) => id)}::text[])`.execute(this.#db);
  }
}

const oneLine = (text: string): string => text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();

/** Cuts between characters, never within one. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  return `${Array.from(text.slice(0, max)).slice(0, -1).join("")}…`;
}
