import { randomUUID } from "node:crypto";
import { type DatasetGroup, type DatasetGroupDraft, datasetGroupLimits, datasetGroups } from "@fairway/contract/dataset-groups";
import { datasetKey, type DatasetRef, type FilterSupport } from "@fairway/contract/datasets";
import type { ErrorItem } from "@fairway/contract/errors";
import { byName } from "@fairway/contract/name-order";
import { requiresAField } from "@fairway/contract/required-filters";
import { spellings } from "@fairway/contract/text";
import { type ColumnType, type JSONColumnType, type Kysely, sql } from "kysely";
import { nameKey } from "#database/name-key.ts";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reachOver } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { ownedByName } from "#personal/owned-by-name.ts";
import { noSuchDataset } from "#personal/readable-dataset.ts";

declare module "#database/schema.ts" {
  interface Database {
    dataset_groups: {
      id: string;
      user_id: string;
      name: string;
      name_key: string;
      description: string;
      datasets: JSONColumnType<DatasetRef[]>;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  /** Refuses with `not-found` if the user may not use the dataset. */
  readonly find: (user: SignedInUser, category: string, id: string) => Promise<{ readonly filterSupport: FilterSupport }>;
}

const fields = ["id", "name", "description", "user_id as userId", "datasets"] as const;

interface DatasetGroups extends Capability {
  /** The user's own groups that hold a dataset, by name. */
  readonly groupsHolding: (userId: string, dataset: DatasetRef) => Promise<Pick<DatasetGroup, "id" | "name">[]>;
}

export const openDatasetGroups = (parts: Parts): DatasetGroups => ({
  groupsHolding: (userId, { datasetCategory, datasetId }) =>
    parts.db
      .selectFrom("dataset_groups")
      .select(["id", "name"])
      .where("user_id", "=", userId)
      .where(sql<boolean>`datasets @> ${JSON.stringify([{ datasetCategory, datasetId }])}::jsonb`)
      .orderBy("name_key")
      .execute(),
  routes: { datasetGroups: implement(datasetGroups, handlers(parts)) },
});

const handlers = ({ db, find }: Parts): Handlers<typeof datasetGroups> => ({
  list: async ({ user }) => {
    const groups = await db.selectFrom("dataset_groups").select(fields).where("user_id", "=", user.id).orderBy("name_key").execute();
    return groups.filter(({ datasets }) => reachOver(user.reach, datasets) === "whole").toSorted(byName);
  },
  create: async ({ user, body }) => {
    const datasets = await validateDatasets(find, user, body);
    const owned = ownedGroups(db);
    const created: DatasetGroup | undefined = await owned.insert(user.id, (trx) =>
      trx
        .insertInto("dataset_groups")
        .values({
          id: randomUUID(),
          user_id: user.id,
          name: body.name,
          name_key: nameKey(body.name),
          description: body.description,
          datasets: JSON.stringify(datasets),
        })
        .onConflict((conflict) => conflict.columns(["user_id", "name_key"]).doNothing())
        .returning(fields)
        .executeTakeFirst(),
    );
    if (created === undefined) throw owned.nameTaken();
    return created;
  },
  edit: async ({ user, body }) => {
    const datasets = await validateDatasets(find, user, body);
    const updated = await db
      .updateTable("dataset_groups")
      .set({ description: body.description, datasets: JSON.stringify(datasets) })
      .where("user_id", "=", user.id)
      .where("name", "in", spellings(body.name))
      .returning(fields)
      .executeTakeFirst();
    if (updated === undefined) throw ownedGroups(db).notFound();
    return updated;
  },
  remove: async ({ user, params }) => {
    await ownedGroups(db).remove(user.id, params.name.trim());
    return undefined;
  },
});

const ownedGroups = (db: Kysely<Database>) =>
  ownedByName(db, {
    table: "dataset_groups",
    noun: "dataset group",
    nouns: "dataset groups",
    nameField: "name",
    isOfDataset: false,
    maxPerUser: datasetGroupLimits.perUser,
  });

/** Returns the datasets without duplicates. Refuses datasets that cannot be searched as a group, naming each. */
async function validateDatasets(find: Parts["find"], user: SignedInUser, { datasets }: DatasetGroupDraft): Promise<DatasetRef[]> {
  const problems: ErrorItem[] = [];
  const unique = new Map<string, DatasetRef>();
  for (const [index, { datasetCategory, datasetId }] of datasets.entries()) {
    const key = datasetKey({ datasetCategory, datasetId });
    if (unique.has(key)) continue;
    unique.set(key, { datasetCategory, datasetId });
    const problem = await datasetProblem(find, user, datasetCategory, datasetId);
    if (problem !== null) problems.push({ code: "invalid-value", message: problem, path: `datasets.${index}` });
  }
  const [first, ...others] = problems;
  if (first !== undefined) throw Refusal.of([first, ...others]);
  if (unique.size < 2) throw new Refusal("invalid-value", "A dataset group needs at least 2 datasets.", { path: "datasets" });
  return [...unique.values()];
}

async function datasetProblem(find: Parts["find"], user: SignedInUser, category: string, id: string): Promise<string | null> {
  try {
    const { filterSupport } = await find(user, category, id);
    return requiresAField(filterSupport) ? null : `The dataset '${id}' in '${category}' has no required field to search on.`;
  } catch (error) {
    if (error instanceof Refusal && error.code === "not-found") {
      return noSuchDataset({ datasetCategory: category, datasetId: id });
    }
    throw error;
  }
}
