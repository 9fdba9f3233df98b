import { readFile, readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import type { Column } from "@fairway/contract/columns";
import { defaultLimits } from "@fairway/contract/limits";
import { describe, expect, it, onTestFinished } from "vitest";
import { datasetOver, rowsOf } from "#query/duckdb/test-files.ts";
import { EngineFailed, type QueryableDataset, type SearchQuery } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";
import { describeAreaRules } from "#testing/area-rules-suite.ts";
import { shownRows, typesOf } from "#testing/arrow-table.ts";
import { describeDerivedColumns } from "#testing/derived-columns-suite.ts";
import { engineCall } from "#testing/engine-call.ts";
import { describeGrids } from "#testing/grid-suite.ts";
import { describeScopes } from "#testing/scope-suite.ts";
import { describeTracks } from "#testing/tracks-suite.ts";
import { describeLake, describeLargeTable } from "#testing/lake-suite.ts";
import { temporaryFolder } from "#testing/portal-process.ts";
import { noteNotRun } from "#testing/not-run.ts";
import { describeTables } from "#testing/table-suite.ts";
import { sheetRows } from "#testing/workbooks.ts";
import { StatementError } from "./client/failures.ts";
import type { ServerKind, StatementCall, StatementServer } from "./client/statements.ts";
import { PrestoEngine } from "./engine.ts";
import { tableBench } from "./testing/table-bench.ts";

type Rows = readonly (readonly unknown[])[];
interface Sent {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  readonly user: string | undefined;
}

const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 25 };
const described: Rows = [
  ["id", "bigint", "", "Number of the row"],
  ["at", "timestamp(6)", "", ""],
  ["parts", "map(varchar, integer)", "", ""],
  ["day", "date", "partition key", ""],
];
const dataset: QueryableDataset = {
  ...datasetOver("", { id: "integer", at: "TIMESTAMP_MILLS", parts: "STRING", day: "TIMESTAMP_SECONDS" }, { temporalField: "at" }),
  source: { kind: "table", name: 'lake.sales."odd.name"' },
  orderBy: [{ column: "at", direction: "desc" }],
};

/** An engine on a server that answers with these pages. */
function engineOn(
  answer: (sent: Sent, call: StatementCall) => AsyncIterable<Rows>,
  kind: ServerKind = "trino",
  { exportFolder = tmpdir(), asUser = false } = {},
) {
  const sent: Sent[] = [];
  const server: StatementServer = {
    kind: () => Promise.resolve(kind),
    run: ({ sql, parameters }: Compiled, call) => {
      const statement = { sql, parameters, user: call.user };
      sent.push(statement);
      const pages = sql.startsWith("describe") ? pagesOf(described) : answer(statement, call);
      return Promise.resolve({ queryId: "q1", columns: [], pages });
    },
    close: () => Promise.resolve(),
  };
  const limits = { ...defaultLimits, engineWaitMs: 50 };
  const engine = new PrestoEngine({ server, exportFolder, limits, log: { warn: () => undefined }, asUser });
  onTestFinished(() => engine.close());
  return { engine, sent };
}

async function* pagesOf(...pages: Rows[]): AsyncGenerator<Rows> {
  yield* pages;
}

describe("the statements of searches of tables", () => {
  const statementOf = async (query: Partial<SearchQuery>, kind?: ServerKind): Promise<Sent | undefined> => {
    const { engine, sent } = engineOn(() => pagesOf([]), kind);
    await rowsOf(await engine.search(dataset, { ...all, ...query }, { ...engineCall(), user: "ada" }));
    return sent.at(-1);
  };
  const from = 'from "lake"."sales"."odd.name"';
  const values = `cast("id" as varchar), date_diff('millisecond', timestamp '1970-01-01 00:00:00.000', "at"), json_format(cast("parts" as json)), date_diff('millisecond', timestamp '1970-01-01 00:00:00.000', cast("day" as timestamp))`;
  const order = `"at" desc nulls last, "id", "at", "day", json_format(cast("parts" as json))`;

  it("sort by every column in the end, so that pages fit together, and name the user", async () => {
    expect(await statementOf({})).toEqual({ sql: `select ${values} ${from} order by ${order} limit 26`, parameters: [], user: "ada" });
  });

  it("skip rows by OFFSET in Trino and by their number in Presto", async () => {
    expect((await statementOf({ offset: 50 }))?.sql).toBe(`select ${values} ${from} order by ${order} offset 50 limit 26`);
    expect((await statementOf({ offset: 50 }, "presto"))?.sql).toBe(
      `select ${values} from (select *, row_number() over ( order by ${order}) as "fairway place" ${from}) as placed where "fairway place" between 51 and 76 order by "fairway place"`,
    );
  });

  it("compare times with literals, days with days, and everything else with parameters", async () => {
    const noon = BigInt(Date.parse("2020-02-03T12:00:00Z"));
    const statement = await statementOf({
      conditions: [
        { column: "at", type: "TIMESTAMP_MILLS", operator: ">=", value: noon },
        { column: "day", type: "TIMESTAMP_SECONDS", operator: ">=", value: noon },
        { column: "day", type: "TIMESTAMP_SECONDS", operator: "<", value: -1n },
        { column: "id", type: "integer", operator: "=", value: 7n },
      ],
    });
    expect(statement?.sql).toContain(
      `where "at" >= timestamp '2020-02-03 12:00:00.000' and "day" >= date '2020-02-04' and "day" < date '1970-01-01' and "id" = $1 order by`,
    );
    expect(statement?.parameters).toEqual([7n]);
  });
});

describe("rows far from the first one", () => {
  const wholeMs = 1_000_000;
  /** A table whose times go up to `wholeMs`, in ten parts of equal size. */
  const figuresOf = (sql: string, rows: number): Rows => {
    const part = (index: number, parts: number) => {
      const [low, high] = [(index * wholeMs) / parts, ((index + 1) * wholeMs) / parts - 1];
      return [String(rows / parts), String(low), String(high), `${low}.0`, `${high}.0`];
    };
    return sql.includes("group by part") ? Array.from({ length: 10 }, (_, index) => part(index, 10)) : [part(0, 1)];
  };
  const isFigures = (sql: string) => sql.includes("count(*)");
  const text = (ms: number) => new Date(ms).toISOString().replace("T", " ").slice(0, -1);

  it("are found by the value that they are sorted by, and those after them without looking again", async () => {
    let pageRows = 26;
    const { engine, sent } = engineOn(({ sql }) =>
      pagesOf(isFigures(sql) ? figuresOf(sql, 100_000) : Array.from({ length: pageRows }, () => ["1", 0, "", 0])),
    );
    const page = async (offset: number, owner = "ada") => {
      sent.length = 0;
      await rowsOf(await engine.search(dataset, { ...all, offset }, engineCall(undefined, owner)));
      return sent.map(({ sql }) => sql).filter((sql) => !sql.startsWith("describe"));
    };
    expect(await page(49_999)).toEqual([expect.stringContaining(" offset 49999 limit 26")]);
    const found = await page(60_000);
    expect(found).toHaveLength(3);
    // Newest first: the seventh part from the end.
    expect(found[2]).toContain(
      `where "at" < timestamp '${text(400_000)}' and "at" >= timestamp '${text(300_000)}' order by "at" desc nulls last`,
    );
    expect(found[2]).toMatch(/ limit 26$/);
    expect(found[2]).not.toContain("offset");
    const next = await page(60_025);
    expect(next).toHaveLength(1);
    expect(next[0]).toContain(`where "at" < timestamp '${text(400_000)}' and "at" >= timestamp '${text(300_000)}'`);
    expect(next[0]).toMatch(/ offset 25 limit 26$/);
    pageRows = 10;
    const last = await page(99_990);
    expect(last).toHaveLength(2);
    expect(last[0]).toContain(`where "at" < timestamp '${text(100_000)}' order by`);
    expect(last[1]).toContain(`where "at" is null order by`);
    // Rows were deleted meanwhile.
    const short = await page(60_000);
    expect(short).toHaveLength(2);
    expect(short[1]).toContain(`where ("at" < timestamp '${text(300_000)}' or "at" is null) order by`);
    expect(short[1]).toMatch(/ limit 16$/);
    // Others may see other rows.
    expect(await page(60_000, "bo")).toHaveLength(4);
  });

  it("are exported in parts if the server has too little memory to sort all at once", async () => {
    const outOfMemory = new StatementError("out-of-memory", "The query needs more memory.", {
      errorName: "EXCEEDED_LOCAL_MEMORY_LIMIT",
      errorType: "INSUFFICIENT_RESOURCES",
      queryId: "q1",
      serverMessage: "",
    });
    const { engine, sent } = engineOn(async function* ({ sql }) {
      if (isFigures(sql)) yield figuresOf(sql, 5_000_000);
      else if (!sql.includes("where")) throw outOfMemory;
      else yield [[String(sent.length), 0, "", 0]];
    });
    const file = path.join(await temporaryFolder(), "all.json");
    const query = { ...all, limit: 10_000_000 };
    expect(await engine.export(dataset, query, { format: "json", path: file, csvColumns: [], onRows: () => {} }, engineCall())).toBe(6);
    const parts = sent.map(({ sql }) => sql).filter((sql) => sql.includes("where") && !isFigures(sql));
    expect(parts.map((sql) => / where (.*) order by/.exec(sql)?.[1])).toEqual([
      `"at" >= timestamp '${text(800_000)}'`,
      ...[600_000, 400_000, 200_000].map((ms) => `"at" < timestamp '${text(ms + 200_000)}' and "at" >= timestamp '${text(ms)}'`),
      `"at" < timestamp '${text(200_000)}'`,
      `"at" is null`,
    ]);
    expect(JSON.parse(await readFile(file, "utf8"))).toHaveLength(6);
    await expect(
      engineOn(async function* ({ sql }) {
        yield [["1", 0, "", 0]];
        if (!isFigures(sql)) throw outOfMemory;
      }).engine.export(dataset, query, { format: "json", path: `${file}2`, csvColumns: [], onRows: () => {} }, engineCall()),
    ).rejects.toMatchObject({ reason: "out-of-memory" });
  });
});

it.each([
  { counted: 2, limit: 2, found: 3, sql: '"parts" as json))', written: 2 },
  { counted: 3, limit: 2, found: 2, sql: " limit 2", written: 2 },
])(
  "limits the statement of an export only if there are more rows ($counted of at most $limit)",
  async ({ counted, limit, found, sql: end, written }) => {
    const folder = await temporaryFolder();
    const { engine, sent } = engineOn(({ sql }) =>
      pagesOf(sql.includes("count(*)") ? [[String(counted)]] : Array.from({ length: found }, (_, n) => [String(n), 0, "", 0])),
    );
    const target = { format: "json" as const, path: path.join(folder, "all.json"), csvColumns: [], onRows: () => {} };
    expect(await engine.export(dataset, { ...all, limit }, target, engineCall())).toBe(written);
    expect(sent.at(-1)?.sql.slice(-end.length)).toBe(end);
  },
);

it("exports rows as Parquet with the types of their columns, and leaves nothing else behind", async () => {
  const rows: Rows = [
    ["9007199254740993", -1, 'a "quoted",\r\nline;\u2028é😀', 86_400_000],
    ["1", null, "", null],
    [null, 1_577_872_805_250, null, 0],
  ];
  const folder = await temporaryFolder();
  const { engine } = engineOn(() => pagesOf(rows.slice(0, 2), rows.slice(2)), "trino", { exportFolder: folder });
  const file = path.join(folder, "all");
  const written: number[] = [];
  const target = { format: "parquet" as const, path: file, csvColumns: [], onRows: (count: number) => void written.push(count) };
  expect(await engine.export(dataset, { ...all, limit: 10_000 }, target, engineCall())).toBe(3);
  expect(written).toEqual([2, 3]);
  expect(await readdir(folder)).toEqual(["all"]);
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const read = await connection.runAndReadAll(
    `select id, epoch_ms("at") as "at", parts, epoch_ms("day") as "day" from read_parquet('${file}')`,
  );
  expect(read.getRowsJson()).toEqual(rows.map((row) => row.map((value) => (typeof value === "number" ? String(value) : value))));
  const types = await connection.runAndReadAll(`select column_type from (describe select * from read_parquet('${file}'))`);
  expect(types.getRows().flat()).toEqual(["BIGINT", "TIMESTAMP", "VARCHAR", "TIMESTAMP"]);
  instance.closeSync();

  const left = new AbortController();
  const { engine: endless } = engineOn(
    async function* ({ sql }) {
      yield rows;
      if (sql.includes("count(*)")) return;
      left.abort();
      throw new EngineFailed("abandoned", "The caller left.");
    },
    "trino",
    { exportFolder: folder },
  );
  const leaving = endless.export(dataset, { ...all, limit: 10 }, { ...target, path: path.join(folder, "left") }, engineCall(left.signal));
  await expect(leaving).rejects.toMatchObject({ reason: "abandoned" });
  expect(await readdir(folder)).toEqual(["all"]);
});

it("exports and finds rows as Arrow with the types of their columns", async () => {
  const rows: Rows = [
    ["9007199254740993", -1, 'a "quoted",\r\nline;\u2028é😀', 86_400_000],
    ["1", null, "", null],
    [null, 1_577_872_805_250, null, 0],
  ];
  const folder = await temporaryFolder();
  const { engine } = engineOn(() => pagesOf(rows.slice(0, 2), rows.slice(2)), "trino", { exportFolder: folder });
  const file = path.join(folder, "all");
  const written: number[] = [];
  const target = { format: "arrow" as const, path: file, csvColumns: [], onRows: (count: number) => void written.push(count) };
  expect(await engine.export(dataset, { ...all, limit: 10_000 }, target, engineCall())).toBe(3);
  expect(written.at(-1)).toBe(3);
  const expected = rows.map(([id, at, parts, day]) => ({ id: id === "1" ? 1 : id, at, parts, day }));
  const bytes = await readFile(file);
  expect(shownRows(bytes)).toEqual(expected);
  expect(typesOf(bytes)).toEqual({
    id: "Int64",
    at: "Timestamp<MILLISECOND, UTC>",
    parts: "Utf8",
    day: "Timestamp<MILLISECOND, UTC>",
  });

  const page = await engine.searchArrow(dataset, { ...all, limit: 2 }, engineCall());
  const chunks: Uint8Array[] = [];
  for await (const chunk of page.chunks) chunks.push(chunk);
  expect([shownRows(chunks), await page.hasMore]).toEqual([expected.slice(0, 2), true]);
});

it("exports rows as a workbook, with times as times and long integers as text", async () => {
  const rows: Rows = [
    ["9007199254740993", -1, "=1+1", 86_400_000],
    ["1", 1_577_872_805_250, null, 86_400_999],
    [null, null, "", null],
  ];
  const folder = await temporaryFolder();
  const { engine } = engineOn(() => pagesOf(rows.slice(0, 2), rows.slice(2)), "trino", { exportFolder: folder });
  const file = path.join(folder, "all.xlsx");
  const joined = { type: "COORDINATES" as const, fields: ["id", "parts"], joinedBy: ", " };
  const csvColumns: Column[] = [
    ...dataset.columns.map((column): Column => ({ ...column, description: "", combined: null })),
    { name: "joined", type: "STRING", description: "", combined: joined },
  ];
  const written: number[] = [];
  const target = { format: "xlsx" as const, path: file, csvColumns, onRows: (count: number) => void written.push(count) };
  expect(await engine.export(dataset, { ...all, limit: 10 }, target, engineCall())).toBe(3);
  expect([written, await readdir(folder)]).toEqual([[2, 3], ["all.xlsx"]]);
  expect((await sheetRows(await readFile(file))).hucre).toEqual([
    ["id", "at", "parts", "day", "joined"],
    ["9007199254740993", "1969-12-31T23:59:59.999Z", "=1+1", "1970-01-02T00:00:00.000Z", "9007199254740993, =1+1"],
    [1, "2020-01-01T10:00:05.250Z", null, "1970-01-02T00:00:00.000Z", "1, "],
    [null, null, "", null, ", "],
  ]);
});

it.each(["csv", "json", "parquet", "arrow", "xlsx"] as const)(
  "says that the disk is full when a file of the format %s has no room",
  async (format) => {
    const folder = await temporaryFolder();
    const { engine } = engineOn(
      async function* ({ sql }) {
        yield [["1", 0, "", 0]];
        if (!sql.includes("count(*)")) throw Object.assign(new Error("write"), { code: "ENOSPC" });
      },
      "trino",
      { exportFolder: folder },
    );
    const target = { format, path: path.join(folder, "all"), csvColumns: [], onRows: () => {} };
    await expect(engine.export(dataset, { ...all, limit: 10 }, target, engineCall())).rejects.toThrow("The server's disk is full");
  },
);

describe("an engine of tables", () => {
  it("describes columns with their comments, and reads a table's description once", async () => {
    const { engine, sent } = engineOn(() => pagesOf([["9007199254740993", -1, '{"a":1}', 86_400_000]]));
    const columns = await engine.columns(dataset.source, engineCall());
    expect(columns.map(({ name, type, description }) => [name, type, description])).toEqual([
      ["id", "integer", "Number of the row"],
      ["at", "TIMESTAMP_MILLS", ""],
      ["parts", "STRING", ""],
      ["day", "TIMESTAMP_SECONDS", ""],
    ]);
    expect(columns.filter(({ day }) => day === true).map(({ name }) => name)).toEqual(["day"]);
    const rows = await rowsOf(await engine.search(dataset, all, engineCall()));
    expect(rows).toEqual([{ id: "9007199254740993", at: -1, parts: '{"a":1}', day: 86_400 }]);
    expect(sent.map(({ sql }) => sql.slice(0, 8))).toEqual(["describe", "select c"]);
  });

  it("refuses names that are not of a table, and reports a missing table", async () => {
    const { engine } = engineOn(() => pagesOf([]));
    for (const name of ["a.b", "a.b.c.d", 'a.b."c', "a.b.", ""]) {
      const found = engine.check({ ...dataset, source: { kind: "table", name } }, engineCall());
      expect(await found).toMatchObject([{ code: "data-missing" }]);
    }
  });

  it("takes a statement that fails after the table has changed for a change of the table", async () => {
    let isChanged = false;
    const server: StatementServer = {
      kind: () => Promise.resolve("presto"),
      run: ({ sql }) => {
        const failure = new StatementError("failed", "The query server did not accept the query (query q1).", {
          errorName: "SYNTAX_ERROR",
          errorType: "USER_ERROR",
          queryId: "q1",
          serverMessage: "line 1:8: Column 'at' cannot be resolved",
        });
        if (!sql.startsWith("describe")) return Promise.reject(failure);
        const rows = isChanged ? described.slice(0, 1) : described;
        isChanged = true;
        return Promise.resolve({ queryId: "q1", columns: [], pages: pagesOf(rows) });
      },
      close: () => Promise.resolve(),
    };
    const engine = new PrestoEngine({ server, exportFolder: tmpdir(), limits: defaultLimits, log: { warn: () => undefined } });
    const failure: unknown = await engine.search(dataset, all, engineCall()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ reason: "not-ready", problems: [{ column: "at" }, { column: "parts" }, { column: "day" }] });
  });

  it("reads no further than its reader while a large answer is streamed, and stops with its reader", async () => {
    let read = 0;
    let isClosed = false;
    async function* endless(): AsyncGenerator<Rows> {
      try {
        const wide = "x".repeat(10_000);
        for (;;) {
          read += 100;
          yield Array.from({ length: 100 }, () => ["1", 0, wide, 0]);
        }
      } finally {
        isClosed = true;
      }
    }
    const { engine } = engineOn(endless);
    const { chunks } = await engine.search(dataset, { ...all, limit: 1_000_000_000 }, engineCall());
    await new Promise((resolve) => setTimeout(resolve, 100));
    // 16 MB of text.
    expect(read).toBeLessThan(3_000);
    for await (const chunk of chunks) {
      expect(chunk.length).toBeGreaterThan(0);
      break;
    }
    await expect.poll(() => isClosed).toBe(true);
  });

  it("goes on finding the first and the last time when its caller leaves, and remembers them", async () => {
    let answered = () => {};
    const answer = new Promise<void>((resolve) => (answered = resolve));
    const { engine, sent } = engineOn(async function* () {
      await answer;
      yield [["1000", "2000"]];
    });
    const left = new AbortController();
    const first = engine.timeExtent(dataset, engineCall(left.signal));
    await expect.poll(() => sent.length).toBe(2);
    left.abort();
    await expect(first).rejects.toMatchObject({ reason: "abandoned" });
    answered();
    expect(await engine.timeExtent(dataset, engineCall())).toEqual({ startMs: 1_000, endMs: 2_000 });
    expect(sent).toHaveLength(2);
  });

  it("finds the first and the last time for each person where statements run as these, and once for all otherwise", async () => {
    const ends: Record<string, [string, string]> = { ada: ["1000", "2000"], grace: ["5000", "6000"] };
    for (const asUser of [true, false]) {
      const { engine, sent } = engineOn(({ user = "" }) => pagesOf([ends[user] ?? []]), "trino", { asUser });
      const extentOf = (user: string) => engine.timeExtent(dataset, { ...engineCall(), user });
      const [adas, graces] = [await extentOf("ada"), await extentOf("grace")];
      expect(adas).toEqual({ startMs: 1_000, endMs: 2_000 });
      expect(graces).toEqual(asUser ? { startMs: 5_000, endMs: 6_000 } : adas);
      const statements = sent.length;
      expect([await extentOf("ada"), sent.length]).toEqual([adas, statements]);
    }
  });

  it("describes a table for each person where statements run as these, and once for all otherwise", async () => {
    for (const asUser of [true, false]) {
      const { engine, sent } = engineOn(() => pagesOf([]), "trino", { asUser });
      for (const user of ["ada", "grace", "ada"]) {
        await rowsOf(await engine.search(dataset, { ...all, conditions: [] }, { ...engineCall(), user }));
      }
      const describedFor = sent.filter(({ sql }) => sql.startsWith("describe")).map(({ user }) => user);
      expect(describedFor).toEqual(asUser ? ["ada", "grace"] : ["ada"]);
    }
  });

  it("finds the first and the last time of the rows that the dataset's own filters leave", async () => {
    const { engine, sent } = engineOn(({ sql }) => pagesOf([sql.includes("where") ? ["1500", "1600"] : ["1000", "2000"]]));
    const own = { column: "id", type: "integer", operator: ">", value: 7n } as const;
    expect(await engine.timeExtent(dataset, engineCall())).toEqual({ startMs: 1_000, endMs: 2_000 });
    expect(await engine.timeExtent({ ...dataset, ownConditions: [own] }, engineCall())).toEqual({ startMs: 1_500, endMs: 1_600 });
    expect(sent.at(-1)?.sql).toContain('where "id" > $');
  });

  it("refuses a server that sends more rows than a count has", async () => {
    const { engine } = engineOn(() => pagesOf(...Array.from({ length: 30 }, () => Array.from({ length: 10_000 }, () => ["1"]))));
    const count = engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, engineCall());
    await expect(count).rejects.toMatchObject({ reason: "upstream" });
  });

  it("lets nobody wait longer for a server that hangs than for a busy engine", async () => {
    const ended = new AbortController();
    onTestFinished(() => ended.abort());
    const { engine } = engineOn(async function* (_sent, { signal }) {
      yield [];
      await new Promise((resolve) => {
        for (const one of [signal, ended.signal]) one.addEventListener("abort", resolve, { once: true });
      });
      throw new EngineFailed("abandoned", "ended");
    });
    const running = ["ada", "bo", "cleo", "dee"].map((owner) => engine.search(dataset, all, engineCall(ended.signal, owner)));
    const refused = engine.search(dataset, all, engineCall(undefined, "eve"));
    await expect(refused).rejects.toMatchObject({
      reason: "busy",
      message: expect.stringContaining("The query server is busy") as unknown,
    });
    expect(engine.metrics.running).toBe(4);
    ended.abort();
    await Promise.allSettled(running);
    expect(engine.metrics).toEqual({ running: 0, waiting: 0 });
  });
});

const servers = [
  { name: "a real Trino", prefix: "TRINO", precise: true, skipsTimes: true },
  { name: "a real Presto", prefix: "PRESTO", precise: false, skipsTimes: false },
];
for (const { name, prefix, precise, skipsTimes } of servers) {
  const [url, files, location] = ["URL", "LAKE_FILES", "LAKE_LOCATION"].map((part) => process.env[`${prefix}_${part}`]);
  const hint = "run `npm run test:engines`, see docs/decisions/archive/0476";
  if (url === undefined) noteNotRun(`the engine of tables with ${name}`, hint);
  else {
    describeTables(name, url, { precise });
    describeDerivedColumns(`tables (${name})`, { formulas: 8, rows: 60, seeds: [1] }, () => tableBench(url));
    describeGrids(`tables (${name})`, () => tableBench(url));
    describeTracks(`tables (${name})`, () => tableBench(url));
    describeScopes(`tables (${name})`, () => tableBench(url));
    describeAreaRules(`tables (${name})`, () => tableBench(url));
  }
  if (url === undefined || files === undefined || location === undefined) {
    noteNotRun(`the demo's datasets and 20 million rows as tables of ${name}`, hint);
    continue;
  }
  const server = { url, files, location, precise, skipsTimes };
  describeLake(name, server);
  describeLargeTable(name, server);
}
