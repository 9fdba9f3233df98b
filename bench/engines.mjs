// @ts-check
// The same questions about a day of some hundred thousand rows to engines over other sources than files: a bucket, compared with the
// same files in the data folder, and tables of Trino and Presto, compared with statements written by hand. Without the portal's HTTP.
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultLimits } from "@fairway/contract/limits";
import { AddressPolicy } from "@fairway/gateway/outbound/address-policy";
import { bucketBench } from "@fairway/gateway/query/bucket/test-bucket";
import { openStatementServer } from "@fairway/gateway/query/presto/client/statement-server";
import { PrestoEngine } from "@fairway/gateway/query/presto/engine";
import { Scope } from "@fairway/gateway/query/scope";
import { S3Server } from "@fairway/gateway/testing/s3-server";
import { linkFiles, sqlLake } from "../scripts/lib/sql-lake.mjs";
import { installSqlServer, runStatement, startSqlServer } from "../scripts/lib/sql-servers.mjs";
import { s3 } from "./lib/gateway-modules.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("@fairway/gateway/query/engine").QueryEngine} Engine */
/** @typedef {import("@fairway/gateway/query/engine").QueryableDataset} Dataset */
/** Answers a question about a day, and resolves with what the other side has to find as well. */
/** @typedef {(question: Question, turn: number) => Promise<number>} Asker */
/** @typedef {{ what: string, ask: (engine: Engine, dataset: Dataset, query: ReturnType<typeof within>) => Promise<number>, sql: (rows: string) => string, found: (rows: unknown[][]) => number }} Question `sql`: by hand */

const dayMs = 86_400_000;
const firstDayMs = Date.UTC(2024, 0, 5);
const days = 5;
const dayOf = (/** @type {number} */ turn) => firstDayMs + (turn % days) * dayMs;
const dateOf = (/** @type {number} */ ms) => new Date(ms).toISOString().slice(0, 10);
const call = () => ({ signal: new AbortController().signal, owner: "bench", user: "bench" });
const between = (/** @type {number} */ startMs, /** @type {number} */ ms) =>
  /** @type {const} */ ({ column: "at", type: "TIMESTAMP_MILLS", startMs, endMs: startMs + ms - 1 });

/** @type {readonly Question[]} */
const questions = [
  {
    what: "page of 25 rows, newest first",
    ask: async (engine, dataset, narrowed) => {
      const query = { ...narrowed, sort: [{ column: "at", direction: /** @type {const} */ ("desc") }], offset: 0, limit: 25 };
      let text = "";
      for await (const chunk of (await engine.search(dataset, query, call())).chunks) text += chunk;
      return JSON.parse(`[${text}]`).length;
    },
    sql: (rows) => `select id, "at", station, "value", quality, latitude, longitude ${rows} order by "at" desc, id limit 25`,
    found: (rows) => rows.length,
  },
  {
    what: "count",
    ask: async (engine, dataset, narrowed) =>
      Number((await engine.aggregate(dataset, [{ type: "count", column: "*" }], [], narrowed, call()))[0]?.[0]),
    sql: (rows) => `select count(*) ${rows}`,
    found: (rows) => Number(rows[0]?.[0]),
  },
  {
    what: "graph of 24 hours, rows and average",
    ask: async (engine, dataset, narrowed) => {
      const { startMs } = narrowed.timeRange;
      const hours = Array.from({ length: 24 }, (_, hour) => ({
        timeRange: between(startMs + hour * 3_600_000, 3_600_000),
        conditions: [],
      }));
      const aggregations = /** @type {const} */ ([
        { type: "count", column: "*" },
        { type: "avg", column: "value" },
      ]);
      return (await engine.aggregate(dataset, aggregations, hours, narrowed, call())).length;
    },
    sql: (rows) => `select date_trunc('hour', "at"), count(*), avg("value") ${rows} group by 1`,
    found: (rows) => rows.length,
  },
];

/** @type {(startMs: number, conditions?: import("@fairway/gateway/query/engine").SearchQuery["conditions"]) => { timeRange: ReturnType<typeof between>, area: null, conditions: import("@fairway/gateway/query/engine").SearchQuery["conditions"] }} */
const within = (startMs, conditions = []) => ({ timeRange: between(startMs, dayMs), area: null, conditions });

/** @type {(glob: string) => Dataset["source"]} */
const parquet = (glob) => ({ kind: "files", glob, format: "parquet" });

/** @type {(source: Dataset["source"]) => Dataset} */
const readings = (source) => ({
  category: "Bench",
  id: "readings",
  source,
  columns: [
    { name: "id", type: "integer" },
    { name: "at", type: "TIMESTAMP_MILLS" },
    { name: "station", type: "STRING" },
    { name: "value", type: "decimal" },
    { name: "quality", type: "integer" },
    { name: "latitude", type: "decimal" },
    { name: "longitude", type: "decimal" },
  ],
  temporalField: "at",
  location: { latitude: "latitude", longitude: "longitude" },
  orderBy: [{ column: "at", direction: "desc" }],
  scope: Scope.whole,
  ownConditions: [],
  features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
});

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "bucketSearches",
    title: "Searching files in a bucket",
    needs: ["s3"],
    run: async ({ s3: program, many }) => {
      const lake = await sqlLake(console.log);
      const server = await S3Server.start(program);
      const bucket = await server.createBucket();
      const bench = await bucketBench({ settings: server.settings(), address: server.address, allowed: [bucket] });
      try {
        const folder = join(bench.local.folder, "readings");
        await mkdir(folder, { recursive: true });
        for (let turn = 0; turn < days; turn++) {
          const partition = join(lake, "readings", `day=${dateOf(dayOf(turn))}`);
          for (const name of await readdir(partition)) {
            const [Body, file] = [await readFile(join(partition, name)), `${turn}-${name}`];
            await writeFile(join(folder, file), Body);
            await server.client.send(new s3.PutObjectCommand({ Bucket: bucket, Key: `readings/${file}`, Body }));
          }
        }
        const [remote, local] = [readings(parquet(`s3://${bucket}/readings/*.parquet`)), readings(parquet("readings/*.parquet"))];
        return {
          text: "Five days of 200,000 rows each, which the gateway has fetched before, compared with the same files in the data folder. Target: at most 1.5 times plus 20 ms.",
          head: ["question about a day", ...comparedHead("bucket", "folder"), "target"],
          rows: await compareAnswers(
            many,
            1.5,
            ({ ask }, turn) => ask(bench.engine, remote, within(dayOf(turn))),
            ({ ask }, turn) => ask(bench.local.engine, local, within(dayOf(turn))),
          ),
        };
      } finally {
        await bench.close();
        await server.stop();
      }
    },
  },
  .../** @type {const} */ (["trino", "presto"]).map((kind) => ({
    name: `${kind}Searches`,
    title: `Searching tables of ${kind === "trino" ? "Trino" : "Presto"}`,
    needs: [kind],
    run: async (/** @type {import("./run.mjs").Context} */ { many }) => ({
      text: "A table of 20 million rows in partitions of a day, compared with statements written by hand, sent with the few lines of code that the protocol takes. Target: at most 1.2 times plus 20 ms.",
      head: ["question about a day", ...comparedHead("engine", "bare"), "target"],
      rows: await searchTables(kind, many),
    }),
  })),
];

/** @param {"trino" | "presto"} kind @param {import("./run.mjs").Context["many"]} many */
async function searchTables(kind, many) {
  await installSqlServer(kind, console.log);
  const lake = await sqlLake(console.log);
  const server = await startSqlServer(kind);
  const scratch = await mkdtemp(join(tmpdir(), "fairway-bench-engines-"));
  try {
    await linkFiles(lake, join(server.lake, "fairway"));
    const { url } = server;
    const bare = (/** @type {string} */ sql) => runStatement(server, sql, { user: "bench" });
    const schema = `hive.bench_${process.pid}`;
    await bare(`create schema ${schema}`);
    await bare(`create table ${schema}.readings (id bigint, "at" ${kind === "trino" ? "timestamp(6)" : "timestamp"}, station varchar,
      "value" double, quality integer, latitude double, longitude double, "day" date)
      with (format = 'PARQUET', external_location = '${server.locationRoot}/fairway/readings', partitioned_by = array['day'])`);
    await bare(`call hive.system.sync_partition_metadata('${schema.slice("hive.".length)}', 'readings', 'FULL')`);
    const addresses = new AddressPolicy(["127.0.0.1"]);
    const engine = new PrestoEngine({
      server: openStatementServer({ url, source: "bench", user: "bench", asUser: false, addresses, log: console }),
      exportFolder: scratch,
      limits: { ...defaultLimits, queryTimeoutMs: 600_000 },
      log: console,
    });
    const table = readings({ kind: "table", name: `${schema}.readings` });
    const dataset = { ...table, columns: [...table.columns, /** @type {const} */ ({ name: "day", type: "TIMESTAMP_SECONDS" })] };
    try {
      return await compareAnswers(
        many,
        1.2,
        // With the partition of the day, which a required filter asks for.
        ({ ask }, turn) => {
          const value = BigInt(dayOf(turn));
          return ask(engine, dataset, within(dayOf(turn), [{ column: "day", type: "TIMESTAMP_SECONDS", operator: "=", value }]));
        },
        async ({ sql, found }, turn) => {
          const [start, end] = [dayOf(turn), dayOf(turn) + dayMs].map((ms) => `timestamp '${dateOf(ms)} 00:00:00'`);
          const rows = `from ${schema}.readings where "day" = date '${dateOf(dayOf(turn))}' and "at" >= ${start} and "at" < ${end}`;
          return found(await bare(sql(rows)));
        },
      );
    } finally {
      await engine.close();
    }
  } finally {
    await server.stop();
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * @param {import("./run.mjs").Context["many"]} many
 * @param {number} maxRatio
 * @param {Asker} ours
 * @param {Asker} theirs
 */
async function compareAnswers(many, maxRatio, ours, theirs) {
  const rows = [];
  for (const question of questions) {
    const { what } = question;
    // Both must find the same before they are timed, which warms up both as well.
    for (let turn = 0; turn < days; turn++) {
      const [one, other] = [await ours(question, turn), await theirs(question, turn)];
      if (one !== other) throw new Error(`${what}: the engine found ${one}, and the other side ${other}`);
    }
    const turns = { rounds: many(5), turns: many(8, 3) };
    const times = await compareInTurns(
      turns,
      (turn) => ours(question, turn),
      (turn) => theirs(question, turn),
    );
    rows.push([what, ...compared(times), verdict(times.ours <= maxRatio * times.theirs + 20)]);
  }
  return rows;
}
