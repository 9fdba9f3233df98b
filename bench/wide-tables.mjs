// @ts-check
// `node bench/wide-tables.mjs` after a build: what the same 2.5 million values cost as 10 columns × 250,000 rows and as 1,000 columns ×
// 2,500 rows, in turns in one process, by the engine without the portal's HTTP. CPU time is that of the process with DuckDB's threads.
// A page and a preview hold as many values in both shapes, too: 10,000 rows and 100. The engine reads whole row groups of each column,
// so that it decodes 100 times as many values for the latter as it shows; "the same rows, bare" is what DuckDB alone takes for that.
// A page of 25 rows would hold 100 times as many values in the wide shape: what it costs is judged per value, not by the page.
// Profiles are not the same work: 2,500 values per column are grouped exactly, 250,000 mostly by 20 steps.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { openDuckDb } from "@fairway/gateway/query/duckdb/engine";
import { duckDb } from "./lib/gateway-modules.mjs";
import { median } from "./lib/statistics.mjs";

/** @typedef {import("@fairway/gateway/query/engine").QueryableDataset} QueryableDataset */
/** @typedef {import("@fairway/contract/exports").ExportFormat} ExportFormat */

const shapes = /** @type {const} */ ([
  { columns: 10, rows: 250_000 },
  { columns: 1_000, rows: 2_500 },
]);
/** Of a page: as many values in both shapes. */
const pageValues = 100_000;
const rounds = 3;

// Types in turns: integers below and above 2^53, decimals, texts, times.
const kinds = /** @type {const} */ ([
  (/** @type {number} */ n) => `cast(hash(i * 1024 + ${n}) >> ${n % 8 === 0 ? 1 : 20} as bigint)`,
  (/** @type {number} */ n) => `round((hash(i * 1024 + ${n}) % 1000000) / 997, 3)`,
  (/** @type {number} */ n) => `'reading ' || (hash(i * 1024 + ${n}) % 1000)`,
  (/** @type {number} */ n) => `make_timestamp_ms(1700000000000 + cast(hash(i * 1024 + ${n}) % 10000000000 as bigint))`,
]);

const folder = await mkdtemp(join(tmpdir(), "fairway-bench-wide-"));
const dataFolder = join(folder, "data");
const exportFolder = join(folder, "exports");
await mkdir(dataFolder);
const instance = await duckDb.DuckDBInstance.create(":memory:");
const connection = await instance.connect();
for (const { columns, rows } of shapes) {
  const values = Array.from({ length: columns }, (_, n) => `${kinds[n % kinds.length]?.(n)} as c${n}`);
  const select = `select ${values.join(", ")} from range(${rows}) as numbers(i) order by i`;
  for (const [format, options] of /** @type {const} */ ([
    ["parquet", "format parquet"],
    ["csv", "format csv, header"],
    ["json", "format json"],
  ]))
    await connection.run(`copy (${select}) to '${dataFolder}/${columns}.${format}' (${options})`);
}
instance.closeSync();

const [copyFolder, tempFolder] = [join(folder, "converted"), join(folder, "spill")];
const limits = { ...defaultLimits, queryTimeoutMs: 600_000 };
const openEngine = () => openDuckDb({ dataFolder, copyFolder, tempFolder, exportFolder, limits, log: console, threads: 1 });
const engine = await openEngine();
const call = () => ({ signal: new AbortController().signal, owner: "bench" });
const all = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 1_000_000 };

/** @returns {Promise<QueryableDataset>} */
async function datasetOf(/** @type {number} */ columns, /** @type {"parquet" | "csv" | "json"} */ format) {
  const source = { kind: /** @type {const} */ ("files"), glob: `${columns}.${format}`, format };
  return {
    category: "Bench",
    id: `${columns}`,
    source,
    columns: await engine.columns(source, call()),
    temporalField: null,
    location: null,
    orderBy: [],
    ownConditions: [],
    features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
  };
}

/** @param {Promise<import("@fairway/gateway/query/engine").RowStream<string | Uint8Array>>} stream */
async function drain(stream) {
  const { chunks } = await stream;
  for await (const _ of chunks);
}

/** @param {QueryableDataset} dataset @param {ExportFormat} format */
async function exportAs(dataset, format) {
  const path = join(exportFolder, `${dataset.id}.${format}`);
  const csvColumns = dataset.columns.map((column) => ({ ...column, description: "", combined: null }));
  await engine.export(dataset, all, { format, path, csvColumns, onRows: () => undefined }, call());
  await rm(path);
}

const pageRows = (/** @type {QueryableDataset} */ { columns }) => pageValues / columns.length;

/** @type {readonly { what: string, run: (dataset: QueryableDataset) => Promise<unknown> }[]} */
const cases = [
  { what: "search, all rows", run: (dataset) => drain(engine.search(dataset, all, call())) },
  { what: "search, one page", run: (dataset) => drain(engine.search(dataset, { ...all, limit: pageRows(dataset) }, call())) },
  {
    what: "table, one page sorted",
    run: (dataset) => {
      const sort = [{ column: "c1", direction: /** @type {const} */ ("desc") }];
      return drain(engine.search(dataset, { ...all, sort, limit: pageRows(dataset) }, call()));
    },
  },
  { what: "count", run: (dataset) => engine.aggregate(dataset, [{ type: "count", column: "*" }], [], all, call()) },
  { what: "preview, first rows", run: (dataset) => drain(engine.sample(dataset, { conditions: [], limit: pageRows(dataset) }, call())) },
  {
    what: "rows as Arrow",
    run: (dataset) => drain(engine.searchArrow(dataset, all, call())),
  },
  { what: "export as CSV", run: (dataset) => exportAs(dataset, "csv") },
  { what: "export as JSON", run: (dataset) => exportAs(dataset, "json") },
  { what: "export as Parquet", run: (dataset) => exportAs(dataset, "parquet") },
  { what: "export as Arrow", run: (dataset) => exportAs(dataset, "arrow") },
  { what: "profile of all columns", run: (dataset) => engine.profileDataset(dataset, { conditions: [], timeoutMs: 600_000 }, call()) },
];

const cpuMs = async (/** @type {() => Promise<unknown>} */ work) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** @param {string} what @param {(columns: number) => Promise<unknown>} run */
async function compare(what, run) {
  /** @type {[number[], number[]]} */
  const times = [[], []];
  for (let round = 0; round < rounds; round++)
    for (const [index, { columns }] of shapes.entries()) times[index]?.push(await cpuMs(() => run(columns)));
  const [long = 0, wide = 0] = times.map(median);
  console.log(`${what}: ${Math.round(long)} ms CPU as 10 columns, ${Math.round(wide)} ms as 1,000, ratio ${(wide / long).toFixed(2)}`);
}

const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length);
const formats = /** @type {const} */ (["parquet", "csv", "json"]).filter(
  (format) => only === undefined || only.split(",").includes(format),
);
for (const format of formats) {
  await compare(`${format}, first read`, (columns) => {
    // As after a restart: nothing is known of the files.
    const source = { kind: /** @type {const} */ ("files"), glob: `${columns}.${format}`, format };
    return withFreshEngine((fresh) => fresh.columns(source, call()));
  });
  if (format === "parquet") {
    const bare = await (await duckDb.DuckDBInstance.create(":memory:", { threads: "1" })).connect();
    await compare("parquet, the same rows, bare", async (columns) => {
      const names = Array.from({ length: columns }, (_, n) => `c${n}`);
      const result = await bare.stream(
        `select cast(json_object(${names.map((name) => `'${name}', ${name}`).join(", ")}) as varchar) from (select * from '${dataFolder}/${columns}.parquet' limit ${pageValues / columns})`,
      );
      for (let chunk = await result.fetchChunk(); chunk !== null && chunk.rowCount > 0;) chunk = await result.fetchChunk();
    });
    bare.closeSync();
  }
  /** @type {Map<number, QueryableDataset>} */
  const datasets = new Map();
  for (const { columns } of shapes) datasets.set(columns, await datasetOf(columns, format));
  for (const { what, run } of cases) {
    await compare(`${format}, ${what}`, (columns) => {
      const dataset = datasets.get(columns);
      if (dataset === undefined) throw new Error("no dataset");
      return run(dataset);
    });
  }
}
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
await engine.close();
await rm(folder, { recursive: true });

/** @param {(engine: import("@fairway/gateway/query/duckdb/engine").DuckDbEngine) => Promise<unknown>} work */
async function withFreshEngine(work) {
  const fresh = await openEngine();
  try {
    await work(fresh);
  } finally {
    await fresh.close();
  }
}
