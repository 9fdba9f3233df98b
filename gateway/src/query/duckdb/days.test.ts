import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Column } from "@fairway/contract/columns";
import type { ExportFormat } from "@fairway/contract/exports";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Condition, DatasetSource, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { tableOf, typesOf } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100 };
const january = Date.UTC(2024, 0, 1) / 1_000;
const daySeconds = 86_400;

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(
    `copy (select * from (values (1, date '2024-01-01', timestamp '2024-01-01 10:30:00'), (2, date '2024-01-02', timestamp '2024-01-02 23:59:59.5'),
       (3, null, null), (4, date '1969-12-31', timestamp '1969-12-31 12:00:00')) as rows(id, d, "at")) to 'FOLDER/days.parquet' (format parquet)`,
  );
});
afterAll(() => bench.close());

/** The dataset as New from data and schema updates describe it. */
async function described(source: DatasetSource): Promise<{ columns: Column[]; dataset: QueryableDataset }> {
  const columns = await bench.engine.columns(source, call);
  return { columns, dataset: { ...datasetOver("", {}), source, columns } };
}
const days = () => described({ kind: "files", glob: "days.parquet", format: "parquet" });
const dayNames = (columns: readonly Column[]) => columns.filter(({ day }) => day === true).map(({ name }) => name);

async function exported(dataset: QueryableDataset, columns: readonly Column[], format: ExportFormat): Promise<string> {
  const file = path.join(bench.exportFolder, `days-${crypto.randomUUID()}.${format}`);
  await bench.engine.export(dataset, all, { format, path: file, csvColumns: columns, onRows: () => undefined }, call);
  return file;
}

describe("columns of whole days", () => {
  it("are those of the type DATE, and no others", async () => {
    expect(dayNames((await days()).columns)).toEqual(["d"]);
  });

  it("are in CSV files the day alone, in JSON seconds, and dates in Parquet and Arrow", async () => {
    const { columns, dataset } = await days();
    expect(await readFile(await exported(dataset, columns, "csv"), "utf8")).toBe(
      [
        "id,d,at",
        "1,2024-01-01,2024-01-01T10:30:00.000Z",
        "2,2024-01-02,2024-01-02T23:59:59.500Z",
        "3,,",
        "4,1969-12-31,1969-12-31T12:00:00.000Z",
        "",
      ].join("\r\n"),
    );
    const json = JSON.parse(await readFile(await exported(dataset, columns, "json"), "utf8")) as Record<string, unknown>[];
    expect(json.map(({ d }) => d)).toEqual([january, january + daySeconds, null, -daySeconds]);
    expect(typesOf(await readFile(await exported(dataset, columns, "arrow")))["d"]).toBe("Date32<DAY>");
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const read = await connection.runAndReadAll(
      `select typeof(d), typeof("at") from '${await exported(dataset, columns, "parquet")}' limit 1`,
    );
    expect(read.getRows()).toEqual([["DATE", "TIMESTAMP"]]);
    connection.closeSync();
  });

  it("of a dataset that does not know of it yet stay times", async () => {
    const dataset = datasetOver("days.parquet", { id: "integer", d: "TIMESTAMP_SECONDS" });
    const columns = dataset.columns.map((column): Column => ({ ...column, description: "", combined: null }));
    expect((await readFile(await exported(dataset, columns, "csv"), "utf8")).split("\r\n")[1]).toBe("1,2024-01-01T00:00:00Z");
  });

  it.each([
    ["=", [1]],
    ["<>", [2, 3, 4]],
    ["<", [4]],
    ["<=", [1, 4]],
    [">", [2]],
    [">=", [1, 2]],
  ] as const)("compare whole days with %s, also where the source stores times", async (operator, ids) => {
    const { dataset } = await days();
    for (const column of ["d", "at"]) {
      const value = BigInt(january * 1_000);
      const condition: Condition = { column, type: "TIMESTAMP_SECONDS", operator, value, day: true };
      const rows = await rowsOf(await bench.engine.search(dataset, { ...all, conditions: [condition] }, call));
      expect(rows.map(({ id }) => Number(id)).toSorted((one, other) => one - other)).toEqual(ids);
    }
  });

  it("of text files stay the same day whatever zone their times are in", async () => {
    await writeFile(path.join(bench.folder, "days.csv"), "d,at\n2024-01-02,2024-01-02 00:30\n2024-01-03,2024-01-03 12:00\n");
    const { columns, dataset } = await described({ kind: "files", glob: "days.csv", format: "csv", choices: { zone: "Europe/Berlin" } });
    expect(dayNames(columns)).toEqual(["d"]);
    const rows = await rowsOf(await bench.engine.search(dataset, all, call));
    expect(rows[0]).toEqual({ d: january + daySeconds, at: (january + daySeconds) * 1_000 - 1_800_000 });
    expect((await readFile(await exported(dataset, columns, "csv"), "utf8")).split("\r\n")[1]).toBe("2024-01-02,2024-01-01T23:30:00.000Z");
    expect(typesOf(await readFile(await exported(dataset, columns, "arrow")))["d"]).toBe("Date32<DAY>");
    const arrow = tableOf(await readFile(await exported(dataset, columns, "arrow")));
    expect(arrow.numRows).toBe(2);
  });
});
