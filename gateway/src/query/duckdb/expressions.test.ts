import { afterAll, beforeAll, expect, it } from "vitest";
import { type TriedRow, derivedDataset, differencesOf, everyFormula, stepsOf, triedColumns, triedRows } from "#testing/expression-cases.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";

let bench: EngineBench;
const call = { signal: new AbortController().signal, owner: "tests" };
const rows = triedRows(180);
const everything = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000 };

const sqlTypes: Readonly<Record<(typeof triedColumns)[number]["name"], string>> = {
  n: "bigint",
  m: "bigint",
  x: "double",
  y: "double",
  s: "varchar",
  u: "varchar",
  b: "boolean",
  c: "boolean",
  t: "timestamp_ms",
  v: "timestamp_s",
  d: "date",
};

const values = (row: TriedRow): string =>
  triedColumns
    .map(({ name }) => {
      const value = row[name];
      if (value === null) return `cast(null as ${sqlTypes[name]})`;
      if (name === "t") return `cast(make_timestamp_ms(${String(value)}) as timestamp_ms)`;
      if (name === "v") return `cast(make_timestamp_ms(${String(value)}000) as timestamp_s)`;
      if (name === "d") return `cast(make_timestamp_ms(${String(value)}000) as date)`;
      return `cast('${String(value).replaceAll("'", "''")}' as ${sqlTypes[name]})`;
    })
    .join(", ");

beforeAll(async () => {
  bench = await engineBench();
  const names = triedColumns.map(({ name }) => name).join(", ");
  const list = rows.map((row) => `(${values(row)})`).join(", ");
  await bench.prepare(`copy (select * from (values ${list}) as rows(${names})) to 'FOLDER/tried.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const tried = () => ({
  ...datasetOver("tried.parquet", {}),
  columns: triedColumns,
});

it("every function gives what the evaluator gives, and no value makes a search fail", async () => {
  const differences: string[] = [];
  for (let at = 0; at < everyFormula.length; at += 40) {
    const formulas = everyFormula.slice(at, at + 40);
    const steps = stepsOf(formulas);
    const found = await rowsOf(await bench.engine.search(derivedDataset(tried(), steps), everything, call));
    expect(found).toHaveLength(rows.length);
    differences.push(...differencesOf(formulas, steps, found));
  }
  expect(differences.slice(0, 40)).toEqual([]);
});
