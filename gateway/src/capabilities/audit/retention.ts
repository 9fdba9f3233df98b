import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { dayOf, idsOfDay } from "./event-ids.ts";
import { auditLock } from "./store.ts";

const batchEvents = 10_000;
/** Advisory lock that lets one gateway at a time clean up. */
const retentionLock = 7_102_049;

/** Removes whole days (UTC) older than `keepDays` in batches. Returns the number of removed events, 0 while another gateway is cleaning up. */
export async function removeOldEvents(db: Kysely<Database>, keepDays: number, nowMs = Date.now()): Promise<number> {
  const oldest = dayOf(nowMs) - keepDays;
  // Counters first: days without counters are not read any more.
  await db.deleteFrom("audit_counts").where("day", "<", oldest).execute();
  await db.deleteFrom("audit_facet_counts").where("day", "<", oldest).execute();
  let removed = 0;
  for (;;) {
    const inBatch = await removeBatch(db, idsOfDay(oldest).first);
    removed += inBatch;
    if (inBatch < batchEvents) break;
  }
  if (removed > 0) await removeUnused(db, oldest);
  return removed;
}

const removeBatch = (db: Kysely<Database>, before: bigint): Promise<number> =>
  db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ acquired: boolean }>`select pg_try_advisory_xact_lock(${retentionLock}) as acquired`.execute(trx);
    if (rows[0]?.acquired !== true) return 0;
    const { numAffectedRows } = await sql`
      delete from audit_events where id in (select id from audit_events where id < ${before} order by id limit ${batchEvents})`.execute(
      trx,
    );
    for (const table of ["audit_notes", "audit_denials"]) {
      await sql`
        delete from ${sql.table(table)} where event_id < ${before} and not exists (select from audit_events where id = event_id)`.execute(
        trx,
      );
    }
    return Number(numAffectedRows ?? 0);
  });

/** Takes the lock exclusively, so that no recorder uses rows that are being removed. */
const removeUnused = (db: Kysely<Database>, oldest: number): Promise<void> =>
  db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(${auditLock})`.execute(trx);
    await sql`delete from audit_shapes where not exists (select from audit_counts where shape_id = audit_shapes.id)`.execute(trx);
    await sql`delete from audit_facets where not exists (select from audit_facet_counts where facet_id = audit_facets.id)`.execute(trx);
    await trx.deleteFrom("audit_clients").where("last_day", "<", oldest).execute();
  });
