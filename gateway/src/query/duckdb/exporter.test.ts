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
    await bench.prepare(`copy (select ${file} * 60_000 + i as id, (i * 7919) % 97 as key, 'row ' || i as text, (i % 180)::double - 90 as lat,
      (i % 360)::double - 180 as lng from range(60_000) t(i)) to 'FOLDER/many-${file}.parquet' (format parquet, row_group_size 10_000)`);
  }
  await bench.prepare(`copy (select i as n, md5(i::varchar) as text from range(200_000) t(i)) to 'FOLDER/slow-0.csv' (format csv)`);
  for (let part = 1; part < 30; part += 1) await link(`${bench.folder}/slow-0.csv`, `${bench.folder}/slow-${part}.csv`);
});
afterAll(() => bench.close());

let files = 0;
interface Options {
  readonly csvColumns?: readonly Column[];
  readonly signal?: AbortSignal;
  readonly onRows?: (rows: number) => void;
}
const plain = ({ columns }: QueryableDataset): Column[] =>
  columns.map(({ name, type }) => ({ name, type, description: "", combined: null }));

async function exported(dataset: QueryableDataset, format: ExportFormat, query: Partial<SearchQuery> = {}, options: Options = {}) {
  const file = path.join(bench.exportFolder, `${++files}.${format}`);
  const { csvColumns = plain(dataset), signal, onRows = () => {} } = options;
  const rows = await bench.engine.export(dataset, { ...all, ...query }, { format, path: file, csvColumns, onRows }, engineCall(signal));
  return { rows, file };
}
const searched = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
  rowsOf(await bench.engine.search(dataset, { ...all, ...query }, call));

/** Reads with an engine of its own; `{file}` stands for the export. */
async function read(file: string, select: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run("set TimeZone = 'UTC'");
  const answer = await connection.runAndReadAll(select.replaceAll("{file}", file));
  const rows = answer.getRowObjectsJson();
  connection.closeSync();
  instance.closeSync();
  return rows;
}

describe("a JSON export", () => {
  it("holds the rows of the search, value by value, every column", async () => {
    const { rows, file } = await exported(kinds, "json");
    const expected = await searched(kinds);
    expect(rows).toBe(12);
    expect(JSON.parse(await readFile(file, "utf8"))).toEqual(expected);
  });

  it("of nothing is an empty list", async () => {
    const { rows, file } = await exported(kinds, "json", { conditions: [{ column: "id", type: "integer", operator: "<", value: 0n }] });
    expect([rows, JSON.parse(await readFile(file, "utf8"))]).toEqual([0, []]);
  });
});

describe("a CSV export", () => {
  it("writes RFC 4180: what a spreadsheet would run is disarmed, times are ISO 8601, what is not there is empty", async () => {
    const { file } = await exported(kinds, "csv");
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

  it("writes a moment as the search answers it, however it is kept", async () => {
    const moments = datasetOver("moments.parquet", {
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
      from range(-20, 20) t(i)) to 'FOLDER/moments.parquet' (format parquet)`);
    const { file } = await exported(moments, "csv");
    const lines = (await searched(moments)).map((row) =>
      moments.columns
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

  it("holds the columns asked for in their order, combined ones joined", async () => {
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
    const { file } = await exported(kinds, "csv", few, { csvColumns });
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

  it("of nothing holds its header", async () => {
    const { file } = await exported(many, "csv", { conditions: [{ column: "id", type: "integer", operator: "<", value: 0n }] });
    expect(await readFile(file, "utf8")).toBe("id,key,text,lat,lng\r\n");
  });
});

describe("a Parquet export", () => {
  it("keeps types and values; what the product shows as empty is empty", async () => {
    const { rows, file } = await exported(kinds, "parquet");
    expect(rows).toBe(12);
    const columns = `epoch_us(date_trunc('millisecond', "at")) // 1000 as "at", epoch_us(date_trunc('second', second)) // 1000000 as second, epoch_ms(zoned) as zoned, single::varchar::double as single, money::double as money`;
    const found = await read(file, `select * replace (${columns}) from read_parquet('{file}')`);
    const expected = await searched(kinds);
    // The driver that reads the file back drops a byte order mark at the start of a text.
    const textOf = (value: unknown) => (value === null ? null : `${value as string | number | boolean}`.replace(/^\ufeff/, ""));
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
    cut: { limit: 83_457 },
    "sorted and cut": { sort: [{ column: "text", direction: "asc" }], limit: 100_001 },
  } as const satisfies Record<string, Partial<SearchQuery>>;
  const reading = { csv: "read_csv('{file}', parallel = false)", json: "read_json('{file}')", parquet: "read_parquet('{file}')" } as const;

  for (const [how, query] of Object.entries(orders) as [string, Partial<SearchQuery>][]) {
    it.each(["csv", "json", "parquet"] as const)(`${how} as %s holds exactly the rows of the search, in their order`, async (format) => {
      const { rows, file } = await exported(many, format, query);
      const expected = (await searched(many, query)).map((row) => row["id"]);
      expect(expected.length).toBeGreaterThan(5_000);
      expect(rows).toBe(expected.length);
      const found = await read(file, `select id::integer as id from ${reading[format]}`);
      expect(found.map(({ id }) => id)).toEqual(expected);
    });
  }

  it("tells how many rows it has written, and ends with all of them", async () => {
    const told: number[] = [];
    const { rows } = await exported(slow, "csv", { limit: 100_000_000 }, { onRows: (so) => told.push(so) });
    expect(rows).toBe(6_000_000);
    const partial = told.filter((so) => so > 0 && so < rows);
    expect(partial.length).toBeGreaterThan(1);
    expect(told).toEqual(told.toSorted((a, b) => a - b));
  });

  it("that is cancelled ends in the engine, and leaves nothing but its own file", async () => {
    const leaving = new AbortController();
    const seen: number[] = [];
    const onRows = (rows: number) => {
      seen.push(rows);
      if (rows > 0) leaving.abort(new Error("left"));
    };
    const asked = exported(slow, "json", { limit: 100_000_000 }, { signal: leaving.signal, onRows });
    await expect(asked).rejects.toMatchObject({ reason: "abandoned" } satisfies Partial<EngineFailed>);
    expect(seen.at(-1)).toBeLessThan(6_000_000);
    expect((await readdir(bench.exportFolder)).filter((name) => name.includes("spill"))).toEqual([]);
  });

  it("that is cancelled before it began writes nothing", async () => {
    await expect(exported(kinds, "csv", {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({ reason: "abandoned" });
  });

  it("takes no slot from searches while it writes", async () => {
    const leaving = new AbortController();
    let writing: () => void;
    const begun = new Promise<void>((resolve) => (writing = resolve));
    const asked = exported(slow, "csv", { limit: 100_000_000 }, { signal: leaving.signal, onRows: (rows) => rows > 0 && writing() });
    const ended = asked.then(
      () => "done",
      () => "cancelled",
    );
    await begun;
    expect(bench.engine.metrics.running).toBe(0);
    leaving.abort();
    expect(await ended).toBe("cancelled");
  });

  it("stays within its folder, through links too", async () => {
    const to = (file: string) =>
      bench.engine.export(kinds, all, { format: "csv", path: file, csvColumns: plain(kinds), onRows: () => {} }, call);
    await symlink(bench.folder, path.join(bench.exportFolder, "out"));
    for (const file of [
      path.join(bench.folder, "own.csv"),
      path.join(bench.exportFolder, "../x.csv"),
      path.join(bench.exportFolder, "out/x.csv"),
    ]) {
      await expect(to(file)).rejects.toMatchObject({ reason: "failed" });
    }
    expect(await readdir(bench.folder)).not.toContain("x.csv");
  });
});

it("whatever the cells hold, another program reads the same cells back from CSV and JSON", async () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom(",", '"', "\r", "\n", "'", "=", " ", "\t"), fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
    minLength: 1,
  });
  // The engine's texts hold no NUL.
  const storable = fc.oneof(
    fc.constant(null),
    text.filter((value) => !value.includes("\0")),
  );
  const whole = fc.oneof(fc.constant(null), fc.maxSafeInteger());
  const cells = fc.sample(fc.tuple(storable, storable, whole), 100);
  const literal = (value: string | number | null) => (value === null ? "null" : `'${String(value).replaceAll("'", "''")}'`);
  const values = cells.map(([one, other, number], id) => `(${id}, ${literal(one)}, ${literal(other)}, ${literal(number)}::bigint)`);
  await bench.prepare(
    `copy (select * from (values ${values.join(",\n")}) t(id, one, other, number)) to 'FOLDER/cells.parquet' (format parquet)`,
  );
  const dataset = datasetOver("cells.parquet", { id: "integer", one: "STRING", other: "STRING", number: "integer" });

  const json = await exported(dataset, "json");
  const rows = JSON.parse(await readFile(json.file, "utf8")) as unknown[];
  expect(rows).toEqual(cells.map(([one, other, number], id) => ({ id, one, other, number })));

  const csv = await exported(dataset, "csv");
  const { data, errors } = parse<string[]>(await readFile(csv.file, "utf8"), { newline: "\r\n", delimiter: "," });
  expect(errors).toEqual([]);
  const written = cells.map((line, id) => [id, ...line].map((value) => String(value ?? "")));
  // A leading apostrophe may have been added where a spreadsheet would run the text as a formula.
  const read = data
    .slice(1, -1)
    .map((line, row) => line.map((found, place) => (found === `'${written[row]?.[place]}` ? found.slice(1) : found)));
  expect(read).toEqual(written);
});
