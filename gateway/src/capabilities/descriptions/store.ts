import type { DatasetRef } from "@fairway/contract/datasets";
import { type DescriptionsDraft, revisionsPage } from "@fairway/contract/descriptions";
import { type ColumnType, type Kysely, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";

interface ColumnText {
  readonly name: string;
  readonly description: string;
}

type ColumnTexts = ColumnType<ColumnText[], string, string>;

declare module "#database/schema.ts" {
  interface Database {
    dataset_descriptions: {
      category: string;
      dataset_id: string;
      /** Null for the community's. */
      user_id: string | null;
      version: number;
      description: string;
      columns: ColumnTexts;
    };
    community_description_revisions: {
      category: string;
      dataset_id: string;
      version: number;
      description: string;
      columns: ColumnTexts;
      username: string;
      /** Author of the suggestion, if it was saved by approving one. */
      suggested_by: string | null;
      saved_at: ColumnType<Date, never, never>;
    };
  }
}

/** Owner of descriptions: the community, or a user with private ones. */
export type Layer = "community" | { readonly userId: string };

/** Descriptions as stored, also of columns that the dataset no longer has. */
export interface StoredDescriptions {
  /** 0 until they are saved first. */
  readonly version: number;
  readonly description: string;
  /** By column name. */
  readonly columns: ReadonlyMap<string, string>;
}

export interface Revision extends StoredDescriptions {
  readonly username: string;
  readonly suggestedBy: string | null;
  readonly savedAt: Date;
}

/** A save: its user, the new texts and the texts that they replace. */
interface Change {
  readonly username: string;
  readonly suggestedBy?: string;
  readonly draftOf: (before: StoredDescriptions) => DescriptionsDraft;
  /** Whether the stored texts are those that the change was made for. */
  readonly isExpected: (before: StoredDescriptions) => boolean;
}

const maxRevisions = 100;
/** Upper bound on the texts of one page of revisions, unless its first one is larger. */
const maxPageCharacters = 10_000_000;

const unsaved: StoredDescriptions = { version: 0, description: "", columns: new Map() };

/** Community and private descriptions of datasets and their columns. */
export class DescriptionStore {
  readonly #db: Kysely<Database>;

  constructor(db: Kysely<Database>) {
    this.#db = db;
  }

  async read(dataset: DatasetRef, layer: Layer): Promise<StoredDescriptions> {
    const row = await selectLayer(this.#db, dataset, layer).executeTakeFirst();
    return row === undefined ? unsaved : stored(row);
  }

  /** Both layers as this user sees them, in one query, because the schema of a dataset is read whenever a person opens it. */
  async readBoth(dataset: DatasetRef, userId: string): Promise<{ community: StoredDescriptions; own: StoredDescriptions }> {
    const rows = await selectDescriptions(this.#db, dataset)
      .select("user_id")
      .where((where) => where.or([where("user_id", "is", null), where("user_id", "=", userId)]))
      .execute();
    const [community, own] = [rows.find(({ user_id }) => user_id === null), rows.find(({ user_id }) => user_id !== null)];
    return { community: community ? stored(community) : unsaved, own: own ? stored(own) : unsaved };
  }

  /** The descriptions of all datasets themselves, without their columns. */
  async communityDescriptions(): Promise<(DatasetRef & { description: string })[]> {
    return this.#db
      .selectFrom("dataset_descriptions")
      .select(["category as datasetCategory", "dataset_id as datasetId", "description"])
      .where("user_id", "is", null)
      .where("description", "<>", "")
      .execute();
  }

  /**
   * Merges the draft with what is stored. With an `expected` version that is not the stored one, nothing changes and `saved` is
   * false.
   */
  async save(
    dataset: DatasetRef,
    layer: Layer,
    draft: DescriptionsDraft,
    { expected, username }: { expected: number | undefined; username: string },
  ): Promise<{ saved: boolean; now: StoredDescriptions }> {
    const isExpected = ({ version }: StoredDescriptions) => expected === undefined || expected === version;
    return this.#db.transaction().execute((trx) => saveLayer(trx, dataset, layer, { username, isExpected, draftOf: () => draft }));
  }

  /** One page, the newest first. It ends early where its texts would exceed `maxPageCharacters`. */
  async communityRevisions({ datasetCategory, datasetId }: DatasetRef, before?: number): Promise<Revision[]> {
    const rows = await this.#db
      .with("page", (db) =>
        db
          .selectFrom("community_description_revisions")
          .selectAll()
          .select(sql<number>`sum(length(columns::text)) over (order by version desc)`.as("characters"))
          .select(sql<number>`row_number() over (order by version desc)`.as("place"))
          .where("category", "=", datasetCategory)
          .where("dataset_id", "=", datasetId)
          .$if(before !== undefined, (query) => query.where("version", "<", before ?? 0))
          .orderBy("version", "desc")
          .limit(revisionsPage),
      )
      .selectFrom("page")
      .selectAll()
      .where((where) => where.or([where("characters", "<=", maxPageCharacters), where("place", "=", 1)]))
      .orderBy("version", "desc")
      .execute();
    return rows.map((row) => Object.assign(stored(row), { username: row.username, suggestedBy: row.suggested_by, savedAt: row.saved_at }));
  }
}

/** Saves a change in a transaction, in which the layer stays locked. If it is not expected, nothing changes and `saved` is false. */
export async function saveLayer(
  trx: Transaction<Database>,
  dataset: DatasetRef,
  layer: Layer,
  { username, suggestedBy, draftOf, isExpected }: Change,
): Promise<{ saved: boolean; now: StoredDescriptions }> {
  await trx
    .insertInto("dataset_descriptions")
    .values({ ...keyOf(dataset), user_id: userOf(layer), version: 0, description: "", columns: "[]" })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const before = stored(await selectLayer(trx, dataset, layer).forUpdate().executeTakeFirstOrThrow());
  if (!isExpected(before)) return { saved: false, now: before };
  const now = merged(before, draftOf(before));
  const values = { version: now.version, description: now.description, columns: columnsJson(now) };
  await trx
    .updateTable("dataset_descriptions")
    .set(values)
    .where("category", "=", dataset.datasetCategory)
    .where("dataset_id", "=", dataset.datasetId)
    .where(sql<boolean>`user_id is not distinct from ${userOf(layer)}`)
    .execute();
  if (layer === "community") {
    await trx
      .insertInto("community_description_revisions")
      .values({ ...keyOf(dataset), ...values, username, suggested_by: suggestedBy ?? null })
      .execute();
    await trx
      .deleteFrom("community_description_revisions")
      .where("category", "=", dataset.datasetCategory)
      .where("dataset_id", "=", dataset.datasetId)
      .where("version", "<=", now.version - maxRevisions)
      .execute();
  }
  return { saved: true, now };
}

const keyOf = ({ datasetCategory, datasetId }: DatasetRef) => ({ category: datasetCategory, dataset_id: datasetId });

const userOf = (layer: Layer): string | null => (layer === "community" ? null : layer.userId);

const selectDescriptions = (db: Kysely<Database>, { datasetCategory, datasetId }: DatasetRef) =>
  db
    .selectFrom("dataset_descriptions")
    .select(["version", "description", "columns"])
    .where("category", "=", datasetCategory)
    .where("dataset_id", "=", datasetId);

const selectLayer = (db: Kysely<Database>, dataset: DatasetRef, layer: Layer) =>
  selectDescriptions(db, dataset).where(sql<boolean>`user_id is not distinct from ${userOf(layer)}`);

const stored = (row: { version: number; description: string; columns: ColumnText[] }): StoredDescriptions => ({
  version: row.version,
  description: row.description,
  columns: new Map(row.columns.map(({ name, description }) => [name, description])),
});

function merged(before: StoredDescriptions, { description, columnDescriptions }: DescriptionsDraft): StoredDescriptions {
  const columns = new Map(before.columns);
  for (const column of columnDescriptions) {
    if (column.description === "") columns.delete(column.columnName);
    else columns.set(column.columnName, column.description);
  }
  return { version: before.version + 1, description, columns };
}

const columnsJson = ({ columns }: StoredDescriptions): string =>
  JSON.stringify(Array.from(columns, ([name, description]) => ({ name, description })));
