// @ts-check
// `node bench/distributions.mjs` after a build: what the extras of a search cost (rows over time, pictures of columns, the count beside
// Search, new rows of recent searches, values that fill a graph's groups) on the dataset of 20 million positions, alternately with statements written by hand
// that answer the same in the same version of DuckDB. The target is 1.3 times as long. `--only=TEXT` measures the cases with this text.
import { loadavg } from "node:os";
import { openPositions } from "./lib/positions-engine.mjs";
import { positionsSpan } from "./positions.mjs";
import { compareInTurns } from "./lib/turns.mjs";

const maxRatio = 1.3;
const { engine, dataset, file, rows, close } = await openPositions();
const { signal } = new AbortController();
const call = { signal, owner: "bench" };
const dayMs = 86_400_000;
/** Another span in each turn. */
const spanOf = (/** @type {number} */ turn, /** @type {number} */ days) => {
  const startMs = Date.UTC(2025, 0, 10) + (turn % 200) * dayMs;
  return { startMs, endMs: startMs + days * dayMs - 1 };
};
/** @param {{ startMs: number, endMs: number }} span */
const queryOf = (span) => ({
  timeRange: { column: "at", type: /** @type {const} */ ("TIMESTAMP_MILLS"), ...span },
  area: null,
  conditions: [],
});
const fromOf = (/** @type {{ startMs: number, endMs: number }} */ { startMs, endMs }) =>
  `from read_parquet('${file}') where "at" >= make_timestamp_ms(${startMs}) and "at" < make_timestamp_ms(${endMs + 1})`;
/** What a recent search counts: everything after the newest row of its last run, without an end. */
const newSinceMs = positionsSpan.endMs - dayMs / 2;
const farMs = Date.UTC(9999, 11, 31);
const names = dataset.columns.map(({ name }) => name);
/** Above so many rows, values are counted in a sample. */
const sampledRows = 500_000;

/** @type {readonly { what: string, ours: (turn: number) => Promise<number>, theirs: (turn: number) => Promise<number> }[]} */
const cases = [
  {
    what: "rows over time, a month",
    ours: async (turn) => {
      const { buckets } = await engine.timeDistribution(dataset, queryOf(spanOf(turn, 30)), call);
      return buckets.reduce((sum, bucket) => sum + bucket.rows, 0);
    },
    theirs: async (turn) => {
      const found = await rows(
        `select time_bucket(interval 12 hour, "at") as bucket, count(*) ${fromOf(spanOf(turn, 30))} group by bucket order by bucket`,
      );
      return found.reduce((sum, [, count]) => sum + Number(count), 0);
    },
  },
  {
    what: "rows over time, everything",
    ours: async () => {
      const { buckets } = await engine.timeDistribution(dataset, { timeRange: null, area: null, conditions: [] }, call);
      return buckets.reduce((sum, bucket) => sum + bucket.rows, 0);
    },
    theirs: async () => {
      const found = await rows(
        `select time_bucket(interval 7 day, "at") as bucket, count(*) from read_parquet('${file}') group by bucket order by bucket`,
      );
      return found.reduce((sum, [, count]) => sum + Number(count), 0);
    },
  },
  {
    what: `pictures of ${names.length} columns, a month`,
    ours: async (turn) => (await engine.columnDistributions(dataset, dataset.columns, queryOf(spanOf(turn, 30)), call)).rows,
    theirs: async (turn) => {
      const from = fromOf(spanOf(turn, 30));
      const figures = names.map((name) => `count("${name}"), min("${name}"), max("${name}"), approx_count_distinct("${name}")`);
      const [[count] = []] = await rows(`select count(*), ${figures.join(", ")} ${from}`);
      await rows(`
        with keyed as (select status, port, speed, hazardous, least(19, vessel // 2000) as vessels,
            least(19, (epoch_ms("at") - ${spanOf(turn, 30).startMs}) // 129600000) as times,
            least(19, floor((latitude + 70) / 7.5)) as latitudes, least(19, floor((longitude + 180) / 18)) as longitudes
            from (select * ${from} using sample reservoir(${sampledRows} rows)))
        select status, port, speed, hazardous, vessels, times, latitudes, longitudes, count(*) from keyed
          group by grouping sets ((status), (port), (speed), (hazardous), (vessels), (times), (latitudes), (longitudes))`);
      return Number(count);
    },
  },
  {
    what: "count beside Search, a month and a filter",
    ours: async (turn) => {
      const conditions = [
        { column: "status", type: /** @type {const} */ ("STRING"), operator: /** @type {const} */ ("<>"), value: "moored" },
      ];
      const query = { ...queryOf(spanOf(turn, 30)), conditions };
      return Number((await engine.aggregate(dataset, [{ type: "count", column: "*" }], [], query, call))[0]?.[0]);
    },
    theirs: async (turn) =>
      Number((await rows(`select count(*) ${fromOf(spanOf(turn, 30))} and (status <> 'moored' or status is null)`))[0]?.[0]),
  },
  {
    what: "new rows of a recent search, half a day at the end",
    ours: async () => {
      const query = { ...queryOf({ startMs: newSinceMs, endMs: farMs }), conditions: [] };
      return Number((await engine.aggregate(dataset, [{ type: "count", column: "*" }], [], query, call))[0]?.[0]);
    },
    theirs: async () =>
      Number((await rows(`select count(*) from read_parquet('${file}') where "at" >= make_timestamp_ms(${newSinceMs})`))[0]?.[0]),
  },
  {
    what: "top values of a column, a month",
    ours: async (turn) => Number((await engine.profile(dataset, "port", queryOf(spanOf(turn, 30)), call)).top[0]?.rows),
    theirs: async (turn) => {
      const from = fromOf(spanOf(turn, 30));
      await rows(`select count(*), count(port), approx_count_distinct(port), min(port), max(port) ${from}`);
      return Number(
        (await rows(`select port, count(*) as n ${from} and port is not null group by port order by n desc, port limit 10`))[0]?.[1],
      );
    },
  },
];

const only = process.argv.find((argument) => argument.startsWith("--only="))?.slice("--only=".length) ?? "";
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
for (const { what, ours, theirs } of cases.filter((one) => one.what.includes(only))) {
  // Both must find the same before they are timed, which warms up both as well.
  for (let turn = 0; turn < 2; turn++) {
    const [one, other] = [await ours(turn), await theirs(turn)];
    if (one !== other) throw new Error(`${what}: the engine found ${one}, and the statement by hand ${other}`);
  }
  const { ours: ms, theirs: bareMs, ratio, spread } = await compareInTurns({ rounds: 5, turns: 3 }, ours, theirs);
  const ratios = spread.map((one) => one.toFixed(2)).join(" to ");
  console.log(
    `${what}: ${ms.toFixed(0)} ms, by hand ${bareMs.toFixed(0)} ms, ratio ${ratio.toFixed(2)} (${ratios}), ${ratio <= maxRatio ? "within" : "beyond"} ${maxRatio}`,
  );
}
console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
await close();
