import { recordOf } from "@fairway/contract/records";
import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { reservedFolder } from "@fairway/contract/filesets";
import { foldersOf } from "@fairway/contract/folders";
import type { FilesetRecipe } from "@fairway/contract/recipes";
import type { DuckDBConnection } from "@duckdb/node-api";
import { z } from "zod";
import { fingerprint, withPaths, withSeedEngine } from "#seed/engine.ts";
import { type SuppliedFile, fillFolder } from "#storage/fill-folder.ts";
import { unlessMissing } from "#storage/file-errors.ts";
import { fileKey } from "#storage/key.ts";

interface Parts {
  readonly recipes: readonly FilesetRecipe[];
  /** Contains one folder for each bucket. */
  readonly folder: string;
  readonly log: { info(details: object, message: string): void };
  readonly signal: AbortSignal;
  /** Called before something is built. */
  readonly onBuild: () => void;
}

/**
 * Builds the files of filesets that are missing or whose recipe has changed. Files that a user has added, replaced or deleted
 * since stay as they are, unless the recipe changes: deleted ones are then built again.
 */
export async function buildFilesets({ recipes, folder, log, signal, onBuild }: Parts): Promise<void> {
  for (const recipe of recipes) {
    const { id, s3Bucket } = recipe.entity;
    const recipeFile = join(folder, s3Bucket, reservedFolder, "recipes", id);
    const recipeHash = await hashOf(recipe);
    const built = await readFile(recipeFile, "utf8").catch(unlessMissing);
    if (built === recipeHash) continue;
    onBuild();
    const started = performance.now();
    const builtMs = (await stat(recipeFile).catch(unlessMissing))?.mtimeMs ?? Infinity;
    const files = await filesOf(recipe);
    await fillFolder(join(folder, s3Bucket), files, builtMs, signal);
    await mkdir(dirname(recipeFile), { recursive: true, mode: 0o700 });
    await writeFile(recipeFile, recipeHash, { mode: 0o600 });
    log.info({ fileset: id, files: files.length, ms: Math.round(performance.now() - started) }, "fileset built");
  }
}

function hashOf({ selects, copies, sources, entity }: FilesetRecipe): Promise<string> {
  const copied = Object.fromEntries(copies.map(({ path, from }) => [path, from]));
  const texts = [entity.s3Prefix, ...selects, JSON.stringify(copies.map(({ path, tags }) => [path, tags]))];
  return fingerprint(texts, { ...sources, ...copied });
}

async function filesOf({ entity, selects, copies, sources }: FilesetRecipe): Promise<SuppliedFile[]> {
  const folders = foldersOf(entity.s3Prefix);
  const keyOf = (path: string) => fileKey(...folders, ...path.split("/"));
  const files: SuppliedFile[] = copies.map(({ path, from, tags }) => ({ key: keyOf(path), content: { copyOf: from }, tags }));
  if (selects.length === 0) return files;
  await withSeedEngine(async (connection) => {
    for (const select of selects) {
      const rows = await readFiles(connection, withPaths(select, sources, entity.id));
      for (const { path, ...file } of rows) files.push({ key: keyOf(path), ...file });
    }
  });
  return files;
}

const fileRow = z.object({
  path: z.string(),
  content: z.string(),
  modified: z.date(),
  tags: z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(recordOf(z.string(), z.string())),
});

async function readFiles(connection: DuckDBConnection, select: string): Promise<z.infer<typeof fileRow>[]> {
  const reader = await connection.runAndReadAll(
    `select path, content, modified::timestamp as modified, tags::varchar as tags from (${select})`,
  );
  return reader.getRowObjectsJS().map((row) => fileRow.parse(row));
}
