import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { fileKey } from "#storage/key.ts";
import { type FileStore, StoreFailed } from "#storage/storage.ts";
import "./tables.ts";

/**
 * How long a file stays where it was before, in seconds: queries may still read it there, and other gateways do not know yet. Also the
 * time after which a move that nobody reports on any more counts as given up.
 */
const keptAfterMoveSeconds = 3_600;

/** A move of a file between two buckets, where an empty name is the disk. */
export interface FileMove {
  readonly key: string;
  readonly from: string;
  readonly to: string;
}

/**
 * Notes that a file is being copied, before its first byte is. False if it may not be moved: it belongs to no dataset, is no longer
 * there, or another place still holds a copy.
 */
export async function beginMove(db: Kysely<Database>, { key, from, to }: FileMove): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("own_data_files")
    .set({ other_bucket: to, other_at: sql<Date>`now()` })
    .where("key", "=", key)
    .where("bucket", "=", from)
    .where("dataset_id", "is not", null)
    .where((eb) => eb.or([eb("other_bucket", "is", null), eb("other_bucket", "=", to)]))
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Reports that the file is still being copied. */
export async function renewMove(db: Kysely<Database>, { key, from, to }: FileMove): Promise<void> {
  await db
    .updateTable("own_data_files")
    .set({ other_at: sql<Date>`now()` })
    .where("key", "=", key)
    .where("bucket", "=", from)
    .where("other_bucket", "=", to)
    .execute();
}

/** The whole file is in its new place, and is read there from now on. False if it has been removed meanwhile. */
export async function finishMove(db: Kysely<Database>, { key, from, to }: FileMove): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("own_data_files")
    .set({ bucket: to, other_bucket: from, other_at: sql<Date>`now()` })
    .where("key", "=", key)
    .where("bucket", "=", from)
    .where("other_bucket", "=", to)
    .where("dataset_id", "is not", null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** The file stays where it is, and nothing of it is in the other place. */
export async function abandonMove(db: Kysely<Database>, { key, from, to }: FileMove): Promise<void> {
  await db
    .updateTable("own_data_files")
    .set({ other_bucket: null, other_at: null })
    .where("key", "=", key)
    .where("bucket", "=", from)
    .where("other_bucket", "=", to)
    .execute();
}

/** Removes copies that moves have left behind. Those in stores that cannot be reached stay for the next time. */
export async function removeFormerCopies(
  db: Kysely<Database>,
  stores: { of(bucket: string): Promise<Pick<FileStore, "remove">> },
  failed: (error: StoreFailed, bucket: string) => void,
): Promise<void> {
  const isOld = sql<boolean>`other_at < now() - make_interval(secs => ${keptAfterMoveSeconds})`;
  const rows = await db
    .selectFrom("own_data_files")
    .select(["key", "other_bucket as bucket"])
    .where("other_bucket", "is not", null)
    .where(isOld)
    .execute();
  const unreachable = new Set<string>();
  for (const { key, bucket } of rows) {
    if (bucket === null || unreachable.has(bucket)) continue;
    try {
      await db.transaction().execute(async (trx) => {
        // Nobody begins to move the file back meanwhile.
        const held = await trx
          .selectFrom("own_data_files")
          .select("key")
          .where("key", "=", key)
          .where("other_bucket", "=", bucket)
          .where(isOld)
          .forUpdate()
          .executeTakeFirst();
        if (held === undefined) return;
        await (await stores.of(bucket)).remove(fileKey(key));
        await trx.updateTable("own_data_files").set({ other_bucket: null, other_at: null }).where("key", "=", key).execute();
      });
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
      unreachable.add(bucket);
      failed(error, bucket);
    }
  }
}
