import { link, readFile, readdir, symlink } from "node:fs/promises";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Column, ColumnType } from "@fairway/contract/columns";
import type { ExportFormat } from "@fairway/contract/exports";
import * as fc from "fast-check";
import { parse } from "papaparse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { EngineFailed, QueryableDataset, SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { shownRows, tableOf, typesOf } from "#testing/arrow-table.ts";
import { engineCall } from "#testing/engine-call.ts";

const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000_000 };
const types = {
  id: "integer",
  'an odd, "name"': "STRING",
  flag: "BOOLEAN",
  big: "integer",
  huge: "integer",
  real: "decimal",
  single: "decimal",
  money: "decimal",
  at: "TIMESTAMP_MILLS",
  second: "TIMESTAMP_SECONDS",
  zoned: "TIMESTAMP_MILLS",
  epoch: "TIMESTAMP_SECONDS",
  uuid: "STRING",
  list: "STRING",
} as const satisfies Record<string, ColumnType>;
const kinds = datasetOver("kinds.parquet", types);
const many = datasetOver("many-*.parquet", { id: "integer", key: "integer", text: "STRING", lat: "decimal", lng: "decimal" });
const oneColumn = datasetOver("one-column.parquet", { n: "integer" });
const texts = datasetOver("texts.parquet", {
  n: "integer",
  own: "STRING",
  kind: "STRING",
  hash: "STRING",
  flag: "BOOLEAN",
  real: "decimal",
});
const slow = datasetOver("slow-*.csv", { n: "integer", text: "STRING" }, { format: "csv" });

let bench: EngineBench;
beforeAll(async () => {
  bench = await engineBench();
  await bench.prepare(`copy (select * from (values
    (0, '=1+1', true, 9007199254740993::bigint, 12345678901234567890123456789012345678::decimal(38,0), 'nan'::double, 0.1::float,
      12.50::decimal(10,2), timestamp '1969-12-31 23:59:59.9995', timestamp '1969-12-31 23:59:58.5', timestamptz '2020-01-01 00:00:00+02',
      1500000000::bigint, '123e4567-e89b-12d3-a456-426614174000'::uuid, [1, 2]),
    (1, 'say "so", twice' || chr(13) || chr(10) || 'or more', false, 9007199254740992, -9007199254740993, 'inf', 1e30::float, -0.01,
      timestamp '2020-01-01 00:00:00.1', timestamp '2020-01-01 00:00:00', timestamptz '2020-01-01 00:00:00+00', -1, null, []),
    (2, '', null, -5, 0, -5, -5, -5, timestamp '0001-01-01', timestamp '9999-12-31 23:59:59', timestamptz '1999-01-01 00:00:00+00', 9e15::bigint, null, null),
    (3, null, null, null, null, null, null, null, null, null, null, null, null, null),
    (4, chr(9) || 'tab', null, null, null, null, null, null, null, null, null, null, null, null),
    (5, '-1', null, null, null, null, null, null, null, null, null, null, null, null),
    (6, ' é😀'' #NULL ', null, null, null, null, null, null, null, null, null, null, null, null),
    (7, '@x', null, null, null, null, null, null, null, null, null, null, null, null),
    (8, chr(65309) || '1+1', null, null, null, null, null, null, null, null, null, null, null, null),
    (9, '|calc', null, null, null, null, null, null, null, null, null, null, null, null),
    (10, chr(65279) || ' "=1', null, null, null, null, null, null, null, null, null, null, null, null),
    (11, chr(160) || 'no =', null, null, null, null, null, null, null, null, null, null, null, null)
   ) as t(${Object.keys(types)
     .map((name) => `"${name.replaceAll('"', '""')}"`)
     .join(", ")}) order by id) to 'FOLDER/kinds.parquet' (format parquet)`);
  // Several files of several row groups each.
  for (const file of [0, 1, 2]) {
    await bench.prepare(`copy (select ${file} * 15_000 + i as id, (i * 7919) % 97 as key, 'row ' || i as text, (i % 180)::double - 90 as lat,
      (i % 360)::double - 180 as lng from range(15_000) t(i)) to 'FOLDER/many-${file}.parquet' (format parquet, row_group_size 4_096)`);
  }
  await bench.prepare(`copy (select i % 7 as n, case when i % 11 = 0 then null when i % 13 = 0 then repeat('é😀', i % 1500) else 'row ' || i end as own,
      case hash(i) % 5 when 0 then '' when 1 then 'short' when 2 then 'one of the longer texts' when 3 then 'another one, longer still' end as kind, md5(i::varchar) as hash,
      i % 3 = 0 as flag, case when i % 5 > 0 then i / 8 end as real from range(60_000) t(i)) to 'FOLDER/texts.parquet' (format parquet)`);
  await bench.prepare(`copy (select i as n from range(200_000) t(i)) to 'FOLDER/one-column.parquet' (format parquet)`);
  await bench.prepare(`copy (select i as n, md5(i::varchar) as text from range(200_000) t(i)) to 'FOLDER/slow-0.csv' (format csv)`);
  for (let part = 1; part < 8; part += 1) await link(`${bench.folder}/slow-0.csv`, `${bench.folder}/slow-${part}.csv`);
});
afterAll(() => bench.close());

/** As drivers that read a file back return it: without a byte order mark at the start. */
const textOf = (value: unknown) => (value === null ? null : `${value as string | number | boolean}`.replace(/^\ufeff/, ""));
const floorTo = (value: unknown, unit: number) => (typeof value === "number" ? Math.floor(value / unit) * unit : value);

let files = 0;
interface Options {
  readonly csvColumns?: readonly Column[];
  readonly signal?: AbortSignal;
  readonly onRows?: (rows: number) => void;
}
const plain = ({ columns }: QueryableDataset): Column[] =>
  columns.map(({ name, type }) => ({ name, type, description: "", combined: null }));

async function exportRows(dataset: QueryableDataset, format: ExportFormat, query: Partial<SearchQuery> = {}, options: Options = {}) {
  const file = path.join(bench.exportFolder, `${++files}.${format}`);
  const { csvColumns = plain(dataset), signal, onRows = () => {} } = options;
  const rows = await bench.engine.export(dataset, { ...all, ...query }, { format, path: file, csvColumns, onRows }, engineCall(signal));
  return { rows, file };
}
const searchRows = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
  rowsOf(await bench.engine.search(dataset, { ...all, ...query }, call));

/** Reads a file with a separate engine; `{file}` stands for its path. */
async function read(file: string, select: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const result = await connection.runAndReadAll(select.replaceAll("{file}", file));
  const rows = result.getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe("a JSON export", () => {
  it("holds the rows of the search, with every column and value", async () => {
    const { rows, file } = await exportRows(kinds, "json");
    const expected = await searchRows(kinds);
    expect(rows).toBe(12);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(expected);
  });

  it("of no rows is an empty list", async () => {
    const { rows, file } = await exportRows(kinds, "json", { conditions: [{ column: "id", type: "integer", operator: "<", value: 0n }] });
    expect([rows, JSON.parse(await readFile(file, "utf8"))]).toEqual([0, []]);
  });
});

describe("a CSV export", () => {
  it("follows RFC 4180, neutralizes formulas, and writes times as ISO 8601 and missing values as empty", async () => {
    const { file } = await exportRows(kinds, "csv");
    const uuid = "123e4567-e89b-12d3-a456-426614174000";
    const lines = [
      `id,"an odd, ""name""",flag,big,huge,real,single,money,at,second,zoned,epoch,uuid,list`,
      `0,'=1+1,true,9007199254740993,12345678901234567890123456789012345678,,0.1,12.50,1969-12-31T23:59:59.999Z,1969-12-31T23:59:58Z,2019-12-31T22:00:00.000Z,2017-07-14T02:40:00Z,${uuid},"[1,2]"`,
      `1,"say ""so"", twice\r\nor more",false,9007199254740992,-9007199254740993,,1e+30,-0.01,2020-01-01T00:00:00.100Z,2020-01-01T00:00:00Z,2020-01-01T00:00:00.000Z,1969-12-31T23:59:59Z,,[]`,
      `2,"",,-5,0,-5.0,-5.0,-5.00,0001-01-01T00:00:00.000Z,9999-12-31T23:59:59Z,1999-01-01T00:00:00.000Z,9000000000000000,,`,
      "3,,,,,,,,,,,,,",
      "4,'\ttab,,,,,,,,,,,,",
      "5,'-1,,,,,,,,,,,,",
      '6," é😀\' #NULL ",,,,,,,,,,,,',
      "7,'@x,,,,,,,,,,,,",
      "8,'\uff1d1+1,,,,,,,,,,,,",
      "9,'|calc,,,,,,,,,,,,",
      `10,"'\ufeff ""=1",,,,,,,,,,,,`,
      "11,\u00a0no =,,,,,,,,,,,,",
    ];
    expect(await readFile(file, "utf8")).toBe(`${lines.join("\r\n")}\r\n`);
  });

  it("writes the same times as the search returns, however they are stored", async () => {
    const times = datasetOver("times.parquet", {
      day: "TIMESTAMP_SECONDS",
      seconds: "TIMESTAMP_SECONDS",
      millis: "TIMESTAMP_MILLS",
      micros: "TIMESTAMP_SECONDS",
      nanos: "TIMESTAMP_MILLS",
      zoned: "TIMESTAMP_SECONDS",
      epoch: "TIMESTAMP_MILLS",
    });
    await bench.prepare(`copy (select date '1970-01-01' + i::integer as day, (timestamp '1970-01-01 00:00:00' + to_seconds(i * 86_399))::timestamp_s as seconds,
      (timestamp '1969-12-31 23:59:59.999' + to_milliseconds(i * 777))::timestamp_ms as millis, timestamp '1970-01-01' + to_microseconds(i * 333_333) as micros,
      (timestamp '1969-12-31 23:59:59.9999' + to_microseconds(i * 999_999))::timestamp_ns as nanos,
      case when i = 3 then 'infinity' else timestamptz '1969-12-31 23:59:58.75+00' + to_microseconds(i * 1_234_567) end as zoned, i * 12_345.0::double as epoch
      from range(-20, 20) t(i)) to 'FOLDER/times.parquet' (format parquet)`);
    const { file } = await exportRows(times, "csv");
    const lines = (await searchRows(times)).map((row) =>
      times.columns
        .map(({ name, type }) => {
          const value = row[name];
          if (value === null) return "";
          const text = new Date(Number(value) * (type === "TIMESTAMP_SECONDS" ? 1_000 : 1)).toISOString();
          return type === "TIMESTAMP_SECONDS" ? text.replace(".000Z", "Z") : text;
        })
        .join(","),
    );
    expect((await readFile(file, "utf8")).trimEnd().split("\r\n").slice(1)).toEqual(lines);
  });

  it("holds the requested columns in order, with combined ones joined", async () => {
    const combined = (name: string, type: "COORDINATES" | "FILESET", fields: string[], joinedBy: string): Column => ({
      name,
      type: "STRING",
      description: "",
      combined: { type, fields, joinedBy },
    });
    const csvColumns = [
      ...plain(kinds).filter(({ name }) => name === "money"),
      combined("=place", "COORDINATES", ["real", "id"], ", "),
      combined("path", "FILESET", ['an odd, "name"', "id"], "/"),
      ...plain(kinds).filter(({ name }) => name === "id"),
    ];
    const few = { conditions: [{ column: "id", type: "integer", operator: "<=", value: 3n } as const] };
    const { file } = await exportRows(kinds, "csv", few, { csvColumns });
    expect((await readFile(file, "utf8")).split("\r\n")).toEqual([
      "money,'=place,path,id",
      `12.50,", 0",'=1+1/0,0`,
      `-0.01,", 1","say ""so"", twice`,
      `or more/1",1`,
      `-5.00,"-5, 2",/2,2`,
      `,", 3",/3,3`,
      "",
    ]);
  });

  it("of no rows holds the header", async () => {
    const { file } = await exportRows(many, "csv", { conditions: [{ column: "id", type: "integer", operator: "<", value: 0n }] });
    expect(await readFile(file, "utf8")).toBe("id,key,text,lat,lng\r\n");
  });
});

describe("a Parquet export", () => {
  it("preserves types and values, except that values shown as empty are null", async () => {
    const { rows, file } = await exportRows(kinds, "parquet");
    expect(rows).toBe(12);
    const columns = `epoch_us(date_trunc('millisecond', "at")) // 1000 as "at", epoch_us(date_trunc('second', second)) // 1000000 as second, epoch_ms(zoned) as zoned, single::varchar::double as single, money::double as money`;
    const found = await read(file, `select * replace (${columns}) from read_parquet('{file}')`);
    const expected = await searchRows(kinds);
    const texts = (rows: readonly Record<string, unknown>[]) =>
      rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, textOf(value)])));
    expect(texts(found)).toEqual(texts(expected));
    const described = await read(
      file,
      "select column_name as name, column_type as type from (describe select * from read_parquet('{file}'))",
    );
    expect(Object.fromEntries(described.map(({ name, type }) => [name, type]))).toMatchObject({
      id: "INTEGER",
      flag: "BOOLEAN",
      big: "BIGINT",
      huge: "DECIMAL(38,0)",
      real: "DOUBLE",
      single: "FLOAT",
      money: "DECIMAL(12,2)",
      at: "TIMESTAMP",
      zoned: "TIMESTAMP WITH TIME ZONE",
      uuid: "VARCHAR",
      list: "VARCHAR",
    });
  });
});

describe("an Arrow export", () => {
  it("preserves types and values, except that values shown as empty are null", async () => {
    const { rows, file } = await exportRows(kinds, "arrow");
    expect(rows).toBe(12);
    const bytes = await readFile(file);
    const expected = (await searchRows(kinds)).map((row) =>
      Object.assign(row, {
        second: row["second"] === null ? null : Number(row["second"]) * 1_000,
        epoch: row["epoch"] === null ? null : Number(row["epoch"]) * 1_000,
        money: row["money"] === null ? null : Number(row["money"]).toFixed(2),
        huge: textOf(row["huge"]),
        'an odd, "name"': textOf(row['an odd, "name"']),
      }),
    );
    const found = shownRows(bytes).map((row) => Object.assign(row, { second: floorTo(row["second"], 1_000) }));
    expect(found).toEqual(expected);
    expect(typesOf(bytes)).toEqual({
      id: "Int32",
      'an odd, "name"': "Utf8",
      flag: "Bool",
      big: "Int64",
      huge: "Decimal[38e0]",
      real: "Float64",
      single: "Float32",
      money: "Decimal[12e+2]",
      at: "Timestamp<MICROSECOND, UTC>",
      second: "Timestamp<MICROSECOND, UTC>",
      zoned: "Timestamp<MICROSECOND, UTC>",
      epoch: "Timestamp<SECOND, UTC>",
      uuid: "Utf8",
      list: "Utf8",
    });
  });

  it("keeps texts apart, wherever DuckDB has put them", async () => {
    // Inline and longer ones, empty and missing ones, repeated ones, and some larger than a page; in chunks of odd sizes.
    const { file } = await exportRows(texts, "arrow", { conditions: [{ column: "n", type: "integer", operator: ">", value: 2n }] });
    const rows = await searchRows(texts, { conditions: [{ column: "n", type: "integer", operator: ">", value: 2n }] });
    expect(rows.length).toBeGreaterThan(30_000);
    expect(shownRows(await readFile(file))).toEqual(rows);
    expect(tableOf(await readFile(file)).batches.length).toBeGreaterThan(2);
  });

  it("holds the schema without any rows", async () => {
    const { rows, file } = await exportRows(oneColumn, "arrow", {
      conditions: [{ column: "n", type: "integer", operator: "<", value: 0n }],
    });
    const bytes = await readFile(file);
    expect([rows, shownRows(bytes), typesOf(bytes)]).toEqual([0, [], { n: "Int64" }]);
  });
});

describe("every export", () => {
  const orders = {
    "in file order": {},
    sorted: { sort: [{ column: "key", direction: "desc" }] },
    narrowed: {
      conditions: [{ column: "key", type: "integer", operator: "<", value: 40n }],
      area: {
        latitude: "lat",
        longitude: "lng",
        rings: [
          [
            { lat: -50, lng: -100 },
            { lat: -50, lng: 120 },
            { lat: 60, lng: 20 },
          ],
        ],
      },
    },
    cut: { limit: 20_857 },
    "sorted and cut": { sort: [{ column: "text", direction: "asc" }], limit: 25_001 },
  } as const satisfies Record<string, Partial<SearchQuery>>;
  const readers = { csv: "read_csv('{file}', parallel = false)", json: "read_json('{file}')", parquet: "read_parquet('{file}')" } as const;

  for (const [title, query] of Object.entries(orders) as [string, Partial<SearchQuery>][]) {
    let expected: unknown[] | undefined;
    it.each(["csv", "json", "parquet", "arrow"] as const)(
      `${title} as %s holds exactly the rows of the search, in order`,
      async (format) => {
        const { rows, file } = await exportRows(many, format, query);
        expected ??= (await searchRows(many, query)).map((row) => row["id"]);
        expect(expected.length).toBeGreaterThan(2_000);
        expect(rows).toBe(expected.length);
        const found =
          format === "arrow" ? shownRows(await readFile(file)) : await read(file, `select id::integer as id from ${readers[format]}`);
        expect(found.map(({ id }) => id)).toEqual(expected);
      },
    );
  }

  it("holds the rows in order, even if a Parquet file needs several row groups", async () => {
    const { rows, file } = await exportRows(oneColumn, "parquet", { limit: 150_000 });
    expect(rows).toBe(150_000);
    const [groups] = await read(file, "select count(distinct row_group_id)::integer as count from parquet_metadata('{file}')");
    expect(groups?.["count"]).toBeGreaterThan(1);
    const inOrder = "select count(*)::integer as count from read_parquet('{file}', file_row_number = true) where n = file_row_number";
    expect(await read(file, inOrder)).toEqual([{ count: 150_000 }]);
  });

  it("reports how many rows it has written, ending with all of them", async () => {
    const reported: number[] = [];
    const { rows } = await exportRows(slow, "csv", { limit: 100_000_000 }, { onRows: (count) => reported.push(count) });
    expect(rows).toBe(1_600_000);
    const partial = reported.filter((count) => count > 0 && count < rows);
    expect(partial.length).toBeGreaterThan(1);
    expect(reported).toEqual(reported.toSorted((a, b) => a - b));
  });

  it.each(["json", "arrow"] as const)("as %s stops in the engine when canceled, and leaves nothing but its own file", async (format) => {
    const leaving = new AbortController();
    const seen: number[] = [];
    const onRows = (rows: number) => {
      seen.push(rows);
      if (rows > 0) leaving.abort(new Error("left"));
    };
    const result = exportRows(slow, format, { limit: 100_000_000 }, { signal: leaving.signal, onRows });
    await expect(result).rejects.toMatchObject({ reason: "abandoned" } satisfies Partial<EngineFailed>);
    expect(seen.at(-1)).toBeLessThan(1_600_000);
    expect((await readdir(bench.exportFolder)).filter((name) => name.includes("spill"))).toEqual([]);
  });

  it("writes nothing if canceled before it has started", async () => {
    await expect(exportRows(kinds, "csv", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "abandoned" });
  });

  it("occupies no search slot while it writes", async () => {
    const leaving = new AbortController();
    let onStarted: () => void;
    const started = new Promise<void>((resolve) => (onStarted = resolve));
    const result = exportRows(slow, "csv", { limit: 100_000_000 }, { signal: leaving.signal, onRows: (rows) => rows > 0 && onStarted() });
    const outcome = result.then(
      () => "done",
      () => "canceled",
    );
    await started;
    expect(bench.engine.metrics.running).toBe(0);
    leaving.abort();
    expect(await outcome).toBe("canceled");
  });

  it("refuses to write outside its folder, including through links", async () => {
    const exportTo = (file: string) =>
      bench.engine.export(kinds, all, { format: "csv", path: file, csvColumns: plain(kinds), onRows: () => {} }, call);
    await symlink(bench.folder, path.join(bench.exportFolder, "out"));
    for (const file of [
      path.join(bench.folder, "own.csv"),
      path.join(bench.exportFolder, "../x.csv"),
      path.join(bench.exportFolder, "out/x.csv"),
    ]) {
      await expect(exportTo(file)).rejects.toMatchObject({ reason: "failed" });
    }
    expect(await readdir(bench.folder)).not.toContain("x.csv");
  });
});

it("another program reads the same cells back from CSV and JSON, whatever they contain", async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(",", '"', "\r", "\n", "'", "=", " ", "\t"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
    minLength: 1,
  });
  // The engine's texts cannot contain NUL.
  const storable = fc.oneof(
    fc.constant(null),
    text.filter((value) => !value.includes("\0")),
  );
  const integer = fc.oneof(fc.constant(null), fc.maxSafeInteger());
  const cells = fc.sample(fc.tuple(storable, storable, integer), 100);
  const literal = (value: string | number | null) => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);
  const values = cells.map(([one, other, number], id) => `(${id}, ${literal(one)}, ${literal(other)}, ${literal(number)}::bigint)`);
  await bench.prepare(
    `copy (select * from (values ${values.join(",\n")}) t(id, one, other, number)) to 'FOLDER/cells.parquet' (format parquet)`,
  );
  const dataset = datasetOver("cells.parquet", { id: "integer", one: "STRING", other: "STRING", number: "integer" });

  const json = await exportRows(dataset, "json");
  const rows = JSON.parse(await readFile(json.file, "utf8")) as unknown[];
  expect(rows).toEqual(cells.map(([one, other, number], id) => ({ id, one, other, number })));

  const csv = await exportRows(dataset, "csv");
  const { data, errors } = parse<string[]>(await readFile(csv.file, "utf8"), { newline: "\r\n", delimiter: "," });
  expect(errors).toEqual([]);
  const written = cells.map((line, id) => [id, ...line].map((value) => String(value ?? "")));
  // A leading apostrophe may have been added where a spreadsheet would run the text as a formula.
  const read = data
    .slice(1, -1)
    .map((line, row) => line.map((found, column) => (found === `'${written[row]?.[column]}` ? found.slice(1) : found)));
  expect(read).toEqual(written);
});
