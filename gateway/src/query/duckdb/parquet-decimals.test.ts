import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import type { ColumnType } from "@fairway/contract/columns";
import { afterAll, beforeAll, expect, it } from "vitest";
import { engineCall } from "#testing/engine-call.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { type WrittenColumn, parquetOf } from "./test-parquet.ts";

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
});
afterAll(() => bench.close());

const write = (name: string, columns: readonly WrittenColumn[]) => writeFile(path.join(bench.folder, name), parquetOf(columns));
const sourceOf = (glob: string) => ({ kind: "files" as const, glob, format: "parquet" as const });
const all = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100 };
const id: WrittenColumn = { name: "id", long: [1n, 2n, 3n] };
const amounts = [150n, -225n, 12_345_678_910n];
const long: WrittenColumn = { name: "amount", decimal: amounts, digits: 39, scale: 2, bytes: 17 };
const short: WrittenColumn = { name: "short", decimal: amounts, digits: 38, scale: 2, bytes: 17 };
const typesOf = async (glob: string) =>
  Object.fromEntries((await bench.engine.columns(sourceOf(glob), engineCall())).map(({ name, type }) => [name, type]));

it("leaves out decimals of more than 38 digits, also within structures, and says why", async () => {
  const bytes: WrittenColumn = { name: "bytes", decimal: amounts, digits: 40, scale: 3 };
  const nested: WrittenColumn = {
    name: "nested",
    children: [
      { name: "n", long: [1n, 2n, 3n] },
      { name: "deep", children: [long] },
    ],
  };
  const fine: WrittenColumn = { name: "fine", children: [{ name: "n", long: [1n, 2n, 3n] }] };
  await write("mixed.parquet", [id, long, short, bytes, nested, fine]);
  expect(await typesOf("mixed.parquet")).toEqual({ id: "integer", short: "decimal", fine: "STRING" });
  expect((await bench.engine.notes(sourceOf("mixed.parquet"), engineCall())).leftOut).toEqual(
    ["amount", "bytes", "nested"].map((name) => expect.stringContaining(`The column '${name}' is left out: it contains DECIMAL(`)),
  );
  const dataset = datasetOver("mixed.parquet", { id: "integer", short: "decimal", fine: "STRING" });
  expect(await rowsOf(await bench.engine.search(dataset, all, engineCall()))).toEqual([
    { id: 1, short: 1.5, fine: '{"n":1}' },
    { id: 2, short: -2.25, fine: '{"n":2}' },
    { id: 3, short: 123_456_789.1, fine: '{"n":3}' },
  ]);
});

it.each<ColumnType>(["decimal", "integer", "STRING"])(
  "never shows other numbers where a dataset describes them as %s, and tells it",
  async (type) => {
    await write("described.parquet", [id, long]);
    const dataset = datasetOver("described.parquet", { id: "integer", amount: type });
    expect(await rowsOf(await bench.engine.search(dataset, all, engineCall()))).toEqual(
      [1, 2, 3].map((row) => ({ id: row, amount: null })),
    );
    const [cells] = await bench.engine.aggregate(
      dataset,
      [
        { type: "max", column: "amount" },
        { type: "count", column: "amount" },
      ],
      [],
      all,
      engineCall(),
    );
    expect(cells).toEqual([null, 0]);
    const target = {
      format: "json",
      path: path.join(bench.exportFolder, `${type}.json`),
      csvColumns: [],
      onRows: () => undefined,
    } as const;
    await bench.engine.export(dataset, all, target, engineCall());
    expect(JSON.parse(await readFile(target.path, "utf8"))).toEqual([1, 2, 3].map((row) => ({ id: row, amount: null })));
    expect(await bench.engine.check(dataset, engineCall())).toEqual([]);
    expect(await bench.engine.inspect(dataset.source, dataset.columns, engineCall())).toEqual([
      "The column 'amount' contains DECIMAL(39,2), and numbers of more than 38 digits cannot be read exactly; it is read as empty.",
    ]);
  },
);

it("leaves out a column that only one of several files stores with more than 38 digits", async () => {
  await write("part-1.parquet", [id, { ...short, name: "amount" }]);
  await write("part-2.parquet", [id, long]);
  expect(await typesOf("part-*.parquet")).toEqual({ id: "integer" });
  await write("whole-1.parquet", [id, { ...short, name: "amount" }]);
  await write("whole-2.parquet", [id, { ...short, name: "amount" }]);
  expect(await typesOf("whole-*.parquet")).toEqual({ id: "integer", amount: "decimal" });
});
