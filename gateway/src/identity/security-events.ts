import { type SecurityEvent, type SecurityEventKind, securityEventKind } from "@fairway/contract/security-events";
import { type ColumnType, type Generated, type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";

declare module "#database/schema.ts" {
  interface Database {
    security_events: {
      id: Generated<string>;
      user_id: string;
      at: ColumnType<Date, never, never>;
      kind: string;
      subject: string | null;
      /** Username of the administrator who made the change; null = the account's own user. */
      by: string | null;
    };
  }
}

/** A change of how an account signs in. Decision 0197. */
export interface NewSecurityEvent {
  readonly userId: string;
  readonly kind: SecurityEventKind;
  readonly subject?: string;
  readonly by?: string;
}

/** Maximum number of stored and of listed events per account. */
const [maxStored, maxListed] = [200, 50];

/** Call it in the transaction of the changes. Keeps only the newest events of each account. */
export async function noteSecurityEvents(trx: Kysely<Database>, events: readonly NewSecurityEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map(({ userId, kind, subject = null, by = null }) => ({ user_id: userId, kind, subject, by }));
  await sql`
    insert into security_events (user_id, kind, subject, by)
    select user_id, kind, subject, by
    from json_to_recordset(${JSON.stringify(rows)}::json) as noted (user_id text, kind text, subject text, by text)`.execute(trx);
  await sql`
    delete from security_events old using (
      select user_id, (
        select id from security_events kept where kept.user_id = touched.user_id order by id desc offset ${maxStored} limit 1
      ) as newest
      from (select distinct unnest(${rows.map(({ user_id }) => user_id)}::text[]) as user_id) touched
    ) going
    where old.user_id = going.user_id and old.id <= going.newest`.execute(trx);
}

/** Newest first. */
export async function securityEventsOf(db: Kysely<Database>, userId: string): Promise<SecurityEvent[]> {
  const rows = await db
    .selectFrom("security_events")
    .select(["id", "at", "kind", "subject", "by"])
    .where("user_id", "=", userId)
    .orderBy("id", "desc")
    .limit(maxListed)
    .execute();
  return rows.map(({ id, at, kind, subject, by }) => ({ id, atMs: at.getTime(), kind: securityEventKind.parse(kind), subject, by }));
}

export async function removeOldSecurityEvents(db: Kysely<Database>, days: number): Promise<void> {
  await db
    .deleteFrom("security_events")
    .where("at", "<", sql<Date>`now() - make_interval(days => ${days})`)
    .execute();
}
