import { randomUUID } from "node:crypto";
import type { DatasetRef } from "@fairway/contract/datasets";
import { type DescriptionSuggestion, maxSuggestionsPerDataset } from "@fairway/contract/description-suggestions";
import { type ColumnType, type GeneratedAlways, type Kysely, type Selectable, sql, type Transaction } from "kysely";
import type { Database } from "#database/schema.ts";
import type { SignedInUser } from "#http/handlers.ts";
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

/** What a suggestion describes: a dataset, or one of its columns. */
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
  async of({ datasetCategory, datasetId }: DatasetRef, userId?: string): Promise<AuthoredRow[]> {
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
    return this.#db.transaction().execute(async (trx) => {
      // Concurrent suggestions of one user cannot exceed the limit.
      await trx.selectFrom("users").select("id").where("id", "=", userId).forNoKeyUpdate().executeTakeFirstOrThrow();
      const replaced = await trx
        .updateTable("description_suggestions")
        .set({ ...texts, suggested_at: sql<Date>`now()` })
        .where("user_id", "=", userId)
        .where("category", "=", dataset.datasetCategory)
        .where("dataset_id", "=", dataset.datasetId)
        .where(sql<boolean>`column_name is not distinct from ${columnName}`)
        .returning("id")
        .executeTakeFirst();
      if (replaced === undefined) await this.#requireRoom(trx, userId, dataset);
      const id = replaced?.id ?? randomUUID();
      if (replaced === undefined) {
        const key = { category: dataset.datasetCategory, dataset_id: dataset.datasetId, column_name: columnName };
        await trx
          .insertInto("description_suggestions")
          .values({ id, user_id: userId, ...key, ...texts })
          .execute();
      }
      const row = await selectAuthored(trx).where("description_suggestions.id", "=", id).executeTakeFirstOrThrow();
      return { row, isNew: replaced === undefined };
    });
  }

  async #requireRoom(trx: Transaction<Database>, userId: string, { datasetCategory, datasetId }: DatasetRef): Promise<void> {
    const { own, here } = await trx
      .selectFrom("description_suggestions")
      .select([
        sql<number>`(count(*) filter (where user_id = ${userId}))::int`.as("own"),
        sql<number>`(count(*) filter (where category = ${datasetCategory} and dataset_id = ${datasetId}))::int`.as("here"),
      ])
      .where(sql<boolean>`(user_id = ${userId} or (category = ${datasetCategory} and dataset_id = ${datasetId}))`)
      .executeTakeFirstOrThrow();
    if (own >= this.#maxPerUser) {
      throw new Refusal("too-many-requests", `You have ${own} open suggestions already. Withdraw one, or wait until some are reviewed.`);
    }
    if (here >= maxSuggestionsPerDataset) {
      throw new Refusal("too-many-requests", "The dataset has too many open suggestions. Wait until some are reviewed.");
    }
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
