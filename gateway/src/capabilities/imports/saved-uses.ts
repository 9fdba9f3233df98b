import { plural, pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Drift } from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type Kysely, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { plainOf } from "./dataset-drift.ts";

/** Columns that the dataset loses, and that saved searches of its owner name. */
export async function savedUses(
  db: Kysely<Database>,
  { datasetCategory, datasetId }: DatasetRef,
  ownerId: string | null,
  { before, after }: { readonly before: OwnDatasetSettings; readonly after: OwnDatasetSettings },
): Promise<Drift[]> {
  const kept = new Set(plainOf(after).map(({ name }) => name));
  const lost = plainOf(before).flatMap(({ name }) => (kept.has(name) ? [] : [name]));
  if (lost.length === 0 || ownerId === null) return [];
  const { rows } = await sql<{ column: string; count: number }>`
    select "column", count(*)::integer as count
    from unnest(${lost}::text[]) as lost ("column"), saved_searches saved
    where saved.user_id = ${ownerId} and saved.category = ${datasetCategory} and saved.dataset_id = ${datasetId}
      and strpos(saved.query, to_json("column")::text) > 0
    group by "column" order by "column"`.execute(db);
  return rows.map(({ column, count }) => ({
    kind: "missing-column",
    column,
    sentence: `${pluralize(count, "saved search", "saved searches")} of the owner ${plural(count, "names", "name")} '${column}'.`,
  }));
}
