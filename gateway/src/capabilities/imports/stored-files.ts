import { randomUUID } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, type RawBuilder, sql } from "kysely";
import { JobInterrupted } from "#background/jobs.ts";
import type { Database } from "#database/schema.ts";
import type { OwnFiles } from "#own-data/own-files.ts";
import { onDisk } from "#own-data/own-stores.ts";
import { insertFiles, type RoomLimits } from "#own-data/room.ts";
import type { FileKey } from "#storage/key.ts";
import type { FileStore } from "#storage/storage.ts";
import type { ImportRow, ImportRun } from "./repository.ts";

interface NewFile {
  readonly key: FileKey;
  readonly import: Pick<ImportRow, "id" | "user_id">;
  readonly bytes: number;
  readonly name: string;
  /** Default: that of new files. */
  readonly bucket?: string;
}

/**
 * Stores a file of an import by `put`. It takes room from before its first byte there, and no more after a failure. Rejects with
 * JobInterrupted if the import has been discarded meanwhile, and with the Refusal `no-room`.
 */
export async function storeFile(
  { db, limits, files }: { readonly db: Kysely<Database>; readonly limits: RoomLimits; readonly files: Pick<OwnFiles, "bucket" | "of"> },
  { key, import: { id, user_id: userId }, bytes, name, bucket = files.bucket }: NewFile,
  put: (store: FileStore) => Promise<unknown>,
): Promise<void> {
  const store = await files.of(bucket);
  await insertFiles(db, userId, bytes, limits, (trx) =>
    trx.insertInto("own_data_files").values({ key, user_id: userId, import_id: id, bytes, name, bucket }).execute(),
  );
  try {
    await put(store);
    const kept = await db.selectFrom("own_data_files").select("key").where("key", "=", key).where("import_id", "=", id).executeTakeFirst();
    if (kept === undefined) throw new JobInterrupted("lost");
  } catch (error) {
    // The regular cleaning removes it if this fails as well.
    await drop(db, sql`key = ${key} and import_id = ${id}`).catch(() => undefined);
    // A long upload may end after its row is gone.
    if (bucket !== onDisk) await store.remove(key).catch(() => undefined);
    throw error;
  }
}

/** Files that earlier runs have stored below such keys belong to nothing from now on, unless the run is lost itself. `like`: a pattern of SQL. */
export async function dropFiles(db: Kysely<Database>, { id, attempt }: ImportRun, like: string): Promise<void> {
  await drop(
    db,
    sql`import_id = ${id} and key like ${like} and exists (select from imports where imports.id = ${id} and attempt = ${attempt})`,
  );
}

/** Dropped files take nobody's room, and go with the next cleaning. */
async function drop(db: Kysely<Database>, where: RawBuilder<unknown>): Promise<void> {
  await sql`update own_data_files set import_id = null, user_id = null where dataset_id is null and ${where}`.execute(db);
}

/** A new path below the folder for unfinished files, which tells whose it is. */
export async function scratchPath(scratchFolder: string, { id, attempt }: ImportRun, ending = ""): Promise<string> {
  await mkdir(scratchFolder, { recursive: true, mode: 0o700 });
  return join(scratchFolder, `${id}.${attempt}.${randomUUID()}${ending}`);
}

/** The run of an import that has made an unfinished file, as `id.attempt`; undefined of names that are not made by `scratchPath`. */
export const runOfScratch = (name: string): string | undefined => /^([0-9a-f-]{36}\.\d+)\./.exec(name)?.[1];
