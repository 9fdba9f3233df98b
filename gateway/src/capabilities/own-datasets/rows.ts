import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import type { EditableOwnDataset } from "@fairway/contract/own-dataset-form";
import type { OwnDataset } from "@fairway/contract/own-datasets";
import type { OwnOrShared } from "@fairway/contract/sharing";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { currentDatasets, storedBytes } from "#own-data/current-datasets.ts";
import type { OriginalFile } from "#own-data/tables.ts";
import { mayDo } from "#sharing/access.ts";
import { type NamedShare, namedShares, ownerStateOf, shownShares } from "#sharing/named-shares.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";

/** An own dataset as its owner and those with whom it is shared see it. */
export interface OwnDatasetRow {
  readonly id: string;
  readonly category: string;
  readonly name: string;
  readonly title: string | null;
  readonly ownerId: string | null;
  readonly ownerName: string | null;
  readonly isLocked: boolean | null;
  /** The username of the last owner. */
  readonly lastOwner: string;
  readonly settings: OwnDatasetSettings;
  readonly settingsVersion: number;
  readonly dataVersion: number;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
  readonly changedAt: Date;
  readonly deletedAt: Date | null;
  readonly goneAt: Date | null;
  readonly rows: string;
  readonly bytes: string;
  readonly shares: readonly NamedShare[];
}

const selectRows = (db: Kysely<Database>) =>
  currentDatasets(db)
    .select([
      "own_datasets.id",
      "own_datasets.category",
      "own_datasets.name",
      "own_datasets.title",
      "own_datasets.owner_id as ownerId",
      "owner.username as ownerName",
      "owner.locked as isLocked",
      "own_datasets.owner_name as lastOwner",
      "own_datasets.settings",
      "own_datasets.settings_version as settingsVersion",
      "own_datasets.data_version as dataVersion",
      "own_datasets.is_enabled as isEnabled",
      "own_datasets.created_at as createdAt",
      "own_datasets.changed_at as changedAt",
      "own_datasets.deleted_at as deletedAt",
      "own_datasets.gone_at as goneAt",
      "version.rows",
    ])
    .select(storedBytes.as("bytes"))
    .select(namedShares(sql`select kind, target, can from own_dataset_shares where dataset_id = own_datasets.id`).as("shares"));

/** Those of the reader, also deleted ones that can be restored, and those that are shared with the reader. */
export async function rowsFor(db: Kysely<Database>, reader: SignedInUser): Promise<{ row: OwnDatasetRow; can: OwnOrShared }[]> {
  const rows = await selectRows(db)
    .where(
      sql<boolean>`(own_datasets.owner_id = ${reader.id} or exists (
        select from own_dataset_shares share where share.dataset_id = own_datasets.id
          and (kind = 'everyone' or (kind = 'user' and target = ${reader.id})
            or (kind = 'group' and target = any(${[...reader.groups]}::text[]))
            or (kind = 'role' and target = any(${[...reader.roles]}::text[])))))`,
    )
    .orderBy(sql`own_datasets.category collate "C"`)
    .orderBy(sql`own_datasets.name collate "C"`)
    .execute();
  return rows.flatMap((row) => {
    const can = mayDo(row, reader);
    return can === undefined || !isThereFor(row, can) ? [] : [{ row, can }];
  });
}

/** Deleted and disabled datasets are there for their owner only. */
const isThereFor = ({ deletedAt, isEnabled }: OwnDatasetRow, can: OwnOrShared): boolean =>
  can === "own" || (deletedAt === null && isEnabled);

/** Undefined if it does not exist for the reader. */
export async function rowFor(
  db: Kysely<Database>,
  id: string,
  reader: SignedInUser,
): Promise<{ row: OwnDatasetRow; can: OwnOrShared } | undefined> {
  const row = await anyRow(db, id);
  const can = row && mayDo(row, reader);
  return row === undefined || can === undefined || !isThereFor(row, can) ? undefined : { row, can };
}

/** Whoever may read it. */
export async function anyRow(db: Kysely<Database>, id: string): Promise<OwnDatasetRow | undefined> {
  return selectRows(db).where("own_datasets.id", "=", id).executeTakeFirst();
}

/** Those whose owner's account has been deleted, or all of an account. */
export async function rowsOwnedBy(db: Kysely<Database>, ownerId: string | null): Promise<OwnDatasetRow[]> {
  return selectRows(db)
    .where(sql<boolean>`own_datasets.owner_id is not distinct from ${ownerId}`)
    .orderBy(sql`own_datasets.category collate "C"`)
    .orderBy(sql`own_datasets.name collate "C"`)
    .execute();
}

/** The given files of a version; undefined if its files are no longer kept. */
export async function originalsOf(db: Kysely<Database>, id: string, version: number): Promise<readonly OriginalFile[] | undefined> {
  const row = await db
    .selectFrom("own_dataset_versions")
    .select("originals")
    .where("dataset_id", "=", id)
    .where("version", "=", version)
    .where("is_kept", "=", true)
    .executeTakeFirst();
  return row?.originals;
}

export const ownDatasetOf = (row: OwnDatasetRow, can: OwnOrShared, reader: SignedInUser): OwnDataset => ({
  id: row.id,
  datasetCategory: row.category,
  datasetId: row.name,
  title: row.title,
  owner: row.ownerId === null ? null : { userId: row.ownerId, username: row.ownerName ?? "" },
  ownerState: ownerStateOf(row),
  can,
  shares: shownShares(row.shares, can, reader),
  rows: Number(row.rows),
  bytes: Number(row.bytes),
  createdMs: row.createdAt.getTime(),
  changedMs: row.changedAt.getTime(),
  dataVersion: row.dataVersion,
  isEnabled: row.isEnabled,
  goneMs: row.goneAt?.getTime() ?? null,
});

export const editableOf = (row: OwnDatasetRow, can: OwnOrShared, reader: SignedInUser): EditableOwnDataset => ({
  ...ownDatasetOf(row, can, reader),
  settings: row.settings,
  version: row.settingsVersion,
});
