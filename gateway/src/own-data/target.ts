import { goneDatasetText, missingDatasetText } from "@fairway/contract/own-datasets";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type Kysely, type Selectable, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";
import { mayDo, type StoredShare } from "#sharing/access.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { announceOwnDataset } from "./own-datasets.ts";
import { givenOf } from "./originals.ts";
import type { OriginalFile, RowsFile, VersionKind } from "./tables.ts";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";

type Row = Selectable<Database["own_datasets"]>;

/** An own dataset that files are added to. */
export interface OwnDatasetTarget extends Pick<Row, "id" | "owner_id" | "settings" | "reading" | "data_version"> {
  readonly version: Selectable<Database["own_dataset_versions"]>;
}

/** Refuses with the same `not-found` a dataset that does not exist and one that is nothing to the user, and one that may only be read. */
export async function targetFor(
  db: Kysely<Database>,
  user: SignedInUser,
  { datasetCategory, datasetId }: DatasetRef,
): Promise<OwnDatasetTarget> {
  const row = await db
    .selectFrom("own_datasets")
    .selectAll()
    .select(
      sql<StoredShare[]>`coalesce((select json_agg(json_build_object('kind', kind, 'target', target, 'can', can))
        from own_dataset_shares share where share.dataset_id = own_datasets.id), '[]')`.as("shares"),
    )
    .where("category", "=", datasetCategory)
    .where("name", "=", datasetId)
    .where("deleted_at", "is", null)
    .where("is_enabled", "=", true)
    .executeTakeFirst();
  const can = row && mayDo({ ownerId: row.owner_id, shares: row.shares }, user);
  if (row === undefined || can === undefined) throw new Refusal("not-found", missingDatasetText(datasetCategory));
  if (can === "view") throw new Refusal("forbidden", "You may only read this dataset.");
  const version = await db
    .selectFrom("own_dataset_versions")
    .selectAll()
    .where("dataset_id", "=", row.id)
    .where("version", "=", row.data_version)
    .executeTakeFirstOrThrow();
  return { ...row, version };
}

/** When each file of the current rows was added, by its SHA-256. */
export async function addedFiles(db: Kysely<Database>, datasetId: string): Promise<Map<string, Date>> {
  const { rows } = await sql<{ sha256: string; at: Date }>`
    select file.given ->> 'sha256' as sha256, max(to_timestamp((file.given ->> 'addedMs')::float8 / 1000)) as at
    from own_datasets dataset
    join own_dataset_versions version on version.dataset_id = dataset.id and version.version = dataset.data_version,
      jsonb_array_elements(version.originals) as file (given)
    where dataset.id = ${datasetId}
    group by 1`.execute(db);
  return new Map(rows.map(({ sha256, at }) => [sha256, at]));
}

/** Rows that are in several files of a dataset until now, the added ones among them. */
export interface MergedRows {
  /** Keys of the last files of the version before. */
  readonly replaced: readonly string[];
  readonly rows: RowsFile;
}

export interface NewVersion {
  readonly kind: VersionKind;
  /** Whether the rows are added to those of the current version. */
  readonly keepsRows: boolean;
  readonly rows: RowsFile;
  /** Taken instead of `rows` and the files that it replaces, if these are still the last ones. */
  readonly merged?: MergedRows | undefined;
  readonly given: readonly OriginalFile[];
  /** The version that it has to follow, if its rows were made of what that one has. */
  readonly follows?: number;
  /** The settings with the columns of the new rows. */
  readonly settings: (current: OwnDatasetSettings) => OwnDatasetSettings;
  readonly reading: object | null;
  readonly by: string;
}

/** Adds a version, one after another for each dataset, so that none is lost. Resolves with its files of rows. */
export async function addVersion(trx: Kysely<Database>, id: string, added: NewVersion): Promise<readonly RowsFile[]> {
  const current = await trx.selectFrom("own_datasets").selectAll().where("id", "=", id).forUpdate().executeTakeFirst();
  if (current === undefined || current.deleted_at !== null) throw new Refusal("not-found", goneDatasetText);
  const before = await trx
    .selectFrom("own_dataset_versions")
    .selectAll()
    .where("dataset_id", "=", id)
    .where("version", "=", current.data_version)
    .executeTakeFirstOrThrow();
  if (added.follows !== undefined && added.follows !== current.data_version)
    throw new Refusal("conflict", "The rows of this dataset have changed meanwhile. Start again to change how its files are read.");
  const { version: latest } = await trx
    .selectFrom("own_dataset_versions")
    .select(({ fn }) => fn.max("version").as("version"))
    .where("dataset_id", "=", id)
    .executeTakeFirstOrThrow();
  const settings = added.settings(current.settings);
  const files = added.keepsRows ? withRows(before.files, added) : [added.rows];
  await trx
    .insertInto("own_dataset_versions")
    .values({
      dataset_id: id,
      version: latest + 1,
      kind: added.kind,
      rows: added.rows.rows + (added.keepsRows ? Number(before.rows) : 0),
      files: JSON.stringify(files),
      added: JSON.stringify(added.given.map(givenOf)),
      originals: JSON.stringify([...(added.keepsRows ? before.originals : []), ...added.given]),
      columns: JSON.stringify(settings.schema.columns),
      created_by: added.by,
    })
    .execute();
  await trx
    .updateTable("own_datasets")
    .set({
      data_version: latest + 1,
      settings: JSON.stringify(settings),
      settings_version: current.settings_version + 1,
      reading: added.reading === null ? null : JSON.stringify(added.reading),
      changed_at: sql<Date>`now()`,
    })
    .where("id", "=", id)
    .execute();
  await announceOwnDataset(trx, id);
  return files;
}

/** Another import may have added files since others were merged: these stay then, as each row has to be there once. */
function withRows(files: readonly RowsFile[], { rows, merged }: Pick<NewVersion, "rows" | "merged">): RowsFile[] {
  const count = merged?.replaced.length ?? 0;
  const isCurrent = merged !== undefined && count > 0 && files.slice(-count).every(({ key }, index) => key === merged.replaced[index]);
  return isCurrent && files.length >= count ? [...files.slice(0, -count), merged.rows] : [...files, rows];
}
