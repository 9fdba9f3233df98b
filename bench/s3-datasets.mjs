// @ts-check
// `node bench/s3-datasets.mjs` after `npm run build`: a dataset on S3, with and without copies of its files, compared with the same files
// in the data folder. Needs versitygw, see docs/decisions/0310. Prints medians in milliseconds and ratios.
import { mkdir, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { bucketBench } from "@fairway/gateway/query/bucket/test-bucket";
import { S3Server, s3Program } from "@fairway/gateway/testing/s3-server";
import { duckDb, s3 } from "./lib/gateway-modules.mjs";
import { median } from "./lib/statistics.mjs";
import { compareInTurns } from "./lib/turns.mjs";

/** @typedef {import("@fairway/gateway/query/engine").QueryEngine} Engine */
/** @typedef {import("@fairway/gateway/query/engine").QueryableDataset} Dataset */

const files = 8;
const rowsPerFile = 500_000;
const day = 86_400_000;
const startMs = Date.UTC(2024, 0, 1);
const call = { signal: new AbortController().signal, owner: "bench" };
const all = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 25 };
const slow = /** @type {const} */ ({ column: "speed", type: "decimal", operator: "<", value: 3 });

/** @type {Readonly<Record<string, (engine: Engine, dataset: Dataset) => Promise<unknown>>>} */
const questions = {
  "page of 25 rows": async (engine, dataset) => {
    const { chunks } = await engine.search(dataset, { ...all, conditions: [slow], sort: [{ column: "at", direction: "desc" }] }, call);
    let text = "";
    for await (const chunk of chunks) text += chunk;
    return text;
  },
  count: (engine, dataset) => engine.aggregate(dataset, [{ type: "count", column: "*" }], [], { ...all, conditions: [slow] }, call),
  "graph of 30 days": (engine, dataset) => {
    const groups = Array.from({ length: 30 }, (_, index) => ({
      timeRange: {
        column: "at",
        type: /** @type {const} */ ("TIMESTAMP_MILLS"),
        startMs: startMs + index * day,
        endMs: startMs + (index + 1) * day - 1,
      },
      conditions: [],
    }));
    return engine.aggregate(dataset, [{ type: "avg", column: "speed" }], groups, all, call);
  },
};

/**
 * @param {string} glob
 * @returns {Dataset}
 */
const dataset = (glob) => ({
  category: "Bench",
  id: "positions",
  source: { kind: "files", glob, format: "parquet" },
  columns: [
    { name: "at", type: "TIMESTAMP_MILLS" },
    { name: "vessel", type: "STRING" },
    { name: "speed", type: "decimal" },
  ],
  temporalField: "at",
  location: null,
  orderBy: [{ column: "at", direction: "desc" }],
  ownConditions: [],
  features: new Set(["SAMPLE", "PAGINATION", "COUNT"]),
});

if (s3Program === undefined) throw new Error("versitygw is not installed, see docs/decisions/0310");
const server = await S3Server.start(s3Program);
const bucket = await server.createBucket();
const open = () => bucketBench({ settings: server.settings(), address: server.address, allowed: [bucket] });
const bench = await open();
try {
  const folder = join(bench.local.folder, "positions");
  await mkdir(folder, { recursive: true });
  const connection = await (await duckDb.DuckDBInstance.create(":memory:")).connect();
  for (let file = 0; file < files; file++) {
    await connection.run(`copy (
      select timestamp '2024-01-01' + ((i * 0.65) * interval '1 second') as at, 'vessel ' || (i % 997) as vessel, round(random() * 30, 2) as speed
      from range(${file * rowsPerFile}, ${(file + 1) * rowsPerFile}) t(i)
    ) to '${folder}/part-${file}.parquet' (format parquet, compression zstd)`);
  }
  let bytes = 0;
  for (const name of await readdir(folder)) {
    const Body = await readFile(join(folder, name));
    bytes += Body.length;
    await server.client.send(new s3.PutObjectCommand({ Bucket: bucket, Key: `positions/${name}`, Body }));
  }
  console.log(`${files} files, ${(bytes / 1e6).toFixed(0)} MB, ${(files * rowsPerFile).toLocaleString("en-US")} rows`);
  const [local, remote] = [dataset("positions/*.parquet"), dataset(`s3://${bucket}/positions/*.parquet`)];
  for (const [question, ask] of Object.entries(questions)) {
    const ours = () => ask(bench.engine, remote);
    const theirs = () => ask(bench.local.engine, local);
    requireSame(question, await ours(), await theirs());
    const warm = await compareInTurns({ rounds: 3, turns: 8 }, ours, theirs);
    const cold = { ours: await coldTimes(ask, remote), theirs: warm.theirs };
    console.log(
      `${question}: warm ${warm.ours.toFixed(1)}, local ${warm.theirs.toFixed(1)}, ratio ${warm.ratio.toFixed(2)} (${warm.spread.map((one) => one.toFixed(2)).join(" to ")}); cold ${cold.ours.toFixed(0)}, ratio ${(cold.ours / cold.theirs).toFixed(1)}`,
    );
  }
} finally {
  await bench.close();
  await server.stop();
}

/**
 * Sums of decimals depend on the order of the threads in their last digits.
 * @param {string} question
 * @param {unknown} ours
 * @param {unknown} theirs
 */
function requireSame(question, ours, theirs) {
  const texts = [ours, theirs].map((answer) =>
    JSON.stringify(answer, (_, value) => (typeof value === "number" ? value.toFixed(6) : value)),
  );
  if (texts[0] !== texts[1]) throw new Error(`${question}: another answer`);
}

/**
 * The median of three engines whose caches are empty.
 * @param {(engine: Engine, dataset: Dataset) => Promise<unknown>} ask
 * @param {Dataset} remote
 */
async function coldTimes(ask, remote) {
  const times = [];
  for (let turn = 0; turn < 3; turn++) {
    const fresh = await open();
    const started = performance.now();
    await ask(fresh.engine, remote);
    times.push(performance.now() - started);
    await fresh.close();
    await rm(fresh.cacheFolder, { recursive: true, force: true });
  }
  return median(times);
}
