import { readFile } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { check } from "@fairway/expressions/check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { DerivedStep, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { derivedDataset } from "#testing/expression-cases.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

let bench: EngineBench;
let dataset: QueryableDataset;
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };
const call = engineCall();

beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(
    `copy (select i as id, i * 10 as size, timestamp '2024-03-01' + to_hours(i::integer) as day from range(3) t(i)) to 'FOLDER/rows.parquet' (format parquet)`,
  );
  await bench.prepare(`copy (select * from (values (1, 'one'), (2, 'two')) names(id, name)) to 'FOLDER/names.csv' (format csv)`);
  const stored = { ...datasetOver("rows.parquet", { id: "integer", size: "integer", day: "TIMESTAMP_MILLS" }) };
  const names = datasetOver("names.csv", { id: "integer", name: "STRING" }, { format: "csv" });
  const computed = (name: string, formula: string): DerivedStep => {
    const { tree, result, errors } = check(formula, [...stored.columns, { name: "name", type: "STRING" }]);
    if (errors !== undefined) throw new Error(errors[0]?.message);
    return { kind: "computed", column: { name, type: result.type }, expression: tree };
  };
  const lookup: DerivedStep = {
    kind: "lookup",
    dataset: names,
    match: "exact",
    key: [{ column: "id", on: "id" }],
    columns: [{ from: "name", column: { name: "name", type: "STRING" } }],
  };
  dataset = derivedDataset(stored, [
    lookup,
    computed("half", "size / 20"),
    computed("big", "size > 10"),
    computed("shout", "upper(name) || '!'"),
    computed("next", "add(day, 1, 'hour')"),
  ]);
});
afterAll(() => bench.close());

const exported = async (format: "csv" | "json" | "parquet" | "arrow", query: Partial<SearchQuery> = {}): Promise<string> => {
  const file = path.join(bench.exportFolder, `rows.${Math.random()}.${format}`);
  const csvColumns = dataset.columns.map((column) => Object.assign({ description: "", combined: null }, column));
  const rows = await bench.engine.export(dataset, { ...all, ...query }, { format, path: file, csvColumns, onRows: () => undefined }, call);
  expect(rows).toBe(3);
  return file;
};

it("files hold derived columns in their types, in the order that a search asks for", async () => {
  const csv = await readFile(await exported("csv", { sort: [{ column: "half", direction: "desc" }] }), "utf8");
  expect(csv.split("\r\n")).toEqual([
    "id,size,day,name,half,big,shout,next",
    "2,20,2024-03-01T02:00:00.000Z,two,1.0,true,TWO!,2024-03-01T03:00:00.000Z",
    "1,10,2024-03-01T01:00:00.000Z,one,0.5,false,ONE!,2024-03-01T02:00:00.000Z",
    "0,0,2024-03-01T00:00:00.000Z,,0.0,false,,2024-03-01T01:00:00.000Z",
    "",
  ]);
  const json: unknown = JSON.parse(await readFile(await exported("json"), "utf8"));
  expect(json).toContainEqual({
    id: 1,
    size: 10,
    day: 1_709_254_800_000,
    name: "one",
    half: 0.5,
    big: false,
    shout: "ONE!",
    next: 1_709_258_400_000,
  });
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const described = await connection.runAndReadAll(`describe select * from read_parquet('${await exported("parquet")}')`);
  expect(described.getRows().map(([name, type]) => [name, type])).toEqual([
    ["id", "BIGINT"],
    ["size", "BIGINT"],
    ["day", "TIMESTAMP"],
    ["name", "VARCHAR"],
    ["half", "DOUBLE"],
    ["big", "BOOLEAN"],
    ["shout", "VARCHAR"],
    ["next", "TIMESTAMP"],
  ]);
  connection.closeSync();
  instance.closeSync();
  expect((await readFile(await exported("arrow"))).includes("TWO!")).toBe(true);
});

it("time distributions, profiles and the extent of a computed time work", async () => {
  const timed = { ...dataset, temporalField: "next" };
  expect(await bench.engine.timeExtent(timed, call)).toEqual({ startMs: 1_709_254_800_000, endMs: 1_709_262_000_000 });
  const distribution = await bench.engine.timeDistribution(timed, { timeRange: null, area: null, conditions: [] }, call);
  expect(JSON.stringify(distribution)).toContain("1709254800000");
  const profile = await bench.engine.profileDataset(timed, { conditions: [], timeoutMs: 10_000 }, call);
  expect(JSON.stringify(profile)).toContain("shout");
  expect(await bench.engine.state(dataset, call)).toContain("names.csv");
});
