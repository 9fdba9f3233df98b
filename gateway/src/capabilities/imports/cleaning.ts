import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { unlessMissing } from "#storage/file-errors.ts";
import { fileKey } from "#storage/key.ts";
import { removeFormerCopies } from "#own-data/file-moves.ts";
import type { OwnFiles } from "#own-data/own-files.ts";
import { onDisk } from "#own-data/own-stores.ts";
import { StoreFailed } from "#storage/storage.ts";
import { removeAdministeredFiles } from "./administered-files.ts";
import type { ImportRepository } from "./repository.ts";
import { runOfScratch } from "./stored-files.ts";

interface CleaningParts {
  readonly db: Kysely<Database>;
  readonly repository: ImportRepository;
  readonly files: Pick<OwnFiles, "of" | "removeCopies">;
  readonly scratchFolder: string;
  readonly dataFolder: string;
  readonly log: { error(details: object, message: string): void };
}

/** A gateway that has not noticed yet that its import is gone writes no longer than this. */
const lateSeconds = 3_600;
const dayMs = 86_400_000;

/** Removes copies of files that were removed while this gateway was stopped. */
export async function removeOldCopies({ db, files }: { readonly db: Kysely<Database>; readonly files: OwnFiles }): Promise<void> {
  const rows = await db.selectFrom("own_data_files").select("key").where("bucket", "<>", onDisk).where("dropped_at", "is", null).execute();
  await files.keepCopiesOf(rows.map(({ key }) => key));
}

/** Removes imports that nobody has asked for, files that belong to nothing, and what killed gateways have left. */
export async function cleanImports(parts: CleaningParts): Promise<void> {
  await parts.repository.removeExpired();
  await removeOrphans(parts);
  await removeFormerCopies(parts.db, parts.files, (error, bucket) => notRemoved(parts, error, bucket));
  await removeScratch(parts);
  await removeAdministeredFiles(parts);
}

/**
 * Files without an import and a dataset. Their rows stay for an hour and take no room: a gateway that has lost the import may be storing
 * the file just then, which is removed again with the row. Those in stores that cannot be reached stay for the next time, and count.
 */
async function removeOrphans(parts: CleaningParts): Promise<void> {
  const { db, files } = parts;
  const orphans = await db
    .selectFrom("own_data_files")
    .select(["key", "bucket", "other_bucket as otherBucket"])
    .where("dataset_id", "is", null)
    .where((eb) =>
      eb.or([
        eb("import_id", "is", null),
        eb.not(eb.exists(eb.selectFrom("imports").select("imports.id").whereRef("imports.id", "=", "own_data_files.import_id"))),
      ]),
    )
    .execute();
  const isLate = sql<boolean>`dropped_at < now() - make_interval(secs => ${lateSeconds})`;
  // Rows stay for an hour, in which each gateway cleans: none keeps a copy.
  await files.removeCopies(orphans.flatMap(({ key, bucket, otherBucket }) => (bucket === onDisk && otherBucket === null ? [] : [key])));
  const unreachable = new Set<string>();
  const remove = async (key: string, bucket: string): Promise<boolean> => {
    if (unreachable.has(bucket)) return false;
    try {
      await (await files.of(bucket)).remove(fileKey(key));
      return true;
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error;
      unreachable.add(bucket);
      notRemoved(parts, error, bucket);
      return false;
    }
  };
  for (const { key, bucket, otherBucket } of orphans) {
    if (!(await remove(key, bucket)) || (otherBucket !== null && !(await remove(key, otherBucket)))) continue;
    const gone = await db.deleteFrom("own_data_files").where("key", "=", key).where(isLate).executeTakeFirstOrThrow();
    if (gone.numDeletedRows === 0n)
      await sql`
        update own_data_files set import_id = null, user_id = null, bytes = 0, dropped_at = coalesce(dropped_at, now())
        where key = ${key}`.execute(db);
  }
}

const notRemoved = ({ log }: CleaningParts, error: StoreFailed, bucket: string): void =>
  log.error({ err: error, bucket }, "files of own data could not be removed from their bucket");

/** Lists files before runs: a run is in the database before its files are created. */
async function removeScratch({ db, scratchFolder }: CleaningParts): Promise<void> {
  const names = (await readdir(scratchFolder).catch(unlessMissing)) ?? [];
  if (names.length === 0) return;
  const running = await db.selectFrom("imports").select(["id", "attempt"]).where("status", "in", ["reading", "creating"]).execute();
  const current = new Set(running.map(({ id, attempt }) => `${id}.${attempt}`));
  for (const name of names) {
    const path = join(scratchFolder, name);
    const run = runOfScratch(name);
    const isOrphan = run === undefined ? await isOld(path) : !current.has(run);
    if (isOrphan) await rm(path, { recursive: true, force: true });
  }
}

async function isOld(path: string): Promise<boolean> {
  const stats = await stat(path).catch(unlessMissing);
  return stats !== undefined && Date.now() - stats.mtimeMs > dayMs;
}
