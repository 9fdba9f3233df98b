import type { DatasetRef } from "@fairway/contract/datasets";
import { spellings } from "@fairway/contract/text";
import { type Kysely, sql, type Transaction } from "kysely";
import { countedInsert } from "#database/counted-insert.ts";
import type { Database } from "#database/schema.ts";
import { Refusal } from "#http/refusal.ts";

/** The tables whose rows have an owner and a name. */
type OwnedTable = {
  [Table in keyof Database]: Database[Table] extends { user_id: string | null; name: string } ? Table : never;
}[keyof Database];

interface OwnedKind {
  readonly table: OwnedTable;
  /** Singular and plural, for messages. */
  readonly noun: string;
  readonly nouns: string;
  /** Field of a draft that contains the name. */
  readonly nameField: string;
  /** Whether names are unique per user and dataset instead of per user. */
  readonly isOfDataset: boolean;
  readonly maxPerUser: number;
}

/** Common rules for items that users keep under names of their choice. */
export interface OwnedByName {
  /** Runs the work, which inserts one item of the user's. Refuses with `conflict` if the user has reached the maximum. */
  insert<Result>(userId: string, work: (trx: Transaction<Database>) => Promise<Result>): Promise<Result>;
  /** Deletes the user's item with this name; refuses with `not-found` if there is none. */
  remove(userId: string, name: string, dataset?: DatasetRef): Promise<void>;
  nameTaken(): Refusal;
  notFound(): Refusal;
}

export function ownedByName(db: Kysely<Database>, kind: OwnedKind): OwnedByName {
  const { table, noun, nouns, nameField, maxPerUser } = kind;
  const scope = kind.isOfDataset ? " for this dataset" : "";
  const notFound = () => new Refusal("not-found", `You have no ${noun} with this name${scope}.`);
  return {
    insert: (userId, work) =>
      countedInsert(db, {
        kind: table.replaceAll("_", "-"),
        owner: userId,
        requireRoom: async (trx) => {
          const { count } = await trx
            .selectFrom(table)
            .select(({ fn }) => fn.countAll<string>().as("count"))
            .where("user_id", "=", userId)
            .executeTakeFirstOrThrow();
          if (Number(count) < maxPerUser) return;
          throw new Refusal("conflict", `You have ${maxPerUser} ${nouns}, as many as there can be. Delete one first.`);
        },
        insert: work,
      }),
    remove: async (userId, name, dataset) => {
      let query = db.deleteFrom(table).where("user_id", "=", userId).where("name", "in", spellings(name));
      if (dataset !== undefined) {
        query = query
          .where(sql.ref<string>("category"), "=", dataset.datasetCategory)
          .where(sql.ref<string>("dataset_id"), "=", dataset.datasetId);
      }
      const { numDeletedRows } = await query.executeTakeFirstOrThrow();
      if (numDeletedRows === 0n) throw notFound();
    },
    nameTaken: () => new Refusal("name-taken", `A ${noun} with this name already exists${scope}.`, { path: nameField }),
    notFound,
  };
}
