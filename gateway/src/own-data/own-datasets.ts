import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type Kysely, sql } from "kysely";
import type { Notifications } from "#database/notifications.ts";
import type { Database } from "#database/schema.ts";
import type { ImportedSource } from "#query/engine.ts";
import type { Sharing, StoredShare } from "./access.ts";
import "./tables.ts";

/** An own dataset that can be read. */
export interface OwnDatasetRecord extends Sharing {
  readonly id: string;
  readonly category: string;
  readonly name: string;
  /** Null for the name. */
  readonly title: string | null;
  /** Null once the account is gone. */
  readonly ownerName: string | null;
  readonly settings: OwnDatasetSettings;
  readonly source: ImportedSource;
  readonly dataVersion: number;
  /** Changes whenever the dataset does. */
  readonly revision: string;
}

/** Channel of the ids of own datasets that have changed. */
const channel = "own_datasets";

/** Tells all gateways that own datasets have changed, once the transaction is committed. */
export const announceOwnDataset = async (trx: Kysely<Database>, id: string): Promise<void> =>
  void (await sql`select pg_notify(${channel}, ${id})`.execute(trx));

/** The own datasets of all users that can be read now. */
export interface OwnDatasets {
  list(): Promise<readonly OwnDatasetRecord[]>;
  /** Calls the listener when any may have changed. */
  onChanged(listener: () => void): void;
}

export async function openOwnDatasets(
  db: Kysely<Database>,
  notifications: Pick<Notifications, "on" | "onReconnect">,
): Promise<OwnDatasets> {
  const listeners: (() => void)[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  await notifications.on(channel, changed);
  notifications.onReconnect(changed);
  return { list: () => readOwnDatasets(db), onChanged: (listener) => void listeners.push(listener) };
}

async function readOwnDatasets(db: Kysely<Database>): Promise<OwnDatasetRecord[]> {
  const rows = await db
    .selectFrom("own_datasets")
    .innerJoin("own_dataset_versions as version", (join) =>
      join.onRef("version.dataset_id", "=", "own_datasets.id").onRef("version.version", "=", "own_datasets.data_version"),
    )
    .leftJoin("users", "users.id", "own_datasets.owner_id")
    .select([
      "own_datasets.id",
      "own_datasets.category",
      "own_datasets.name",
      "own_datasets.title",
      "own_datasets.owner_id as ownerId",
      "users.username as ownerName",
      "own_datasets.settings",
      "own_datasets.settings_version as settingsVersion",
      "own_datasets.data_version as dataVersion",
      "version.files",
      "own_datasets.changed_at as changedAt",
    ])
    .select(
      sql<StoredShare[]>`coalesce((select json_agg(json_build_object('kind', kind, 'target', target, 'can', can))
        from own_dataset_shares share where share.dataset_id = own_datasets.id), '[]')`.as("shares"),
    )
    .where("own_datasets.deleted_at", "is", null)
    .where("own_datasets.is_enabled", "=", true)
    .execute();
  return rows.map(({ files, settingsVersion, changedAt, ...row }) =>
    Object.assign(row, {
      source: {
        kind: "imported" as const,
        format: "parquet" as const,
        files: files.map(({ key, bytes }) => ({ key, bytes, name: row.name })),
      },
      revision: `${settingsVersion}.${row.dataVersion}.${changedAt.getTime()}`,
    }),
  );
}
