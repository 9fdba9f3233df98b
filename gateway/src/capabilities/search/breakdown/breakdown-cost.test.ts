import type { BreakdownAnswer, BreakdownRequestDraft, breakdowns } from "@fairway/contract/breakdowns";
import type { ResultOf } from "@fairway/contract/route";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
const rows = (count: number) =>
  app.bench.prepare(`copy (select i % 3 as n, 'it''s' as name from range(${count}) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);

beforeAll(async () => {
  app = await datasetApp();
  await rows(30);
  const columns = [buildColumn("n", "integer"), buildColumn("name", "STRING")];
  await addDataset(app, { id: "rows", schema: { columns } });
  await addDataset(app, { id: "secret", schema: { columns }, roles: ["insider"] });
});
afterAll(() => app.close());

const body: BreakdownRequestDraft = {
  search: { filters: [{ name: "name", operator: "=", value: "it's" }] },
  by: [{ kind: "value", column: "n" }],
  measures: [{ aggregation: "count" }],
};
const run = async (further: Partial<BreakdownRequestDraft> = {}, id = "rows") =>
  app.call<BreakdownAnswer>(["insider"], "POST", `/datasets/Tests/${id}/breakdown`, { ...body, ...further });

describe("the answer of a breakdown", () => {
  it("is kept while the data stay the same, and computed anew on demand", async () => {
    const { body: first } = await run();
    expect((await run()).body).toEqual(first);
    const { body: fresh } = await run({ fresh: true });
    expect(fresh.computedMs).toBeGreaterThanOrEqual(first.computedMs);
    await rows(60);
    expect((await run()).body.cells.map(({ values }) => values[0])).toEqual([20, 20, 20]);
  });

  it("is refused to whom the dataset is hidden, although it is kept", async () => {
    expect((await run({}, "secret")).status).toBe(200);
    expect((await app.call([], "POST", "/datasets/Tests/secret/breakdown", body)).status).toBe(404);
  });
});

describe("the statements of a breakdown", () => {
  it("are told to administrators, with the dataset's id and literals", async () => {
    const explain = (roles: readonly string[]) =>
      app.call<ResultOf<typeof breakdowns.explain>>(roles, "POST", "/datasets/Tests/rows/breakdown/explain", body);
    expect((await explain([])).status).toBe(403);
    const { status, body: explained } = await explain(["admin"]);
    expect([status, explained.statements.length, explained.statements[0]?.engine]).toEqual([200, 1, "DuckDB"]);
    expect(explained.statements[0]?.sql).toContain(`from "rows" where "name" = 'it''s'`);
    expect(explained.statements[0]?.sql).not.toContain(app.bench.folder);
  });
});
