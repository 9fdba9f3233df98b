import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { defaultOrder } from "@fairway/contract/internal-datasets";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type Kysely, sql } from "kysely";
import { JobInterrupted } from "#background/jobs.ts";
import { countedInsert } from "#database/counted-insert.ts";
import { isUniqueViolation } from "#database/unique-violation.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { announceOwnDataset } from "#own-data/own-datasets.ts";
import { countDatasets, insertFiles, ownCategoryOf, type RoomLimits, tooManyDatasets } from "#own-data/room.ts";
import { addVersion, type NewVersion, type OwnDatasetTarget } from "#own-data/target.ts";
import { givenOf } from "#own-data/originals.ts";
import type { OriginalFile, RowsFile } from "#own-data/tables.ts";
import type { EngineCall, ImportedSource, QueryEngine } from "#query/engine.ts";
import { fileKey } from "#storage/key.ts";
import type { OwnFiles } from "#own-data/own-files.ts";
import { queryableOf } from "./read-files.ts";
import { nameTaken } from "./refusals.ts";
import type { ImportRow, ImportRun } from "./repository.ts";
import { dropFiles, scratchPath, storeFile } from "./stored-files.ts";
import type { AppendPlan } from "./tables.ts";

export interface CreationParts {
  readonly db: Kysely<Database>;
  readonly engine: Required<Pick<QueryEngine, "export">>;
  readonly files: OwnFiles;
  /** For unfinished files. The engine must be allowed to write to it. */
  readonly scratchFolder: string;
  readonly limits: RoomLimits;
}

interface RowsRequest {
  readonly run: ImportRun;
  readonly source: ImportedSource;
  readonly settings: OwnDatasetSettings;
  readonly plan: AppendPlan | null;
  readonly onRows: (rows: number) => void;
}

/** Writes the rows of files as Parquet, in the order of the dataset. Whoever calls it moves or removes the file. */
export async function exportRows(
  { engine, scratchFolder }: Pick<CreationParts, "engine" | "scratchFolder">,
  { run, source, settings, plan, onRows }: RowsRequest,
  call: EngineCall,
): Promise<{ path: string; rows: number }> {
  const path = await scratchPath(scratchFolder, run, ".parquet");
  try {
    const names = new Map(Object.entries(plan?.renamed ?? {}));
    const ownNames = new Map(Array.from(names, ([name, own]) => [own, name]));
    const columns = plan?.columns ?? settings.schema.columns;
    const written = new Set(columns.map(({ name }) => names.get(name) ?? name));
    const sortedBy = defaultOrder(settings);
    const isSorted = sortedBy.length > 0 && sortedBy.every(({ column }) => written.has(column));
    const sort = isSorted ? sortedBy.map(({ column, direction }) => ({ column: ownNames.get(column) ?? column, direction })) : [];
    const query = { timeRange: null, area: null, conditions: [], sort, limit: Number.MAX_SAFE_INTEGER };
    const target = { format: "parquet" as const, path, csvColumns: [], onRows, renamed: names, ...(isSorted ? { sortedBy } : {}) };
    return { path, rows: await engine.export(queryableOf(source, { schema: { columns } }), query, target, call) };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
}

/** Files that earlier runs of an import have written belong to nothing from now on. */
export const dropRows = (db: Kysely<Database>, run: ImportRun): Promise<void> => dropFiles(db, run, `${run.id}/rows-%`);

/** Writes the rows of files into the store. They take room from before their first byte there. */
export async function writeRows(
  parts: CreationParts,
  row: Pick<ImportRow, "id" | "user_id">,
  request: RowsRequest,
  call: EngineCall,
  name = "rows",
): Promise<RowsFile> {
  const key = fileKey(row.id, `rows-${randomUUID()}.parquet`);
  const { path, rows } = await exportRows(parts, request, call);
  try {
    const { size: bytes } = await stat(path);
    await storeFile(parts, { key, import: row, bytes, name }, (store) => store.moveIn(key, path));
    return { key, bytes, rows };
  } finally {
    await rm(path, { force: true });
  }
}

/** Makes the dataset of an import, within the transaction that ends it. Its files belong to the dataset from then on. */
export async function insertDataset(
  db: Kysely<Database>,
  run: Pick<ImportRow, "id">,
  {
    user,
    name,
    settings,
    reading,
    rows,
    given,
    limits,
  }: {
    user: Pick<SignedInUser, "id" | "username">;
    name: string;
    settings: OwnDatasetSettings;
    reading: object | null;
    rows: RowsFile;
    given: readonly OriginalFile[];
    limits: RoomLimits;
  },
  finish: (trx: Kysely<Database>, dataset: { id: string; category: string }) => Promise<void>,
): Promise<void> {
  const id = randomUUID();
  try {
    await countedInsert(db, {
      kind: "own-datasets",
      owner: user.id,
      requireRoom: async (trx) => {
        if ((await countDatasets(trx, user.id)) >= limits.ownDatasetsPerUser) throw tooManyDatasets(limits.ownDatasetsPerUser);
      },
      insert: async (trx) => {
        const category = await ownCategoryOf(trx, user);
        await trx
          .insertInto("own_datasets")
          .values({
            id,
            category,
            name,
            owner_id: user.id,
            owner_name: user.username,
            settings: JSON.stringify(settings),
            reading: reading === null ? null : JSON.stringify(reading),
            data_version: 1,
          })
          .execute();
        await insertVersion(trx, { id, version: 1, kind: "created", rows: rows.rows, files: [rows], given, settings, by: user.username });
        await takeFiles(trx, run.id, id, [rows.key, ...given.map(({ key }) => key)]);
        await finish(trx, { id, category });
        await announceOwnDataset(trx, id);
      },
    });
  } catch (error) {
    throw isUniqueViolation(error) ? nameTaken(name) : error;
  }
}

export async function insertVersion(
  trx: Kysely<Database>,
  {
    id,
    version,
    kind,
    rows,
    files,
    given,
    settings,
    by,
  }: {
    id: string;
    version: number;
    kind: Database["own_dataset_versions"]["kind"];
    rows: number;
    files: readonly RowsFile[];
    given: readonly OriginalFile[];
    settings: OwnDatasetSettings;
    by: string;
  },
): Promise<void> {
  await trx
    .insertInto("own_dataset_versions")
    .values({
      dataset_id: id,
      version,
      kind,
      rows,
      files: JSON.stringify(files),
      added: JSON.stringify(given.map(givenOf)),
      originals: JSON.stringify(given),
      columns: JSON.stringify(settings.schema.columns),
      created_by: by,
    })
    .execute();
}

/** The files of an import become those of a dataset, and take the room of its owner. */
async function takeFiles(trx: Kysely<Database>, importId: string, datasetId: string, keys: readonly string[]): Promise<void> {
  await sql`
    update own_data_files set dataset_id = ${datasetId}, import_id = null,
      user_id = (select owner_id from own_datasets where own_datasets.id = ${datasetId})
    where import_id = ${importId} and key = any(${[...keys]}::text[])`.execute(trx);
  const { count } = await trx
    .selectFrom("own_data_files")
    .select(({ fn }) => fn.countAll<string>().as("count"))
    .where("dataset_id", "=", datasetId)
    .where("key", "in", keys)
    .executeTakeFirstOrThrow();
  // Another run has begun the step again.
  if (Number(count) < new Set(keys).size) throw new JobInterrupted("lost");
  // Such as the rows that an interrupted run has written: they belong to nothing, and go with the next cleaning.
  await sql`update own_data_files set import_id = null, user_id = null where import_id = ${importId}`.execute(trx);
}

/** Adds the rows of an import to a dataset, or replaces its rows, within the transaction that ends the import. */
export async function addToDataset(
  db: Kysely<Database>,
  run: Pick<ImportRow, "id" | "user_id">,
  target: Pick<OwnDatasetTarget, "id" | "owner_id">,
  version: NewVersion,
  limits: RoomLimits,
  finish: (trx: Kysely<Database>) => Promise<void>,
): Promise<void> {
  const ownerId = target.owner_id;
  // Files that are read again count for the owner already.
  const given = version.follows === undefined ? version.given.reduce((sum, { size }) => sum + size, 0) : 0;
  const bytes = (version.merged?.rows ?? version.rows).bytes + given;
  const add = async (trx: Kysely<Database>) => {
    const files = await addVersion(trx, target.id, version);
    await takeFiles(
      trx,
      run.id,
      target.id,
      [...files, ...version.given].map(({ key }) => key),
    );
    await finish(trx);
  };
  // The bytes that an editor adds count for the owner from then on, and take no more of the portal's room than before.
  if (ownerId === null || ownerId === run.user_id) await db.transaction().execute(add);
  else await insertFiles(db, ownerId, bytes, { ...limits, ownDataTotalBytes: Infinity }, add);
}
