import type { AlertCondition } from "@fairway/contract/alerts";
import { beforeAll, expect, it } from "vitest";
import { alertsApp } from "#testing/alerts-app.ts";
import { addDataset } from "#testing/dataset-app.ts";
import { everyForm, filterForms, filteredDataset, filteredRows } from "#testing/filter-forms.ts";

const app = await alertsApp();
const source = { kind: "files", glob: "forms.parquet", format: "parquet" } as const;
beforeAll(async () => {
  await app.base.bench.prepare(`copy (${filteredRows}) to 'FOLDER/forms.parquet' (format parquet)`);
  await addDataset(app.base, { ...filteredDataset, id: "forms", source });
});

it.each<AlertCondition>([
  { kind: "above", rows: 1_000 },
  { kind: "new-rows" },
  { kind: "measure", measure: { aggregation: "max", column: "id" }, operator: ">", value: 1_000 },
])("an alert counts the rows of every form of filter: $kind", async (condition) => {
  const gateway = await app.open();
  for (const { filters, rows } of [...filterForms.map(([filter, count]) => ({ filters: [filter], rows: count })), everyForm]) {
    const { id } = await app.create(gateway, "ada", { condition }, "forms", { filters });
    expect([filters, await app.find(gateway, "ada", id)]).toMatchObject([filters, { state: "ok", seen: { rows } }]);
  }
});
