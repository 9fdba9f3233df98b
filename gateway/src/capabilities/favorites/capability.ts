import { favoriteDatasets } from "@fairway/contract/favorites";
import type { ColumnType, Kysely } from "kysely";
import { type Capability, implement } from "#http/capability.ts";
import type { Database } from "#database/schema.ts";
import type { Handlers } from "#http/handlers.ts";
import { reachesDataset } from "#http/reach.ts";
import { type CanRead, requireReadable } from "#personal/readable-dataset.ts";

declare module "#database/schema.ts" {
  interface Database {
    favorite_datasets: {
      user_id: string;
      category: string;
      dataset_id: string;
      created_at: ColumnType<Date, never, never>;
    };
  }
}

interface Parts {
  readonly db: Kysely<Database>;
  readonly canRead: CanRead;
}

export const openFavorites = (parts: Parts): Capability => ({ routes: { favoriteDatasets: implement(favoriteDatasets, handlers(parts)) } });

const handlers = ({ db, canRead }: Parts): Handlers<typeof favoriteDatasets> => ({
  // Favorites are kept while their dataset is unavailable, so that it is still marked when it returns.
  list: async ({ user }) => {
    const favorites = await db
      .selectFrom("favorite_datasets")
      .select(["category as datasetCategory", "dataset_id as datasetId"])
      .where("user_id", "=", user.id)
      .orderBy("created_at")
      .orderBy("category")
      .orderBy("dataset_id")
      .execute();
    return favorites.filter((favorite) => reachesDataset(user.reach, favorite.datasetCategory, favorite.datasetId));
  },
  add: async ({ user, body: { datasetCategory, datasetId } }) => {
    await requireReadable(canRead, user, { datasetCategory, datasetId });
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
