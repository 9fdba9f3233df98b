import { type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import { type SharedTables, sharedTables } from "./shared-tables.ts";

/**
 * Within the transaction that deletes accounts, before it does: what nobody else has of their things is deleted with them; the rest stays
 * without owner. Own datasets that nobody else has can be restored for some days.
 */
export async function leaveThings(trx: Transaction<Database>, userIds: readonly string[]): Promise<void> {
  // Changes of the users' things lock users first, too.
  await sql`select from users where id = any(${userIds}::text[]) order by id for update`.execute(trx);
  for (const tables of sharedTables) {
    await sql`delete from ${sql.table(tables.shares)} where kind = 'user' and target = any(${userIds}::text[])`.execute(trx);
    await removeUnshared(trx, tables, userIds);
    const things = sql.table(tables.things);
    await sql`
      update ${things} set former_owner = users.username from users
      where users.id = ${sql.ref(`${tables.things}.user_id`)} and users.id = any(${userIds}::text[])`.execute(trx);
  }
}

/** Removes shares with accounts and groups that are gone, and what has no owner and nobody else has any more. */
export async function removeLeftThings(db: Kysely<Database>): Promise<void> {
  for (const tables of sharedTables) {
    await sql`
      delete from ${sql.table(tables.shares)}
      where (kind = 'user' and not exists (select from users where users.id = target))
        or (kind = 'group' and not exists (select from groups where groups.id = target))`.execute(db);
    await removeUnshared(db, tables, []);
  }
}

/** Of these owners, and of none. */
async function removeUnshared(db: Kysely<Database>, { things, shares, key }: SharedTables, owners: readonly string[]): Promise<void> {
  await sql`
    delete from ${sql.table(things)} where (user_id is null or user_id = any(${owners}::text[])) and cardinality(shared_with_roles) = 0
      and not exists (
        select from ${sql.table(shares)} share where share.${sql.ref(key)} = ${sql.ref(`${things}.id`)} and kind in ('user', 'group'))`.execute(
    db,
  );
}
