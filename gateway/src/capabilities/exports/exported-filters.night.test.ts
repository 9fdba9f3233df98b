import type { ExportManifest } from "@fairway/contract/exports";
import { beforeAll, expect, it } from "vitest";
import { addDataset } from "#testing/dataset-app.ts";
import { exportsApp } from "#testing/exports-app.ts";
import { everyForm, filterForms, filteredDataset, filteredRows } from "#testing/filter-forms.ts";

const app = await exportsApp();
const source = { kind: "files", glob: "forms.parquet", format: "parquet" } as const;
beforeAll(async () => {
  await app.base.bench.prepare(`copy (${filteredRows}) to 'FOLDER/forms.parquet' (format parquet)`);
  await addDataset(app.base, { ...filteredDataset, id: "forms", source });
});

const searches = [...filterForms.map(([filter, rows]) => ({ filters: [filter], rows })), everyForm];

it.each(["csv", "json", "parquet", "arrow"])(
  "holds the rows of every form of filter as %s, and its manifest the filters",
  async (format) => {
    const gateway = await app.open();
    for (const { filters, rows } of searches) {
      const { exportId, state } = await app.exportFile(gateway, { format, search: { filters } }, "forms");
      expect([filters, state]).toMatchObject([filters, { status: "done", rows, totalRows: rows }]);
      const { body } = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
      expect(body).toMatchObject({ query: { filters }, rows });
    }
  },
);

it("sums the groups of every form of filter in an exported breakdown", async () => {
  const gateway = await app.open();
  for (const { filters, rows } of searches) {
    const breakdown = { search: { filters }, by: [{ kind: "value", column: "name" }], measures: [{ aggregation: "count" }] };
    const body = { format: "json", breakdown };
    const started = await app.call<{ exportId: string }>(gateway, "ada", "POST", "/datasets/Tests/forms/breakdown/export", body);
    await app.waitForEnd(gateway, "ada", started.body.exportId);
    const file = await app.call<{ "count(*)": number }[]>(gateway, "ada", "GET", `/exports/${started.body.exportId}/file`);
    expect([filters, file.body.reduce((sum, row) => sum + row["count(*)"], 0)]).toEqual([filters, rows]);
  }
});
