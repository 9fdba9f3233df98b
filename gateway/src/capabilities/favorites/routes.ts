import type { DatasetRef } from "@fairway/contract/datasets";
import type { favoriteDatasets } from "@fairway/contract/favorites";
import type { Kysely } from "kysely";
import type { Database } from "#database/schema.ts";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";

export interface Favorites {
  readonly db: Kysely<Database>;
  readonly canRead: (user: SignedInUser, dataset: DatasetRef) => Promise<boolean>;
}

export const favoriteRoutes = ({ db, canRead }: Favorites): Handlers<typeof favoriteDatasets> => ({
  // A favourite stays while its dataset is away: what comes back is still marked.
  list: ({ user }) =>
    db
      .selectFrom("favorite_datasets")
      .select(["category as datasetCategory", "dataset_id as datasetId"])
      .where("user_id", "=", user.id)
      .orderBy("created_at")
      .orderBy("category")
      .orderBy("dataset_id")
      .execute(),
  add: async ({ user, body: { datasetCategory, datasetId } }) => {
    if (!(await canRead(user, { datasetCategory, datasetId }))) {
      throw new Refusal("not-found", `There is no dataset '${datasetId}' in '${datasetCategory}'.`);
    }
    await db
      .insertInto("favorite_datasets")
      .values({ user_id: user.id, category: datasetCategory, dataset_id: datasetId })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    return { datasetCategory, datasetId };
  },
  remove: async ({ user, body }) => {
    await db
      .deleteFrom("favorite_datasets")
      .where("user_id", "=", user.id)
      .where("category", "=", body.datasetCategory)
      .where("dataset_id", "=", body.datasetId)
      .execute();
    return undefined;
  },
});
