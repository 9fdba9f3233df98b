import { randomUUID } from "node:crypto";
import { datasetKey, type DatasetRef } from "@fairway/contract/datasets";
import { type DescriptionSuggestion, maxSuggestionsPerDataset } from "@fairway/contract/description-suggestions";
import { type ColumnType, type GeneratedAlways, type Kysely, type RawBuilder, type Selectable, sql, type Transaction } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { saveLayer, type StoredDescriptions } from "./store.ts";

declare module "#database/schema.ts" {
  interface Database {
    /** Open suggestions of community descriptions. */
    description_suggestions: {
      id: string;
      /** Orders suggestions, newest last. */
      number: GeneratedAlways<string>;
      category: string;
      dataset_id: string;
      /** Null for the dataset itself. */
      column_name: string | null;
      user_id: string;
      description: string;
      /** The community description when this was suggested. */
      replaces: string;
      suggested_at: ColumnType<Date, never, Date>;
    };
  }
}

type Row = Selectable<Database["description_suggestions"]>;

/** A suggestion with its author. */
type AuthoredRow = Row & { username: string; first_name: string | null; last_name: string | null };

/** Target of a suggestion: a dataset, or one of its columns. */
export interface Target {
  readonly dataset: DatasetRef;
  readonly columnName: string | null;
}

export interface Decision {
  readonly decision: "approve" | "decline";
  readonly description: string;
  readonly replaces: string;
  /** Refuses a column that the dataset no longer has. */
  readonly check: (columnName: string | null) => void;
}

/** Open suggestions of community descriptions. */
export class SuggestionStore {
  readonly #db: Kysely<Database>;
  readonly #maxPerUser: number;

  constructor(db: Kysely<Database>, maxPerUser: number) {
    this.#db = db;
    this.#maxPerUser = maxPerUser;
  }

  /** Of a dataset, oldest first; only those of one user if `userId` is passed. */
  async listFor({ datasetCategory, datasetId }: DatasetRef, userId?: string): Promise<AuthoredRow[]> {
    return selectAuthored(this.#db)
      .where("category", "=", datasetCategory)
      .where("dataset_id", "=", datasetId)
      .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
      .orderBy("number")
      .execute();
  }

  /** Of all datasets, by column; only those of one user if `userId` is passed. */
  counts(userId?: string) {
    return this.#db
      .selectFrom("description_suggestions")
      .select(["category", "dataset_id", "column_name"])
      .select(({ fn }) => [fn.countAll<string>().as("count"), fn.max("suggested_at").as("newest")])
      .$if(userId !== undefined, (query) => query.where("user_id", "=", userId ?? ""))
      .groupBy(["category", "dataset_id", "column_name"])
      .execute();
  }

  /** Adds the user's suggestion for the target, or replaces the open one. */
  async save(userId: string, { dataset, columnName }: Target, texts: { description: string; replaces: string }) {
    const { datasetCategory, datasetId } = dataset;
    const ofTarget = { category: datasetCategory, dataset_id: datasetId, column_name: columnName };
    const replace = (trx: Transaction<Database>) =>
      trx
        .updateTable("description_suggestions")
        .set({ ...texts, suggested_at: sql<Date>`now()` })
        .where("user_id", "=", userId)
        .where("category", "=", datasetCategory)
        .where("dataset_id", "=", datasetId)
        .where(sql<boolean>`column_name is not distinct from ${columnName}`)
        .returning("id")
        .executeTakeFirst();
    const insert = async (trx: Transaction<Database>) => {
      const id = randomUUID();
      await trx
        .insertInto("description_suggestions")
        .values({ id, user_id: userId, ...ofTarget, ...texts })
        .execute();
      return id;
    };
    return countedInsert(this.#db, {
      kind: "description-suggestions",
      owner: userId,
      requireRoom: async (trx) => {
        const replaced = await replace(trx);
        if (replaced === undefined) await this.#requireFewOwn(trx, userId);
        return replaced;
      },
      insert: async (trx, replaced) => {
        const id =
          replaced?.id ??
          (await countedInsert(trx, {
            kind: "description-suggestions",
            owner: datasetKey(dataset),
            requireRoom: () => requireFewOfDataset(trx, dataset),
            insert,
          }));
        const row = await selectAuthored(trx).where("description_suggestions.id", "=", id).executeTakeFirstOrThrow();
        return { row, isNew: replaced === undefined };
      },
    });
  }

  async #requireFewOwn(trx: Transaction<Database>, userId: string): Promise<void> {
    const own = await countOf(trx, sql<boolean>`user_id = ${userId}`);
    if (own < this.#maxPerUser) return;
    throw new Refusal("too-many-requests", `You have ${own} open suggestions already. Withdraw one, or wait until some are reviewed.`);
  }

  /** Refuses with `not-found` a suggestion of another user or dataset. */
  async withdraw(userId: string, dataset: DatasetRef, id: string): Promise<void> {
    const { numDeletedRows } = await this.#db
      .deleteFrom("description_suggestions")
      .where("id", "=", id)
      .where("user_id", "=", userId)
      .where("category", "=", dataset.datasetCategory)
      .where("dataset_id", "=", dataset.datasetId)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw noSuchSuggestion();
  }

  /** Removes the suggestion, and saves it as the community description if it is approved. */
  async decide(
    reviewer: SignedInUser,
    dataset: DatasetRef,
    id: string,
    { decision, description, replaces, check }: Decision,
  ): Promise<AuthoredRow> {
    return this.#db.transaction().execute(async (trx) => {
      const row = await selectAuthored(trx)
        .where("description_suggestions.id", "=", id)
        .where("category", "=", dataset.datasetCategory)
        .where("dataset_id", "=", dataset.datasetId)
        .forUpdate("description_suggestions")
        .executeTakeFirst();
      if (row === undefined) throw noSuchSuggestion();
      if (row.description !== description) {
        throw new Refusal("stale-version", "The suggestion has been replaced since you read it.", { path: "description" });
      }
      if (decision === "approve") {
        check(row.column_name);
        const { saved } = await saveLayer(trx, dataset, "community", {
          username: reviewer.username,
          suggestedBy: row.username,
          isExpected: (before) => textOf(before, row.column_name) === replaces,
          draftOf: (before) =>
            row.column_name === null
              ? { description, columnDescriptions: [] }
              : { description: before.description, columnDescriptions: [{ columnName: row.column_name, description }] },
        });
        if (!saved) throw new Refusal("stale-version", "The description has changed since you read it.", { path: "replaces" });
      }
      await trx.deleteFrom("description_suggestions").where("id", "=", id).execute();
      return row;
    });
  }
}

/** The text of the dataset itself or of a column; empty if there is none. */
export const textOf = ({ description, columns }: StoredDescriptions, columnName: string | null): string =>
  columnName === null ? description : (columns.get(columnName) ?? "");

async function requireFewOfDataset(trx: Transaction<Database>, { datasetCategory, datasetId }: DatasetRef): Promise<void> {
  const here = await countOf(trx, sql<boolean>`category = ${datasetCategory} and dataset_id = ${datasetId}`);
  if (here < maxSuggestionsPerDataset) return;
  throw new Refusal("too-many-requests", "The dataset has too many open suggestions. Wait until some are reviewed.");
}

async function countOf(trx: Transaction<Database>, which: RawBuilder<boolean>): Promise<number> {
  const suggestions = trx
    .selectFrom("description_suggestions")
    .select(sql<number>`count(*)::int`.as("count"))
    .where(which);
  return (await suggestions.executeTakeFirstOrThrow()).count;
}

const noSuchSuggestion = () => new Refusal("not-found", "There is no such suggestion, or it has been decided already.");

const selectAuthored = (db: Kysely<Database>) =>
  db
    .selectFrom("description_suggestions")
    .innerJoin("users", "users.id", "description_suggestions.user_id")
    .selectAll("description_suggestions")
    .select(["users.username", "users.first_name", "users.last_name"]);

export const fullName = ({ first_name: first, last_name: last }: Pick<AuthoredRow, "first_name" | "last_name">): string =>
  [first, last].filter((part) => part !== null && part !== "").join(" ");

export const toSuggestion = (row: AuthoredRow, userId: string): DescriptionSuggestion => ({
  id: row.id,
  columnName: row.column_name,
  description: row.description,
  replaces: row.replaces,
  username: row.username,
  name: fullName(row),
  isOwn: row.user_id === userId,
  suggestedMs: row.suggested_at.getTime(),
});
