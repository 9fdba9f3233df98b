import { plural, pluralize } from "@fairway/contract/counts";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { Drift } from "@fairway/contract/imports";
import type { OwnDatasetSettings } from "@fairway/contract/internal-datasets";
import { type Kysely, type RawBuilder, sql } from "kysely";
import type { Database } from "#database/schema.ts";
import { plainOf } from "./dataset-drift.ts";

/** Columns that the dataset loses, and that saved searches, boards and alerts of its owner name. */
export async function savedUses(
  db: Kysely<Database>,
  { datasetCategory, datasetId }: DatasetRef,
  ownerId: string | null,
  { before, after }: { readonly before: OwnDatasetSettings; readonly after: OwnDatasetSettings },
): Promise<Drift[]> {
  const kept = new Set(plainOf(after).map(({ name }) => name));
  const lost = plainOf(before).flatMap(({ name }) => (kept.has(name) ? [] : [name]));
  if (lost.length === 0 || ownerId === null) return [];
  const dataset = JSON.stringify({ datasetCategory, datasetId });
  // As a value: many columns are called as keys of a search are.
  const names = (json: RawBuilder<unknown>) => sql`strpos(replace(${json}::text, written || ':', ''), written) > 0`;
  const { rows } = await sql<{ column: string; searches: number; boards: number; alerts: number }>`
    select "column",
      (select count(*) from saved_searches saved
        where saved.user_id = ${ownerId} and saved.category = ${datasetCategory} and saved.dataset_id = ${datasetId}
          and ${names(sql`saved.query`)})::integer as searches,
      (select count(*) from boards
        where boards.user_id = ${ownerId} and exists (
          select 1 from jsonb_array_elements(boards.content -> 'panels') as panel
          where panel -> 'dataset' = ${dataset}::jsonb and ${names(sql`(panel - array['dataset', 'title', 'kind', 'id'])`)}))::integer as boards,
      (select count(*) from alerts left join saved_searches saved on saved.id = alerts.saved_search_id
        where alerts.user_id = ${ownerId} and alerts.category = ${datasetCategory} and alerts.dataset_id = ${datasetId}
          and (${names(sql`(alerts.condition - 'kind')`)} or ${names(sql`saved.query`)}))::integer as alerts
    from unnest(${lost}::text[]) as lost ("column"), lateral (select to_json("column")::text as written) as in_json
    order by "column"`.execute(db);
  return rows.flatMap(({ column, searches, boards, alerts }) =>
    [
      used(column, searches, "saved search", "saved searches"),
      used(column, boards, "board", "boards"),
      used(column, alerts, "alert", "alerts"),
    ].flat(),
  );
}

const used = (column: string, count: number, one: string, several: string): Drift[] =>
  count === 0
    ? []
    : [
        {
          kind: "missing-column",
          column,
          sentence: `${pluralize(count, one, several)} of the owner ${plural(count, "names", "name")} '${column}'.`,
        },
      ];
