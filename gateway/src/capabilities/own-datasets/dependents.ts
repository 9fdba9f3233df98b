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

/** How many datasets look columns up in a dataset. */
export async function lookupsIn(db: Kysely<Database>, dataset: DatasetRef): Promise<number> {
  const lookup = JSON.stringify([{ dataset }]);
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from own_datasets where deleted_at is null and settings -> 'lookups' @> ${lookup}::jsonb)::integer
      + (select count(*) from entities where type = 'datasets/internal' and body -> 'lookups' @> ${lookup}::jsonb)::integer as count`.execute(
    db,
  );
  return rows[0]?.count ?? 0;
}
