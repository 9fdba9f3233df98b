import { readFile, readdir } from "node:fs/promises";
import path from "node:path";
import type { Column } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { QueryableDataset, SearchQuery } from "#query/engine.ts";
import { engineCall } from "#testing/engine-call.ts";
import { sheetNames, sheetRows } from "#testing/workbooks.ts";
import { type EngineBench, datasetOver, engineBench } from "./test-files.ts";

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select * from (values
    (0, '=1+1', true, 123456789012345::bigint, 9007199254740993::bigint, 0.1::double, 0.1::float, 12.50::decimal(20, 2), timestamp '2020-01-01 00:00:00.25', date '1900-02-28', timestamptz '2020-01-01 02:00:00+02', 1577836800::bigint),
    (1, 'a' || chr(13) || chr(10) || ' b_x000D_', false, -5, -5, 'nan', 'inf', 123456789012345678.12, timestamp '1815-06-18 11:30:00', date '1815-06-18', null, 9000000000000000),
    (2, '', null, null, null, null, null, null, 'infinity', '9999-12-31', null, null),
    (3, null, null, null, null, 12345678901234567, null, null, null, null, null, null),
    (4, repeat('x', 40000), null, null, null, null, null, null, null, null, null, null)
   ) as t(id, text, flag, big, huge, real, single, money, "at", day, zoned, epoch) order by id) to 'FOLDER/kinds.parquet' (format parquet)`);
});
afterAll(() => bench.close());

const kinds = datasetOver("kinds.parquet", {
  id: "integer",
  text: "STRING",
  flag: "BOOLEAN",
  big: "integer",
  huge: "integer",
  real: "decimal",
  single: "decimal",
  money: "decimal",
  at: "TIMESTAMP_MILLS",
  day: "TIMESTAMP_SECONDS",
  zoned: "TIMESTAMP_SECONDS",
  epoch: "TIMESTAMP_SECONDS",
});
const day = { name: "day", type: "TIMESTAMP_SECONDS", day: true } as const;
const dataset: QueryableDataset = { ...kinds, columns: kinds.columns.map((column) => (column.name === "day" ? day : column)) };
const described = dataset.columns.map(({ name, type }): Column => ({ name, type, description: "", combined: null }));

let files = 0;
async function exported(csvColumns: readonly Column[], query: Partial<SearchQuery> = {}) {
  const file = path.join(bench.exportFolder, `${++files}.xlsx`);
  const cutTexts: number[] = [];
  const about = (rows: number) => Promise.resolve([["Rows", String(rows)] as const]);
  const workbook = { name: "kinds", about, onCutTexts: (count: number) => void cutTexts.push(count) };
  const target = { format: "xlsx" as const, path: file, csvColumns, onRows: () => {}, workbook };
  const rows = await bench.engine.export(dataset, { ...all, ...query }, target, engineCall());
  return { bytes: await readFile(file), rows, cutTexts };
}

describe("a workbook of rows", () => {
  it("holds every value in its type, as two readers see it", async () => {
    const { bytes, rows, cutTexts } = await exported(described);
    const { hucre, sheetJs } = await sheetRows(bytes);
    const expected = [
      described.map(({ name }) => name),
      [
        0,
        "=1+1",
        true,
        123456789012345,
        "9007199254740993",
        0.1,
        0.1,
        12.5,
        "2020-01-01T00:00:00.250Z",
        "1900-02-28T00:00:00.000Z",
        "2020-01-01T00:00:00.000Z",
        "2020-01-01T00:00:00.000Z",
      ],
      [
        1,
        "a\r\n b_x000D_",
        false,
        -5,
        -5,
        null,
        null,
        "123456789012345678.12",
        "1815-06-18T11:30:00Z",
        "1815-06-18",
        null,
        "9000000000000000",
      ],
      [2, "", null, null, null, null, null, null, null, "9999-12-31T00:00:00.000Z", null, null],
      [3, null, null, null, null, 12345678901234568, null, null, null, null, null, null],
      [4, "x".repeat(32_767), null, null, null, null, null, null, null, null, null, null],
    ];
    const filled = (list: readonly (readonly unknown[])[]) => list.map((row) => expected[0]?.map((_, index) => row[index] ?? null));
    expect([rows, cutTexts]).toEqual([5, [1]]);
    expect(filled(hucre)).toEqual(expected);
    // This reader makes one character of every end of a line.
    expect(filled(sheetJs)).toEqual(expected.map((row) => row.map((cell) => (cell === "a\r\n b_x000D_" ? "a\n b_x000D_" : cell))));
  });

  it("has the labels of its columns with their units, and joined columns", async () => {
    const place = { type: "COORDINATES" as const, fields: ["id", "text"], joinedBy: ", " };
    const columns: Column[] = [
      { name: "real", type: "decimal", description: "", combined: null, label: "Wind", unit: "kt" },
      { name: "place", type: "STRING", description: "", combined: place },
    ];
    const { sheetJs } = await sheetRows((await exported(columns, { limit: 1 })).bytes);
    expect(sheetJs).toEqual([
      ["Wind (kt)", "place"],
      [0.1, "0, =1+1"],
    ]);
  });

  it("is described by its second sheet, and leaves nothing else behind", async () => {
    const { bytes } = await exported(described, { limit: 2 });
    expect(sheetNames(bytes)).toEqual(["kinds", "About"]);
    expect((await sheetRows(bytes, 1)).sheetJs).toEqual([["Rows", "2"]]);
    expect((await readdir(bench.exportFolder)).filter((name) => !name.endsWith(".xlsx"))).toEqual([]);
  });

  it("without rows has its header", async () => {
    const none = { column: "id", type: "integer", operator: "<", value: 0n } as const;
    const { bytes, rows } = await exported(described.slice(0, 2), { conditions: [none] });
    expect([rows, (await sheetRows(bytes)).sheetJs]).toEqual([0, [["id", "text"]]]);
  });

  it("ends with its caller", async () => {
    const left = new AbortController();
    const workbook = {
      name: "kinds",
      about: () => {
        left.abort();
        return Promise.resolve([]);
      },
      onCutTexts: () => undefined,
    };
    const file = path.join(bench.exportFolder, "left.xlsx");
    const target = { format: "xlsx" as const, path: file, csvColumns: described, onRows: () => {}, workbook };
    await expect(bench.engine.export(dataset, all, target, engineCall(left.signal))).rejects.toMatchObject({ reason: "abandoned" });
    expect(await readdir(bench.exportFolder)).not.toContain("left.xlsx.rows");
  });
});
