// @ts-check
// `node bench/engines.mjs` after a build: what the engine of tables adds to a bare Trino, or Presto with `--only=presto`, on the table of
// 20 million rows of `npm run test:engines`. The bare side runs statements written by hand with the few lines of code that the
// protocol takes. On a busy machine the times tell little, so it also counts statements and CPU time, of the server and of this process. It starts the server, or takes a running one with `--url=http://127.0.0.1:8461 --lake=LOCATION`.
import { mkdtemp, open, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defaultLimits } from "@fairway/contract/limits";
import { AddressPolicy } from "@fairway/gateway/outbound/address-policy";
import { openStatementServer } from "@fairway/gateway/query/presto/client/statement-server";
import { PrestoEngine } from "@fairway/gateway/query/presto/engine";
import { linkFiles, sqlLake } from "../scripts/lib/sql-lake.mjs";
import { installSqlServer, startSqlServer } from "../scripts/lib/sql-servers.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("@fairway/gateway/query/engine").SearchQuery} SearchQuery */

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "trino" },
    url: { type: "string" },
    lake: { type: "string", default: "" },
    rounds: { type: "string", default: "5" },
  },
});
const kind = options.only === "presto" ? "presto" : "trino";
await installSqlServer(kind, console.log);
const files = await sqlLake(console.log);
const server = options.url === undefined ? await startSqlServer(kind) : undefined;
if (server) await linkFiles(files, join(server.lake, "fairway"));
const url = options.url ?? server?.url ?? "";
const location = options.lake === "" ? `${server?.locationRoot}/fairway` : options.lake;
const scratch = await mkdtemp(join(tmpdir(), "fairway-bench-engines-"));

/** @param {string} sql */
async function* bare(sql) {
  const headers = { [`x-${kind}-user`]: "bench", [`x-${kind}-time-zone`]: "UTC", [`x-${kind}-source`]: "bare" };
  let response = await fetch(`${url}/v1/statement`, { method: "POST", headers, body: sql });
  for (;;) {
    const answer = /** @type {{ data?: unknown[][], nextUri?: string, error?: { message: string } }} */ (await response.json());
    if (answer.error) throw new Error(answer.error.message);
    if (answer.data) yield answer.data;
    if (answer.nextUri === undefined) return;
    response = await fetch(answer.nextUri);
  }
}

/** @param {string} sql */
async function bareRows(sql) {
  const rows = [];
  for await (const page of bare(sql)) rows.push(...page);
  return rows;
}

const schema = `hive.bench_${process.pid}`;
const time = kind === "trino" ? "timestamp(6)" : "timestamp";
await bareRows(`create schema ${schema}`);
await bareRows(`create table ${schema}.readings (id bigint, "at" ${time}, station varchar, "value" double, quality integer, latitude double,
  longitude double, "day" date) with (format = 'PARQUET', external_location = '${location}/readings', partitioned_by = array['day'])`);
await bareRows(`call hive.system.sync_partition_metadata('${schema.slice("hive.".length)}', 'readings', 'FULL')`);

const addresses = new AddressPolicy(["127.0.0.1"]);
const statements = openStatementServer({ url, source: "bench", user: "bench", asUser: false, addresses, log: console });
const engine = new PrestoEngine({
  server: statements,
  exportFolder: scratch,
  limits: { ...defaultLimits, queryTimeoutMs: 600_000 },
  log: console,
});
/** @type {import("@fairway/gateway/query/engine").QueryableDataset} */
const dataset = {
  category: "Bench",
  id: "readings",
  source: { kind: "table", name: `${schema}.readings` },
  columns: [
    { name: "id", type: "integer" },
    { name: "at", type: "TIMESTAMP_MILLS" },
    { name: "station", type: "STRING" },
    { name: "value", type: "decimal" },
    { name: "quality", type: "integer" },
    { name: "latitude", type: "decimal" },
    { name: "longitude", type: "decimal" },
    { name: "day", type: "TIMESTAMP_SECONDS" },
  ],
  temporalField: "at",
  location: { latitude: "latitude", longitude: "longitude" },
  orderBy: [{ column: "at", direction: "desc" }],
  ownConditions: [],
  features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
};
const call = () => ({ signal: new AbortController().signal, owner: "bench", user: "bench" });
/** @type {SearchQuery} */
const all = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 25 };
const dayMs = 86_400_000;
/** Another day in each turn. */
const dayOf = (/** @type {number} */ turn) => Date.parse("2024-01-05T00:00:00Z") + (turn % 90) * dayMs;
const dateOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10);
/** @returns {SearchQuery["conditions"]} */
const onDay = (/** @type {number} */ turn) => [{ column: "day", type: "TIMESTAMP_SECONDS", operator: "=", value: BigInt(dayOf(turn)) }];
const columns = `id, "at", station, "value", quality, latitude, longitude, "day"`;
const from = (/** @type {number} */ turn) => `from ${schema}.readings where "day" = date '${dateOf(dayOf(turn))}'`;
const hours = (/** @type {number} */ turn) =>
  Array.from({ length: 24 }, (_, hour) => {
    const startMs = dayOf(turn) + hour * 3_600_000;
    return {
      timeRange: { column: "at", type: /** @type {const} */ ("TIMESTAMP_MILLS"), startMs, endMs: startMs + 3_599_999 },
      conditions: [],
    };
  });
/** @param {AsyncIterable<string>} chunks */
async function textOf(chunks) {
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text;
}

/** @type {readonly { what: string, turns: number, ours: (turn: number) => Promise<number>, theirs: (turn: number) => Promise<number> }[]} */
const cases = [
  {
    what: "page of 25 rows of a day, newest first",
    turns: 5,
    ours: async (turn) =>
      JSON.parse(`[${await textOf((await engine.search(dataset, { ...all, conditions: onDay(turn) }, call())).chunks)}]`).length,
    theirs: async (turn) => (await bareRows(`select ${columns} ${from(turn)} order by "at" desc, id limit 25`)).length,
  },
  {
    what: "count of a day",
    turns: 5,
    ours: async (turn) =>
      Number((await engine.aggregate(dataset, [{ type: "count", column: "*" }], [], { ...all, conditions: onDay(turn) }, call()))[0]?.[0]),
    theirs: async (turn) => Number((await bareRows(`select count(*) ${from(turn)}`))[0]?.[0]),
  },
  {
    what: "graph of a day: rows and average by hour",
    turns: 5,
    ours: async (turn) => {
      const aggregations = /** @type {const} */ ([
        { type: "count", column: "*" },
        { type: "avg", column: "value" },
      ]);
      return (await engine.aggregate(dataset, aggregations, hours(turn), { ...all, conditions: onDay(turn) }, call())).length;
    },
    // With the time range, which the groups mean: the servers translate its test for each new range.
    theirs: async (turn) => {
      const range = `"at" >= timestamp '${dateOf(dayOf(turn))} 00:00:00' and "at" < timestamp '${dateOf(dayOf(turn + 1))} 00:00:00'`;
      return (await bareRows(`select date_trunc('hour', "at"), count(*), avg("value") ${from(turn)} and ${range} group by 1`)).length;
    },
  },
  {
    what: "export of a day, 200,000 rows, as JSON",
    turns: 2,
    ours: async (turn) => {
      const path = join(scratch, `ours-${turn}.json`);
      const target = { format: /** @type {const} */ ("json"), path, csvColumns: [], onRows: () => {} };
      const rows = await engine.export(dataset, { ...all, conditions: onDay(turn), limit: 10_000_000 }, target, call());
      await rm(path);
      return rows;
    },
    theirs: async (turn) => {
      const path = join(scratch, `theirs-${turn}.json`);
      const file = await open(path, "wx");
      let rows = 0;
      for await (const page of bare(`select ${columns} ${from(turn)} order by "at" desc, id`)) {
        await file.write(page.map((row) => `${JSON.stringify(row)}\n`).join(""));
        rows += page.length;
      }
      await file.close();
      await rm(path);
      return rows;
    },
  },
];

/** @typedef {{ queryId: string, session: { source?: string }, queryStats: { totalCpuTime: string } }} ServerQuery */
const unitMs = /** @type {Readonly<Record<string, number>>} */ ({ ns: 1e-6, us: 1e-3, ms: 1, s: 1_000, m: 60_000 });

/** @returns {Promise<readonly ServerQuery[]>} */
async function serverQueries() {
  return /** @type {ServerQuery[]} */ (await (await fetch(`${url}/v1/query`, { headers: { [`x-${kind}-user`]: "bench" } })).json());
}

/**
 * How many statements these are for each of some turns, and the server's CPU time.
 * @param {readonly ServerQuery[]} queries
 * @param {number} turns
 */
function costOf(queries, turns) {
  const cpuMs = queries.reduce((sum, { queryStats }) => {
    const [, value, unit = "ms"] = /^([\d.]+)(\D+)$/.exec(queryStats.totalCpuTime) ?? [];
    return sum + Number(value) * (unitMs[unit] ?? 1);
  }, 0);
  return { statements: (queries.length / turns).toFixed(1), cpuMs: (cpuMs / turns).toFixed(0) };
}

/**
 * Adds up the CPU time that calls take in this process.
 * @param {(turn: number) => Promise<number>} run
 */
function metered(run) {
  const meter = { ms: 0, run: (/** @type {number} */ turn) => Promise.resolve(turn) };
  meter.run = async (turn) => {
    const before = process.cpuUsage();
    const found = await run(turn);
    const { user, system } = process.cpuUsage(before);
    meter.ms += (user + system) / 1_000;
    return found;
  };
  return meter;
}

console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
for (const { what, turns, ours, theirs } of cases) {
  // Both must find the same before they are timed, which warms up both as well.
  for (let turn = 0; turn < 3; turn++) {
    const [one, other] = [await ours(turn), await theirs(turn)];
    if (one !== other) throw new Error(`${what}: the engine found ${one}, and the statement by hand ${other}`);
  }
  const before = new Set((await serverQueries()).map(({ queryId }) => queryId));
  const [our, their] = [metered(ours), metered(theirs)];
  const rounds = Number(options.rounds);
  const { ours: ms, theirs: bareMs, spread } = await compareInTurns({ rounds, turns }, our.run, their.run);
  const added = (await serverQueries()).filter(({ queryId }) => !before.has(queryId));
  // The engine names the portal and the user.
  const [ourCost, theirCost] = ["bench/bench", "bare"].map((source) =>
    costOf(
      added.filter(({ session }) => session.source === source),
      rounds * turns,
    ),
  );
  const isWithin = ms <= bareMs * 1.2 + 20;
  const ratios = spread.map((ratio) => ratio.toFixed(2)).join(" to ");
  console.log(
    `${what}: ${ms.toFixed(0)} ms, bare ${bareMs.toFixed(0)} ms, ratio ${(ms / bareMs).toFixed(2)} (${ratios}), ${isWithin ? "within" : "beyond"} 1.2 × + 20 ms`,
  );
  const perTurn = (/** @type {{ ms: number }} */ meter) => (meter.ms / rounds / turns).toFixed(0);
  console.log(
    `  statements ${ourCost?.statements} and ${theirCost?.statements}; server CPU ${ourCost?.cpuMs} and ${theirCost?.cpuMs} ms; CPU here ${perTurn(our)} and ${perTurn(their)} ms`,
  );
}
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
await bareRows(`drop table ${schema}.readings`);
await bareRows(`drop schema ${schema}`);
await engine.close();
await server?.stop();
await rm(scratch, { recursive: true, force: true });
