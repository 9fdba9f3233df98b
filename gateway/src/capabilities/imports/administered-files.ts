import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { unlessMissing } from "#storage/file-errors.ts";

/** Below the data folder: the rows of internal datasets that imports have made. */
export const administeredFolder = "imported";

/** How long the rows of a deleted dataset stay, so that a revision of it can be restored. */
const keptDays = 7;
const keptMs = keptDays * 86_400_000;

const madeByImports = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}\.parquet$/;

/**
 * Removes the rows of internal datasets that imports have made and that were deleted days ago. A file stays that any dataset or a recent
 * revision of one names, by itself or by a pattern that might match it, and while its import may still make a dataset of it.
 */
export async function removeAdministeredFiles({
  db,
  dataFolder,
}: {
  readonly db: Kysely<Database>;
  readonly dataFolder: string;
}): Promise<void> {
  const folder = join(dataFolder, administeredFolder);
  const names = ((await readdir(folder).catch(unlessMissing)) ?? []).filter((name) => madeByImports.test(name));
  if (names.length === 0) return;
  const globs = await namedGlobs(db);
  for (const name of names) {
    const path = `${administeredFolder}/${name}`;
    if (globs.some((glob) => mightName(glob, path))) continue;
    const file = await stat(join(folder, name)).catch(unlessMissing);
    if (file === undefined || Date.now() - file.mtimeMs < keptMs || (await isInImport(db, name))) continue;
    await rm(join(folder, name), { force: true });
  }
}

/** Files that datasets and their recent revisions read. */
async function namedGlobs(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ glob: string | null }>`
    select body #>> '{source,glob}' as glob from entities where type = 'datasets/internal'
    union select before #>> '{source,glob}' from entity_revisions
      where type = 'datasets/internal' and at > now() - make_interval(days => ${keptDays})
    union select after #>> '{source,glob}' from entity_revisions
      where type = 'datasets/internal' and at > now() - make_interval(days => ${keptDays})`.execute(db);
  return rows.flatMap(({ glob }) => (glob === null ? [] : [glob]));
}

/** Whether a pattern might match a path: what stands before its first special character begins the path. */
function mightName(glob: string, path: string): boolean {
  const plain = glob.replace(/^(?:\.?\/)+/, "");
  const special = plain.search(/[*?[{\\]/);
  return special < 0 ? plain === path : path.startsWith(plain.slice(0, special));
}

async function isInImport(db: Kysely<Database>, name: string): Promise<boolean> {
  const row = await db
    .selectFrom("imports")
    .select("id")
    .where("id", "=", name.slice(0, name.lastIndexOf(".")))
    .where("status", "<>", "done")
    .executeTakeFirst();
  return row !== undefined;
}
