import type { DatasetRef } from "@fairway/contract/datasets";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";

/** How many boards have a panel of a dataset. */
export async function boardsNaming(db: Kysely<Database>, dataset: DatasetRef): Promise<number> {
  const panel = JSON.stringify({ panels: [{ dataset }] });
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from boards where content::jsonb @> ${panel}::jsonb`.execute(db);
  return rows[0]?.count ?? 0;
}
