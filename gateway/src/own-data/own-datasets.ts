import { datasetKey } from "@fairway/contract/datasets";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type Kysely, sql } from "kysely";
import type { LiveAudience } from "#database/live-changes.ts";
import type { Notifications } from "#database/notifications.ts";
import type { Database } from "#database/schema.ts";
import type { ImportedSource } from "#query/engine.ts";
import { WholeFigures } from "#query/whole-figures.ts";
import type { Sharing } from "#sharing/access.ts";
import { audienceOf } from "#sharing/audience.ts";
import { announcedAudiences, announcementOf, sharingOf } from "./audience.ts";
import { currentDatasets } from "./current-datasets.ts";
import { storedShares } from "./stored-shares.ts";
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

/** Channel of changes of own datasets. */
const channel = "own_datasets";

/**
 * Tells all gateways that an own dataset has changed, and whom it concerns, once the transaction is committed. Call it after the change;
 * `before` says who could read it until then.
 */
export async function announceOwnDataset(trx: Kysely<Database>, id: string, before?: Sharing): Promise<void> {
  const sharings = [before, await sharingOf(trx, id)].filter((one) => one !== undefined);
  await sql`select pg_notify(${channel}, ${announcementOf(await audienceOf(trx, sharings))})`.execute(trx);
}

/** The own datasets of all users that can be read now. */
export interface OwnDatasets {
  list(): Promise<readonly OwnDatasetRecord[]>;
  /** When the current rows of each were made, by `datasetKey`, in epoch milliseconds. */
  rowChanges(): Promise<ReadonlyMap<string, WholeFigures<number | null>>>;
  /** Calls the listener when any may have changed, with whom it concerns; nobody is named if changes may have been missed. */
  onChanged(listener: (audiences: readonly LiveAudience[]) => void): void;
}

export async function openOwnDatasets(
  db: Kysely<Database>,
  notifications: Pick<Notifications, "on" | "onReconnect">,
): Promise<OwnDatasets> {
  const listeners: ((audiences: readonly LiveAudience[]) => void)[] = [];
  const changed = (audiences: readonly LiveAudience[]) => {
    for (const listener of listeners) listener(audiences);
  };
  await notifications.on(channel, (payload) => changed(announcedAudiences(payload)));
  notifications.onReconnect(() => changed([]));
  return {
    list: () => readOwnDatasets(db),
    rowChanges: () => readRowChanges(db),
    onChanged: (listener) => void listeners.push(listener),
  };
}

async function readRowChanges(db: Kysely<Database>): ReturnType<OwnDatasets["rowChanges"]> {
  const rows = await currentDatasets(db)
    .select(["own_datasets.category", "own_datasets.name", "version.created_at as createdAt"])
    .where("own_datasets.deleted_at", "is", null)
    .execute();
  return new Map(
    rows.map(({ category, name, createdAt }) => [
      datasetKey({ datasetCategory: category, datasetId: name }),
      WholeFigures.of<number | null>(createdAt.getTime(), (changedMs) => changedMs),
    ]),
  );
}

async function readOwnDatasets(db: Kysely<Database>): Promise<OwnDatasetRecord[]> {
  const rows = await currentDatasets(db)
    .select([
      "own_datasets.id",
      "own_datasets.category",
      "own_datasets.name",
      "own_datasets.title",
      "own_datasets.owner_id as ownerId",
      "owner.username as ownerName",
      "own_datasets.settings",
      "own_datasets.settings_version as settingsVersion",
      "own_datasets.data_version as dataVersion",
      "version.files",
      "own_datasets.changed_at as changedAt",
    ])
    .select(storedShares.as("shares"))
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
