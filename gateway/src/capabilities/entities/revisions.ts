import type { Entity, Revision, RevisionAction, RevisionDetails } from "@fairway/contract/entities";
import { revisionAction } from "@fairway/contract/entities";
import type { Kysely } from "kysely";
import { sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";

/** A change to record. */
export interface NewRevision {
  readonly type: string;
  readonly id: string;
  readonly by: string | null;
  readonly action: RevisionAction;
  readonly before: Entity | undefined;
  readonly after: Entity | undefined;
}

/** Revisions per statement: serializing more at once would block the event loop for too long. */
const revisionsPerStatement = 500;

/** Records revisions, in the transaction of the changes. Keeps the newest `perEntity` of each entity. */
export async function recordRevisions(db: Kysely<Database>, revisions: readonly NewRevision[], perEntity: number): Promise<void> {
  for (let from = 0; from < revisions.length; from += revisionsPerStatement)
    await recordBatch(db, revisions.slice(from, from + revisionsPerStatement), perEntity);
}

async function recordBatch(db: Kysely<Database>, revisions: readonly NewRevision[], perEntity: number): Promise<void> {
  const rows = revisions.map(({ type, id, by, action, before = null, after = null }) => ({
    type,
    entity_id: id,
    by,
    action,
    before,
    after,
  }));
  await sql`
    insert into entity_revisions (type, entity_id, by, action, before, after)
    select type, entity_id, by, action, before, after
    from json_to_recordset(${JSON.stringify(rows)}::json)
      as noted (type text, entity_id text, by text, action text, before json, after json)`.execute(db);
  const touched = rows.map(({ type, entity_id }) => ({ type, entity_id }));
  await sql`
    delete from entity_revisions old using (
      select type, entity_id, (
        select revision from entity_revisions kept where kept.type = touched.type and kept.entity_id = touched.entity_id
        order by revision desc offset ${perEntity} limit 1
      ) as newest
      from json_to_recordset(${JSON.stringify(touched)}::json) as touched (type text, entity_id text)
    ) going
    where old.type = going.type and old.entity_id = going.entity_id and old.revision <= going.newest`.execute(db);
}

/** Returns the number of removed revisions. */
export async function removeOldRevisions(db: Kysely<Database>, days: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("entity_revisions")
    .where("at", "<", sql<Date>`now() - make_interval(days => ${days})`)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

const columns = ["revision", "at", "by", "action"] as const;

/** The newest thousand revisions, newest first. */
export async function revisionsOf(db: Kysely<Database>, type: string, id: string): Promise<Revision[]> {
  const rows = await db
    .selectFrom("entity_revisions")
    .select(columns)
    .where("type", "=", type)
    .where("entity_id", "=", id)
    .orderBy("revision", "desc")
    .limit(1_000)
    .execute();
  return rows.map(toRevision);
}

/** Refuses with not-found. */
export async function revisionOf(db: Kysely<Database>, type: string, id: string, revision: number): Promise<RevisionDetails> {
  const row = await db
    .selectFrom("entity_revisions")
    .select([...columns, "before", "after"])
    .where("type", "=", type)
    .where("entity_id", "=", id)
    .where("revision", "=", String(revision))
    .executeTakeFirst();
  if (!row) throw new Refusal("not-found", `'${id.slice(0, 100)}' has no revision ${revision}.`);
  return { ...toRevision(row), before: row.before, after: row.after };
}

const toRevision = (row: { revision: string; at: Date; by: string | null; action: string }): Revision => ({
  revision: Number(row.revision),
  atMs: row.at.getTime(),
  by: row.by,
  action: revisionAction.parse(row.action),
});
