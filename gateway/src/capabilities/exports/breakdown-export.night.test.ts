import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { expect, it } from "vitest";
import { addDataset, buildColumn, buildFilterSupport } from "#testing/dataset-app.ts";
import { exportsApp } from "#testing/exports-app.ts";

const app = await exportsApp();
const groups = 3_000_000;

it("holds each of three million groups once, with those that only one of two periods has", { timeout: 600_000 }, async () => {
  const { bench } = app.base;
  // Ids up to a third are in the earlier period only, those above two thirds in the later one.
  await bench.prepare(`copy (select i as id, hash(i)::varchar as name, n, case when n = 1 then timestamp '2020-01-01' else timestamp '2021-01-01' end as at
    from range(${groups}) t(i) cross join range(1, 3) u(n) where (n = 1 and i < ${(groups / 3) * 2}) or (n = 2 and i >= ${groups / 3}))
    to 'FOLDER/many.parquet' (format parquet)`);
  const columns = [buildColumn("id", "integer"), buildColumn("n", "integer"), buildColumn("at", "TIMESTAMP_MILLS")];
  const source = { kind: "files", glob: "many.parquet", format: "parquet" } as const;
  await addDataset(app.base, {
    id: "many",
    source,
    schema: { columns },
    temporalField: "at",
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
  const gateway = await app.open();
  const later = { name: "at", operator: ">=", value: "2021-01-01T00:00:00Z" };
  const body = {
    search: { filters: [], timeRange: { start: "2021-01-01T00:00:00Z", end: "2021-12-31T23:59:59Z" } },
    by: [{ kind: "value", column: "id" }],
    measures: [{ aggregation: "count" }, { aggregation: "sum", column: "n", where: [later] }],
    compare: { to: { start: "2020-01-01T00:00:00Z", end: "2020-12-31T23:59:59Z" } },
  };
  const started = await app.call<{ exportId: string }>(gateway, "ada", "POST", "/datasets/Tests/many/breakdown/export", {
    format: "parquet",
    breakdown: body,
  });
  expect(started.body).toEqual({ exportId: expect.any(String) });
  const state = await app.waitForEnd(gateway, "ada", started.body.exportId);
  expect(state).toMatchObject({ status: "done", rows: groups, totalRows: groups, cut: false });
  const file = await app.call(gateway, "ada", "GET", `/exports/${started.body.exportId}/file`);
  const copy = join(bench.folder, "copy.parquet");
  await writeFile(copy, file.bytes);
  const connection = await (await DuckDBInstance.create(":memory:")).connect();
  const found = await connection.runAndReadAll(
    `select count(*), count(distinct id), sum(id), sum("count(*)"), sum("count(*) before") from '${copy}'`,
  );
  const sum = (BigInt(groups) * BigInt(groups - 1)) / 2n;
  expect(found.getRows()[0]?.map(String)).toEqual([groups, groups, sum, (groups / 3) * 2, (groups / 3) * 2].map(String));
});
