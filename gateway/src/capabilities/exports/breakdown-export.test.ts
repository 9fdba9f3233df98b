import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { ExportFormat, ExportManifest } from "@fairway/contract/exports";
import { beforeAll, describe, expect, it } from "vitest";
import { shownRows } from "#testing/arrow-table.ts";
import { addDataset, buildColumn, buildFilterSupport } from "#testing/dataset-app.ts";
import { type GatewayOptions, exportsApp } from "#testing/exports-app.ts";
import { sheetRows } from "#testing/workbooks.ts";

const app = await exportsApp();
const timeRange = { start: "2020-01-01T00:00:00Z", end: "2020-01-01T00:09:59Z" };
const breakdown = {
  search: { timeRange },
  by: [{ kind: "time", unit: "minute", size: 5 }],
  measures: [{ aggregation: "count" }, { aggregation: "min", column: "at" }],
  compare: { to: "before" },
};
const start = new Date(timeRange.start).getTime();

async function exported(format: ExportFormat, body: object = breakdown, options: GatewayOptions = {}, dataset = "rows") {
  const gateway = await app.open(options);
  const started = await app.call<{ exportId: string }>(gateway, "ada", "POST", `/datasets/Tests/${dataset}/breakdown/export`, {
    format,
    breakdown: body,
  });
  expect([started.status, started.body]).toEqual([202, expect.anything()]);
  const { exportId } = started.body;
  const state = await app.waitForEnd(gateway, "ada", exportId);
  const file = await app.call<object[]>(gateway, "ada", "GET", `/exports/${exportId}/file`);
  const manifest = await app.call<ExportManifest>(gateway, "ada", "GET", `/exports/${exportId}/manifest`);
  return { state, file, manifest: manifest.body };
}

/** The first column of a file; a missing value reads as an empty text. */
async function namesIn(format: ExportFormat, { text, body, bytes }: Awaited<ReturnType<typeof exported>>["file"]): Promise<string[]> {
  if (format === "csv")
    return text
      .split("\r\n")
      .slice(1, -1)
      .map((line) => line.split(",")[0] ?? "");
  if (format === "parquet") {
    const copy = join(app.base.bench.folder, "names.parquet");
    await writeFile(copy, bytes);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const rows = await connection.runAndReadAll(`select coalesce(name, '') from '${copy}'`);
    return rows.getRows().map(([name]) => String(name));
  }
  if (format === "xlsx") return (await sheetRows(bytes)).sheetJs.slice(1).map(([name]) => String(name ?? ""));
  const rows: readonly object[] = format === "arrow" ? shownRows([bytes]) : body;
  return rows.map((row) => String(Object.values(row)[0] ?? ""));
}

const manyGroups = 160_000;
const compare = { to: { start: "2020-01-01T00:00:00Z", end: "2020-01-01T00:00:06Z" } };

beforeAll(async () => {
  const { bench } = app.base;
  await bench.prepare(`copy (select i % ${manyGroups} as id from range(${2 * manyGroups}) t(i)) to 'FOLDER/many.parquet' (format parquet)`);
  // Each period has a name that the other lacks.
  await bench.prepare(`copy (select i as id, ['a', '', null, case when i < 7 then 'old' else 'new' end, 'd'][1 + (i * i) % 5 ] as name,
    (i * 7) % 5 - 0.5 as real, timestamp '2020-01-01' + to_seconds(i) as at from range(30) t(i)) to 'FOLDER/few.parquet' (format parquet)`);
  await bench.prepare(`copy (select unnest(['Other', 'Other', 'Other', 'Other (2)', 'Other (2)', 'c', 'd', null]) as name)
    to 'FOLDER/others.parquet' (format parquet)`);
  const filesOf = (id: string) => ({ id, source: { kind: "files", glob: `${id}.parquet`, format: "parquet" } }) as const;
  await addDataset(app.base, { ...filesOf("many"), schema: { columns: [buildColumn("id", "integer")] } });
  const labeled = [
    { ...buildColumn("name", "STRING"), label: "Given name" },
    { ...buildColumn("real", "decimal"), label: "Real value" },
  ];
  await addDataset(app.base, { ...filesOf("few"), id: "labeled", schema: { columns: labeled } });
  await addDataset(app.base, { ...filesOf("others"), schema: { columns: [buildColumn("name", "STRING")] } });
  const columns = [
    buildColumn("id", "integer"),
    buildColumn("name", "STRING"),
    buildColumn("real", "decimal"),
    buildColumn("at", "TIMESTAMP_MILLS"),
  ];
  await addDataset(app.base, {
    ...filesOf("few"),
    schema: { columns },
    temporalField: "at",
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
  });
});

describe("an exported breakdown", () => {
  it("is a row for each cell, with both ends of times, and what it was before", async () => {
    const { state, file, manifest } = await exported("json");
    expect(state).toMatchObject({ status: "done", rows: 2, totalRows: 2, cut: false });
    expect(file.body[0]).toMatchObject({ at: "2020-01-01T00:00", "at from": start, "at to": start + 300_000, "count(*) before": 0 });
    expect(Object.keys(file.body[0] ?? {})).toEqual([
      "at",
      "at from",
      "at to",
      "count(*)",
      "count(*) before",
      "count(*) change",
      "min(at)",
      "min(at) before",
      "min(at) change",
    ]);
    expect(manifest).toMatchObject({
      columns: Object.keys(file.body[0] ?? {}),
      breakdown: { measures: breakdown.measures },
      query: { timeRange },
    });
  });

  it("is the same as CSV, Parquet and Arrow", async () => {
    const json = (await exported("json")).file.body as Record<string, unknown>[];
    const csv = (await exported("csv")).file.text.split("\r\n");
    expect(csv[1]?.split(",").slice(0, 3)).toEqual(["2020-01-01T00:00", "2020-01-01T00:00:00.000Z", "2020-01-01T00:05:00.000Z"]);
    const copy = join(app.base.bench.folder, "copy.parquet");
    await writeFile(copy, (await exported("parquet")).file.bytes);
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const rows = await connection.runAndReadAll(
      `select "at", epoch_ms("at from")::double as "at from", "count(*)"::integer as "count(*)" from '${copy}'`,
    );
    const wanted = json.map((row) => ({ at: row["at"], "at from": row["at from"], "count(*)": row["count(*)"] }));
    expect(rows.getRowObjectsJson()).toEqual(wanted);
    expect(shownRows([(await exported("arrow")).file.bytes])).toHaveLength(2);
  });

  it("holds each of more groups than any memory should, once", async () => {
    const body = {
      search: {},
      by: [{ kind: "value", column: "id", sort: { by: "key" } }],
      measures: [{ aggregation: "sum", column: "id" }],
    };
    const { state, file } = await exported("csv", body, {}, "many");
    expect(state).toMatchObject({ status: "done", rows: manyGroups, totalRows: manyGroups, cut: false });
    const lines = Array.from({ length: manyGroups }, (_, id) => `${id},${2 * id}\r\n`);
    expect(file.text === `id,sum(id)\r\n${lines.join("")}`).toBe(true);
  });

  it("is cut after the most rows of an export, and says so", async () => {
    const body = { search: {}, by: [{ kind: "value", column: "id" }], measures: [{ aggregation: "sum", column: "id" }] };
    const { state, file, manifest } = await exported("json", body, { limits: { exportMaxRows: 2 } }, "many");
    expect(state).toMatchObject({ status: "done", rows: 2, totalRows: null, cut: true });
    expect(manifest).toMatchObject({ cut: true, maxRows: 2, file: { name: "Tests_many-cut.json" } });
    expect(file.body).toEqual([
      { id: manyGroups - 1, "sum(id)": 2 * (manyGroups - 1) },
      { id: manyGroups - 2, "sum(id)": 2 * (manyGroups - 2) },
    ]);
  });

  it.each<readonly [string, object]>([
    ["a figure", { by: [{ kind: "value", column: "name" }] }],
    ["the key", { by: [{ kind: "value", column: "name", sort: { by: "key", direction: "desc" } }] }],
    ["a rate", { by: [{ kind: "value", column: "name", sort: { by: "late", direction: "asc" } }] }],
    ["conditions", { having: [{ measure: "share", operator: ">", value: 20 }] }],
    [
      "conditions, and without empty values",
      { by: [{ kind: "value", column: "name", empty: "hide" }], having: [{ measure: "all", operator: ">=", value: 3 }] },
    ],
    ["the period before", { compare }],
    ["a change", { compare, by: [{ kind: "value", column: "name", sort: { by: "all", of: "change", direction: "asc" } }] }],
    ["a change in percent", { compare, by: [{ kind: "value", column: "name", sort: { by: "sum(real)", of: "percent" } }] }],
    ["figures before", { compare, by: [{ kind: "value", column: "name", sort: { by: "avg(real)", of: "before" } }] }],
    [
      "a change, with conditions",
      {
        compare,
        having: [{ measure: "late", operator: "<=", value: 60 }],
        by: [{ kind: "value", column: "name", sort: { by: "ratio", of: "change" } }],
      },
    ],
  ])("has the groups of the answer in their order: %s", async (_, further) => {
    const body = {
      search: { timeRange: { start: "2020-01-01T00:00:07Z", end: "2020-01-01T00:00:20Z" } },
      by: [{ kind: "value", column: "name" }],
      measures: [
        { aggregation: "count", id: "all" },
        { aggregation: "sum", column: "real" },
        { aggregation: "avg", column: "real" },
        { aggregation: "rate", where: [{ name: "id", operator: ">=", value: 14 }], id: "late" },
        { aggregation: "share", id: "share" },
        { aggregation: "ratio", of: ["sum(real)", "all"], id: "ratio" },
      ],
      ...further,
    };
    const { body: answer } = await app.base.call<BreakdownAnswer>([], "POST", "/datasets/Tests/few/breakdown", body);
    const entries = answer.by[0]?.entries ?? [];
    const rows = answer.cells.map(({ at: [place = 0], values, before }) => {
      const entry = entries[place];
      const figures = answer.measures.flatMap(({ id }, index) => {
        const [now, then] = [values[index] ?? null, before?.[index] ?? null];
        const change = now === null || then === null ? null : Number(now) - Number(then);
        return before === undefined
          ? [[id, now]]
          : [
              [id, now],
              [`${id} before`, then],
              [`${id} change`, change],
            ];
      });
      return Object.fromEntries([["name", entry?.kind === "value" ? entry.value : "Empty"], ...figures]);
    });
    expect(rows.length).toBeGreaterThan(1);
    expect((await exported("json", body, {}, "few")).file.body).toEqual(rows);
  });

  it.each(["csv", "json", "parquet", "arrow", "xlsx"] as const)(
    "tells the rest of the groups from a group that is called Other: %s",
    async (format) => {
      const by = [{ kind: "value", column: "name", top: { count: 2, other: true } }];
      const { file } = await exported(format, { search: {}, by, measures: [{ aggregation: "count", id: "rows" }] }, {}, "others");
      expect(await namesIn(format, file)).toEqual(["Other", "Other (2)", "All Other (2)", ""]);
    },
  );

  it("has the labels of columns as the heads of a spreadsheet alone", async () => {
    const body = {
      search: {},
      by: [{ kind: "value", column: "name" }],
      measures: [{ aggregation: "avg", column: "real" }, { aggregation: "count" }],
    };
    const sheet = await exported("xlsx", body, {}, "labeled");
    expect((await sheetRows(sheet.file.bytes)).sheetJs[0]).toEqual(["Given name", "avg(Real value)", "count(*)"]);
    const csv = await exported("csv", body, {}, "labeled");
    expect(csv.file.bytes.toString("utf8").split("\r\n")[0]).toBe("name,avg(real),count(*)");
  });

  it("does so of groups made by users", async () => {
    const groups = ["Other", "B"].map((label, id) => ({ label, filters: [{ name: "id", operator: "=", value: id }] }));
    const body = { search: {}, by: [{ kind: "groups", groups, other: true }], measures: [{ aggregation: "count", id: "rows" }] };
    const { file } = await exported("json", body, {}, "few");
    expect(file.body).toMatchObject([{ groups: "Other" }, { groups: "B" }, { groups: "All Other", rows: 28 }]);
  });

  it("is refused as the breakdown is", async () => {
    const gateway = await app.open();
    const body = { format: "csv", breakdown: { search: {}, measures: [{ aggregation: "mode", column: "id" }] } };
    const { status } = await app.call(gateway, "ada", "POST", "/datasets/Tests/rows/breakdown/export", body);
    expect(status).toBe(400);
  });
});
