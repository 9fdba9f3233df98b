import { alertDraft } from "@fairway/contract/alerts";
import { type Kysely, sql } from "kysely";
import type { AlertRecipe } from "@fairway/contract/recipes";
import { nameKey } from "#database/name-key.ts";
import type { Database } from "#database/schema.ts";

/** Stores an alert with its saved search, unless its owner has them already, or others of their names. */
export async function seedAlert(db: Kysely<Database>, { id, owner, savedSearch, alert }: AlertRecipe): Promise<void> {
  const { name, condition, everyMinutes, tellWhenOver, email } = alertDraft.parse({ ...alert, savedSearchId: id });
  const { datasetCategory: category, datasetId, queryName, description, query } = savedSearch;
  await db.transaction().execute(async (trx) => {
    const user = await trx.selectFrom("users").select("id").where("username", "=", owner).executeTakeFirst();
    if (!user) return;
    const ofDataset = { user_id: user.id, category, dataset_id: datasetId };
    await trx
      .insertInto("saved_searches")
      .values({ id, ...ofDataset, name: queryName, name_key: nameKey(queryName), description, query, shared_with_roles: [] })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    const saved = await trx.selectFrom("saved_searches").select("id").where("id", "=", id).executeTakeFirst();
    if (!saved) return;
    await trx
      .insertInto("alerts")
      .values({
        id,
        ...ofDataset,
        name,
        name_key: nameKey(name),
        saved_search_id: id,
        condition: JSON.stringify(condition),
        every_minutes: everyMinutes,
        tell_when_over: tellWhenOver,
        email,
        next_check_at: sql<Date>`now()`,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  });
}
