import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { entityDefinitions } from "@fairway/contract/administration";
import { datasetAdministration } from "@fairway/contract/dataset-administration";
import type { EntityRoutes } from "@fairway/contract/entities";
import { defaultLimits } from "@fairway/contract/limits";
import { parse } from "papaparse";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { datasetAdministrationRoutes } from "#capabilities/dataset-administration/routes.ts";
import { entityRepositories } from "#capabilities/entities/entity-registry.ts";
import { entityHandlers } from "#capabilities/entities/routes.ts";
import { administrationOf } from "#capabilities/entities/service.ts";
import { openExporting } from "#capabilities/exports/capability.ts";
import { breakdownExports } from "#capabilities/search/breakdown/exported-breakdown.ts";
import { searchService } from "#capabilities/search/service.ts";
import { implement } from "#http/capability.ts";
import { Metrics } from "#http/metrics.ts";
import { defaultSecurityLimits } from "#identity/security-limits.ts";
import { JoltRunner } from "#jolt/runner.ts";
import { AddressPolicy } from "#outbound/address-policy.ts";
import { localDiskStores } from "#storage/local-disk.ts";
import { type DatasetApp, datasetApp } from "#testing/dataset-app.ts";
import { secretKey } from "#testing/secret-key.ts";

type Value = string | number | boolean | null;
type Row = Readonly<Record<string, Value>>;

/** A file and its expected content. */
interface Case {
  readonly file: string;
  /** The file's text or bytes, or SQL that creates a Parquet file. */
  readonly content: string | Buffer | { readonly parquet: string };
  /** Plain columns and their types. */
  readonly types: Readonly<Record<string, string>>;
  /** The first rows; all rows if `count` is omitted. */
  readonly rows: readonly Row[];
  readonly count?: number;
  readonly sum?: { readonly column: string; readonly of: number | string };
  /** Problems that the proposal reports. */
  readonly problems?: readonly string[];
}

let base: DatasetApp;
let exporting: Awaited<ReturnType<typeof openExporting>>;
beforeAll(async () => {
  base = await datasetApp();
  const { bench, database, service } = base;
  const registry = { key: secretKey, onChanged: () => service.changed(), addresses: new AddressPolicy([]), jolt: new JoltRunner() };
  const datasets = administrationOf(database.db, entityRepositories(registry)["datasets/internal"], defaultSecurityLimits);
  const { routes } = entityDefinitions["datasets/internal"];
  base.serve({ routes: { administration: implement<EntityRoutes>(routes, entityHandlers(datasets)) } });
  const absent = () => Promise.reject(new Error("not served here"));
  const parts = {
    datasets,
    updates: { start: absent, get: absent },
    engine: bench.engine,
    engines: { lease: absent },
    dataFolder: bench.folder,
    buckets: { locations: [], list: absent, browse: absent },
    sampleRows: 25,
  };
  base.serve({ routes: { datasetAdministration: implement(datasetAdministration, datasetAdministrationRoutes(parts)) } });
  await database.pool.query("insert into users (id, username, username_key) values ('u', 'u', 'u')");
  exporting = await openExporting({
    searches: {
      ...searchService({ datasets: base.service, limits: defaultLimits }),
      prepareBreakdown: breakdownExports({ datasets: base.service, limits: defaultLimits }),
    },
    canRead: () => Promise.resolve(true),
    findKeyUser: () => Promise.resolve(undefined),
    scopeKeysOf: base.service.scopeKeys,
    db: database.db,
    stores: localDiskStores(dirname(base.bench.exportFolder)),
    scratchFolder: base.bench.exportFolder,
    alone: true,
    limits: { ...defaultLimits, exportsAtOncePerUser: 10, exportsKeptPerUser: 1_000 },
    publicUrl: undefined,
    metrics: new Metrics(),
    live: { report: () => undefined },
    log: { info: () => {}, error: () => {} },
  });
  base.serve(exporting);
  await mkdir(base.bench.folder, { recursive: true });
});
afterAll(async () => {
  await exporting.service.close();
  await base.close();
});

const admin = ["admin"];
const post = <Body>(path: string, body: unknown) => base.call<Body>(admin, "POST", path, body);

async function write({ file, content }: Pick<Case, "file" | "content">): Promise<void> {
  const target = join(base.bench.folder, file);
  if (typeof content === "string" || Buffer.isBuffer(content)) await writeFile(target, content);
  else await base.bench.prepare(`copy (${content.parquet}) to 'FOLDER/${file}' (format parquet)`);
}

interface Proposal {
  readonly dataset: {
    readonly id: string;
    readonly schema: { readonly columns: readonly { name: string; type: string; combined: unknown }[] };
  };
  readonly problems: readonly string[];
  readonly sample: readonly Row[];
}

const inspect = (path: string) => post<Proposal>("/admin/datasets/internal/inspect", { path });

async function exported(id: string, format: "csv" | "json"): Promise<string> {
  const started = await post<{ exportId: string }>(`/datasets/Real/${id}/export`, { format, search: {} });
  const state = () => base.call<{ status: string; failure: string | null }>(admin, "GET", `/exports/${started.body.exportId}`);
  await expect.poll(async () => (await state()).body.status, { interval: 20 }).not.toBe("running");
  expect((await state()).body).toMatchObject({ status: "done", failure: null });
  const { body } = await base.app.inject({
    method: "GET",
    url: `/exports/${started.body.exportId}/file`,
    headers: { authorization: `Bearer ${Buffer.from(JSON.stringify(admin)).toString("base64url")}` },
  });
  return body;
}

const text = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;
const utf16 = (content: string, bigEndian: boolean): Buffer => {
  const bytes = Buffer.from(content, "utf16le");
  return bigEndian ? bytes.swap16() : bytes;
};
const mueller = text("id,name", "1,Müller", "2,Groß");
const muellerRows = [
  { id: 1, name: "Müller" },
  { id: 2, name: "Groß" },
];
const idName = { id: "integer", name: "STRING" };
const idValue = { id: "integer", value: "integer" };
const abc = { a: "integer", b: "STRING", c: "integer" };
const many = (count: number, row: (index: number) => string): string[] => Array.from({ length: count }, (_, index) => row(index));
const thousand = (odd: string): string => text("a,b,c", ...many(1_000, (index) => (index === 500 ? odd : `${index},name,${index}`)));
/** The sum of the column `c` of a thousand rows except the odd testCase. */
const sumOf999 = 499_000;

const cases: readonly Case[] = [
  { file: "utf8.csv", content: mueller, types: idName, rows: muellerRows, sum: { column: "id", of: 3 } },
  { file: "bom.csv", content: `\ufeff${mueller}`, types: idName, rows: muellerRows },
  {
    file: "latin1.csv",
    content: Buffer.from(mueller, "latin1"),
    types: idName,
    rows: muellerRows,
    problems: ["2 lines are not UTF-8 (line 2) and read as Windows-1252."],
  },
  {
    file: "windows-1252.csv",
    content: Buffer.concat([Buffer.from("id,price\n1,5 "), Buffer.from([0x80]), Buffer.from(" each\n")]),
    types: { id: "integer", price: "STRING" },
    rows: [{ id: 1, price: "5 € each" }],
    problems: ["1 line is not UTF-8 (line 2) and read as Windows-1252."],
  },
  { file: "utf16le.csv", content: utf16(`\ufeff${mueller}`, false), types: idName, rows: muellerRows },
  { file: "utf16be.csv", content: utf16(`\ufeff${mueller}`, true), types: idName, rows: muellerRows },
  {
    file: "utf16-without-mark.csv",
    content: utf16(mueller, false),
    types: idName,
    rows: muellerRows,
    problems: ["The file has no byte order mark and is read as UTF-16 (little-endian)."],
  },
  { file: "gzip.csv.gz", content: gzipSync(mueller), types: idName, rows: muellerRows },
  {
    file: "gzip-latin1.csv.gz",
    content: gzipSync(Buffer.from(mueller, "latin1")),
    types: idName,
    rows: muellerRows,
    problems: ["2 lines are not UTF-8 (line 2) and read as Windows-1252."],
  },
  {
    file: "german-excel.csv",
    content: Buffer.from("id;name;preis;tag\r\n1;Müller;1,5;31.12.2024\r\n2;Groß;2,25;01.02.2024\r\n", "latin1"),
    types: { id: "integer", name: "STRING", preis: "decimal", tag: "TIMESTAMP_SECONDS" },
    rows: [
      { id: 1, name: "Müller", preis: 1.5, tag: Date.UTC(2024, 11, 31) / 1_000 },
      { id: 2, name: "Groß", preis: 2.25, tag: Date.UTC(2024, 1, 1) / 1_000 },
    ],
    sum: { column: "preis", of: 3.75 },
    problems: ["2 lines are not UTF-8 (line 2) and read as Windows-1252."],
  },
  { file: "tabs.tsv", content: mueller.replaceAll(",", "\t"), types: idName, rows: muellerRows },
  { file: "pipes.csv", content: mueller.replaceAll(",", "|"), types: idName, rows: muellerRows },
  {
    file: "single-column.csv",
    content: text("word", "one, two", "three"),
    types: { word: "STRING" },
    rows: [{ word: "one, two" }, { word: "three" }],
  },
  {
    file: "quoted.csv",
    content: text("id,note", '1,"a, b"', '2,"say ""hi"""', '3,"two\nlines"', '4,5" pipe'),
    types: { id: "integer", note: "STRING" },
    rows: [
      { id: 1, note: "a, b" },
      { id: 2, note: 'say "hi"' },
      { id: 3, note: "two\nlines" },
      { id: 4, note: '5" pipe' },
    ],
  },
  {
    file: "one-bad-cell.csv",
    content: text("id,value", ...many(60_000, (index) => `${index},${index === 50_000 ? "n/a" : 2}`)),
    types: idValue,
    rows: [{ id: 0, value: 2 }],
    count: 60_000,
    sum: { column: "value", of: 119_998 },
    problems: ["1 value of column 'value' is not a number (line 50,002: 'n/a'); it is read as empty."],
  },
  {
    file: "early-bad-cells.csv",
    content: text("id,value", "1,10", "2,n/a", "3,30", "4,-"),
    types: idValue,
    rows: [
      { id: 1, value: 10 },
      { id: 2, value: null },
      { id: 3, value: 30 },
      { id: 4, value: null },
    ],
    sum: { column: "value", of: 40 },
    problems: ["2 values of column 'value' are not numbers (line 3: 'n/a'); they are read as empty."],
  },
  {
    file: "late-decimal.csv",
    content: text("id,value", ...many(30_000, (index) => `${index},${index === 29_999 ? "1.5" : "1"}`)),
    types: { id: "integer", value: "decimal" },
    rows: [{ id: 0, value: 1 }],
    count: 30_000,
    sum: { column: "value", of: 30_000.5 },
  },
  {
    file: "late-word.csv",
    content: text("id,code", ...many(30_000, (index) => `${index},${index > 20_000 ? "x1" : "1"}`)),
    types: { id: "integer", code: "STRING" },
    rows: [{ id: 0, code: "1" }],
    count: 30_000,
    sum: { column: "id", of: 449_985_000 },
  },
  {
    file: "codes.csv",
    content: text("zip,n", "00123,1", "10115,2"),
    types: { zip: "STRING", n: "integer" },
    rows: [
      { zip: "00123", n: 1 },
      { zip: "10115", n: 2 },
    ],
  },
  {
    file: "bad-times.csv",
    content: text("id,at", ...many(20, (index) => `${index},${index === 7 ? "soon" : "2024-01-01T10:00:00+02:00"}`)),
    types: { id: "integer", at: "TIMESTAMP_MILLS" },
    rows: [{ id: 0, at: Date.UTC(2024, 0, 1, 8) }],
    count: 20,
    problems: ["1 value of column 'at' is not a time (line 9: 'soon'); it is read as empty."],
  },
  {
    file: "booleans.csv",
    content: text("id,ok", "1,true", "2,FALSE", "3,"),
    types: { id: "integer", ok: "BOOLEAN" },
    rows: [
      { id: 1, ok: true },
      { id: 2, ok: false },
      { id: 3, ok: null },
    ],
  },
  {
    file: "large-numbers.csv",
    content: text("n,h", "9007199254740993,123456789012345678901234567890", "1,2"),
    types: { n: "integer", h: "integer" },
    rows: [
      { n: "9007199254740993", h: "123456789012345678901234567890" },
      { n: 1, h: 2 },
    ],
    sum: { column: "h", of: "123456789012345678901234567892" },
  },
  {
    file: "one-comma-too-many.csv",
    content: thousand("500,name,500,oops"),
    types: abc,
    rows: [{ a: 0, b: "name", c: 0 }],
    count: 999,
    sum: { column: "c", of: sumOf999 },
    problems: ["1 of 1,000 lines could not be read (line 502: 4 values where 3 are expected)."],
  },
  {
    file: "a-million-commas.csv",
    content: thousand(`500,name,500${",oops".repeat(1_000_000)}`),
    types: abc,
    rows: [{ a: 0, b: "name", c: 0 }],
    count: 999,
    sum: { column: "c", of: sumOf999 },
    problems: ["1 of 1,000 lines could not be read (line 502: more than 20,000 values where 3 are expected)."],
  },
  {
    file: "missing-values.csv",
    content: thousand("500,name"),
    types: abc,
    rows: [{ a: 0, b: "name", c: 0 }],
    count: 1_000,
    sum: { column: "c", of: sumOf999 },
    problems: ["1 line has fewer values than there are columns (line 502); the missing ones are read as empty."],
  },
  {
    file: "unclosed-quote.csv",
    content: thousand('500,"name,500'),
    types: abc,
    rows: [{ a: 0, b: "name", c: 0 }],
    count: 999,
    sum: { column: "c", of: sumOf999 },
    problems: ["1 of 1,000 lines could not be read (line 502: a quote that is not closed)."],
  },
  {
    file: "mostly-broken.csv",
    content: text("a,b", "1,2", "3,4,5", '6,"7', "8,9,10"),
    types: { a: "integer", b: "integer" },
    rows: [{ a: 1, b: 2 }],
    problems: ["3 of 4 lines could not be read (line 3: 3 values where 2 are expected)."],
  },
  {
    file: "trailing-commas.csv",
    content: text("id,name", "1,a,", "2,b,,"),
    types: idName,
    rows: [
      { id: 1, name: "a" },
      { id: 2, name: "b" },
    ],
  },
  { file: "carriage-returns.csv", content: mueller.replaceAll("\n", "\r"), types: idName, rows: muellerRows },
  { file: "mixed-line-ends.csv", content: "id,name\r\n1,Müller\n2,Groß\r", types: idName, rows: muellerRows },
  { file: "blank-lines.csv", content: text("", "id,name", "", "1,Müller", "", "2,Groß", ""), types: idName, rows: muellerRows },
  {
    file: "comments.csv",
    content: text("# made by hand", "id,name", "1,Müller", "# half", "2,Groß"),
    types: idName,
    rows: muellerRows,
    problems: ["2 lines beginning with # are left out (line 1)."],
  },
  {
    file: "title.csv",
    content: text("Report of 2024", "", "id,name", "1,Müller", "2,Groß"),
    types: idName,
    rows: muellerRows,
    problems: ["1 of 3 lines could not be read (line 1: it stands before the column names)."],
  },
  { file: "header-only.csv", content: "id,name\n", types: { id: "STRING", name: "STRING" }, rows: [] },
  {
    file: "without-header.csv",
    content: text("1,a", "2,b"),
    types: { column0: "integer", column1: "STRING" },
    rows: [
      { column0: 1, column1: "a" },
      { column0: 2, column1: "b" },
    ],
  },
  {
    file: "same-names.csv",
    content: text("a,A,,b", "1,2,3,4"),
    types: { a: "integer", A_1: "integer", column2: "integer", b: "integer" },
    rows: [{ a: 1, A_1: 2, column2: 3, b: 4 }],
    problems: ["The column name 'A' is used more than once; the later columns are numbered."],
  },
  {
    file: "long-line.csv",
    content: text("id,note", `1,${"x".repeat(2_500_000)}`, "2,short"),
    types: { id: "integer", note: "STRING" },
    rows: [
      { id: 1, note: "x".repeat(2_500_000) },
      { id: 2, note: "short" },
    ],
  },
  {
    file: "zero-bytes.csv",
    content: text("id,name", "1,a\0b", "2,c"),
    types: idName,
    rows: [
      { id: 1, name: "a\0b" },
      { id: 2, name: "c" },
    ],
  },
  {
    file: "lines.ndjson",
    content: text('{"id":1,"big":9007199254740993,"huge":123456789012345678901234567890}', '{"id":2,"big":1,"huge":2}'),
    types: { id: "integer", big: "integer", huge: "integer" },
    rows: [
      { id: 1, big: "9007199254740993", huge: "123456789012345678901234567890" },
      { id: 2, big: 1, huge: 2 },
    ],
    sum: { column: "huge", of: "123456789012345678901234567892" },
  },
  {
    file: "broken-line.ndjson",
    content: text('{"n":1}', '{"n":', '{"n":3}', "5"),
    types: { n: "integer" },
    rows: [{ n: 1 }, { n: 3 }],
    sum: { column: "n", of: 4 },
    problems: ["2 of 4 lines could not be read (line 2: it ends too early)."],
  },
  {
    file: "mixed-types.ndjson",
    content: text(...many(20, (index) => `{"id":${index},"value":${index === 3 ? '"n/a"' : "2"}}`)),
    types: idValue,
    rows: [{ id: 0, value: 2 }],
    count: 20,
    sum: { column: "value", of: 38 },
    problems: ["1 value of column 'value' is not a number (line 4: 'n/a'); it is read as empty."],
  },
  {
    file: "nested.json",
    content: '[{"o": {"a": 0}, "l": [1, "x"], "s": "a"},\n {"o": null, "l": [], "s": "b"}]',
    types: { o: "STRING", l: "STRING", s: "STRING" },
    rows: [
      { o: '{"a":0}', l: '[1,"x"]', s: "a" },
      { o: null, l: "[]", s: "b" },
    ],
  },
  {
    file: "marked.json",
    content: '\ufeff[{"n":1},{"n":2}]',
    types: { n: "integer" },
    rows: [{ n: 1 }, { n: 2 }],
    sum: { column: "n", of: 3 },
  },
  { file: "utf16.json", content: utf16('\ufeff[{"name":"Müller"}]', false), types: { name: "STRING" }, rows: [{ name: "Müller" }] },
  {
    file: "times.ndjson",
    content: text('{"t":"2024-01-01T10:00:00+02:00","d":"2024-01-01"}'),
    types: { t: "TIMESTAMP_MILLS", d: "TIMESTAMP_SECONDS" },
    rows: [{ t: Date.UTC(2024, 0, 1, 8), d: Date.UTC(2024, 0, 1) / 1_000 }],
  },
  {
    file: "types.parquet",
    content: {
      parquet: `select {'a': 0} as s, [1, 2] as l, map {'k': 0} as m, 9007199254740993::ubigint as u, 123456789012345678901234567890::decimal(38, 0) as w,
        12345678901234567890.0123456789::decimal(38, 10) as d, 1.10::decimal(38, 10) as e, '\\xAA'::blob as b, interval 1 day as i, time '10:00:00' as t,
        '5da9ba3e-7fd4-44e4-bb47-4a0bea6d4b1e'::uuid as g, 'x'::enum('x', 'y') as k, date '2024-12-31' as day,
        timestamp_ns '2024-01-01 00:00:00.123456789' as ns, timestamp_s '2024-01-01 00:00:00' as ts, timestamptz '2024-01-01 02:00:00+02' as tz`,
    },
    types: {
      s: "STRING",
      l: "STRING",
      m: "STRING",
      u: "integer",
      w: "integer",
      d: "decimal",
      e: "decimal",
      b: "STRING",
      i: "STRING",
      t: "STRING",
      g: "STRING",
      k: "STRING",
      day: "TIMESTAMP_SECONDS",
      ns: "TIMESTAMP_MILLS",
      ts: "TIMESTAMP_MILLS",
      tz: "TIMESTAMP_MILLS",
    },
    rows: [
      {
        s: '{"a":0}',
        l: "[1,2]",
        m: '{"k":0}',
        u: "9007199254740993",
        w: "123456789012345678901234567890",
        d: "12345678901234567890.0123456789",
        e: 1.1,
        b: "\\xAA",
        i: "1 day",
        t: "10:00:00",
        g: "5da9ba3e-7fd4-44e4-bb47-4a0bea6d4b1e",
        k: "x",
        day: Date.UTC(2024, 11, 31) / 1_000,
        ns: Date.UTC(2024, 0, 1) + 123,
        ts: Date.UTC(2024, 0, 1),
        tz: Date.UTC(2024, 0, 1),
      },
    ],
    sum: { column: "d", of: "12345678901234567890.0123456789" },
  },
];

describe("real-world files", () => {
  it.each(cases)("$file is proposed, saved, searched, counted, summed and exported with its content", async (testCase) => {
    await write(testCase);
    const proposed = await inspect(testCase.file);
    expect(proposed.body).toMatchObject({ problems: testCase.problems ?? [] });
    const { dataset } = proposed.body;
    const columns = dataset.schema.columns.filter(({ combined }) => combined === null);
    expect(Object.fromEntries(columns.map(({ name, type }) => [name, type]))).toEqual(testCase.types);

    const saved = await post<{ id: string }>("/admin/datasets/internal", { ...dataset, category: "Real" });
    expect(saved).toMatchObject({ status: 201 });
    const at = `/datasets/Real/${dataset.id}`;
    expect((await base.call(admin, "GET", `${at}/describe`)).status).toBe(200);

    const searched = await post<{ results: Row[] }>(`${at}/search`, { paging: { offset: 0, max: 100 } });
    const count = testCase.count ?? testCase.rows.length;
    expect(searched.body.results).toHaveLength(Math.min(100, count));
    expect(searched.body.results.slice(0, testCase.rows.length)).toEqual(testCase.rows);

    const counted = await post(`${at}/aggregate/count/*`, {});
    expect(counted.body).toEqual({ totalResults: count });
    const { column, of } = testCase.sum ?? { column: "*", of: count };
    const summed = await post<Record<string, unknown>>(`${at}/aggregate/${testCase.sum === undefined ? "count" : "sum"}/${column}`, {});
    expect(Object.values(summed.body)).toEqual([of]);

    const json = JSON.parse(await exported(dataset.id, "json")) as Row[];
    expect(json).toHaveLength(count);
    expect(json.slice(0, testCase.rows.length)).toEqual(testCase.rows);
    const csv = parse<Record<string, string>>(await exported(dataset.id, "csv"), { header: true, skipEmptyLines: true });
    expect(csv.meta.fields).toEqual(dataset.schema.columns.map(({ name }) => name));
    expect(csv.data).toHaveLength(count);
    // Times are written as text, and decimals with all their places: 1.0 for 1.
    const cell = (type: string, value: Value | undefined) => (type === "decimal" ? Number(value ?? "") : String(value ?? ""));
    const written = columns.filter(({ type }) => !type.startsWith("TIMESTAMP"));
    const cells = (row: Row) => Object.fromEntries(written.map(({ name, type }) => [name, cell(type, row[name])]));
    expect(csv.data.slice(0, testCase.rows.length).map(cells)).toEqual(testCase.rows.map(cells));
  });
});
