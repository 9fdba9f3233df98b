import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { sharingOf } from "#own-data/audience.ts";
import { announceOwnDataset } from "#own-data/own-datasets.ts";

/** How long a deleted dataset can be restored, and a version that is no longer the current one. */
export const restorableDays = 7;

/** Tables with what belongs to a dataset, by its category and id. What others have made of it (searches, boards, alerts) stays theirs. */
export const belongings = [
  "favorite_datasets",
  "dataset_descriptions",
  "community_description_revisions",
  "description_suggestions",
  "dataset_searches",
  "dataset_profiles",
  "dataset_measurements",
  "dataset_quality",
  "dataset_announcements",
  "catalog_datasets",
] as const;

/**
 * Removes a dataset for good, with everything that belongs to it, in one transaction. Its files belong to nothing and take nobody's room
 * from then on, and are removed with the next cleaning. False if it is not there, or with `onlyExpired`, if it has been restored meanwhile.
 */
export async function purge(db: Kysely<Database>, id: string, { onlyExpired = false } = {}): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const before = await sharingOf(trx, id);
    const removed = await trx
      .deleteFrom("own_datasets")
      .where("id", "=", id)
      .$if(onlyExpired, (query) => query.where(isExpired))
      .returning(["category", "name"])
      .executeTakeFirst();
    if (removed === undefined) return false;
    const { category, name } = removed;
    for (const table of belongings)
      await sql`delete from ${sql.table(table)} where category = ${category} and dataset_id = ${name}`.execute(trx);
    // A running one ends by itself: its run finds no row any more.
    await sql`delete from exports where dataset_category = ${category} and dataset_id = ${name}`.execute(trx);
    await trx.updateTable("own_data_files").set({ dataset_id: null, user_id: null }).where("dataset_id", "=", id).execute();
    await announceOwnDataset(trx, id, before);
    return true;
  });
}

const isExpired = sql<boolean>`gone_at <= now()`;

/** Removes what has waited long enough: deleted datasets, those of deleted accounts that nobody else reads, and old versions. */
export async function purgeExpired(db: Kysely<Database>): Promise<void> {
  await dropSharesWithNobody(db);
  await sql`
    update own_datasets set deleted_at = now(), gone_at = now() + make_interval(days => ${restorableDays})
    where owner_id is null and deleted_at is null
      and not exists (select from own_dataset_shares share where share.dataset_id = own_datasets.id)`.execute(db);
  const gone = await db.selectFrom("own_datasets").select("id").where(isExpired).execute();
  for (const { id } of gone) await purge(db, id, { onlyExpired: true });
  await dropOldVersions(db);
}

/** Shares with accounts and groups that have been deleted. */
async function dropSharesWithNobody(db: Kysely<Database>): Promise<void> {
  await sql`
    delete from own_dataset_shares
    where (kind = 'user' and not exists (select from users where users.id = target))
      or (kind = 'group' and not exists (select from groups where groups.id = target))`.execute(db);
}

/** Files that only versions have that can no longer be gone back to. Originals of the current rows stay. */
async function dropOldVersions(db: Kysely<Database>): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`
      update own_dataset_versions old set is_kept = false
      from own_datasets dataset, own_dataset_versions next
      where dataset.id = old.dataset_id and old.version <> dataset.data_version and old.is_kept
        and next.dataset_id = old.dataset_id and next.version = old.version + 1
        and next.created_at <= now() - make_interval(days => ${restorableDays})`.execute(trx);
    await sql`
      update own_data_files file set dataset_id = null, user_id = null
      where dataset_id is not null and not exists (
        select from own_dataset_versions version, jsonb_array_elements(version.files || version.added || version.originals) as kept
        where version.dataset_id = file.dataset_id and version.is_kept and kept ->> 'key' = file.key)`.execute(trx);
  });
}
