// @ts-check
// Twelve panels of a board over some three million of the 20 million positions, six at a time as the web app asks for them, until the
// last is there, compared with the same questions as statements written by hand, six at a time as well.
import { availableParallelism } from "node:os";
import { duckDb } from "./lib/gateway-modules.mjs";
import { openPositions } from "./lib/positions-engine.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { statuses } from "./positions.mjs";

const maxRatio = 1.5;
const callsAtOnce = 6;
const days = 55;
const dayMs = 86_400_000;

const call = { signal: new AbortController().signal, owner: "bench" };

/** @typedef {Awaited<ReturnType<typeof openPositions>>} Positions */

/** Another span in each turn. */
const spanOf = (/** @type {number} */ turn) => {
  const startMs = Date.UTC(2025, 0, 10) + (turn % 200) * dayMs;
  return { startMs, endMs: startMs + days * dayMs - 1 };
};
/** @param {number} turn */
const narrowing = (turn) => ({
  timeRange: { column: "at", type: /** @type {const} */ ("TIMESTAMP_MILLS"), ...spanOf(turn) },
  area: null,
  conditions: [],
});
const fromOf = (/** @type {string} */ file, /** @type {number} */ turn) => {
  const { startMs, endMs } = spanOf(turn);
  return `from read_parquet('${file}') where "at" >= make_timestamp_ms(${startMs}) and "at" < make_timestamp_ms(${endMs + 1})`;
};
/** @param {string} value */
const isStatus = (value) => ({ column: "status", type: /** @type {const} */ ("STRING"), operator: /** @type {const} */ ("="), value });
const count = [{ type: /** @type {const} */ ("count"), column: "*" }];
const speed = (/** @type {"avg" | "max" | "min"} */ type) => [{ type, column: "speed" }];
const groups = statuses.map((status) => ({ timeRange: null, conditions: [isStatus(status)] }));
const weeks = (/** @type {number} */ turn) =>
  Array.from({ length: 8 }, (_, week) => {
    const startMs = spanOf(turn).startMs + week * 7 * dayMs;
    return { timeRange: { ...narrowing(turn).timeRange, startMs, endMs: startMs + 7 * dayMs - 1 }, conditions: [] };
  });

/** @param {Promise<import("@fairway/gateway/query/engine").RowStream>} stream */
async function read(stream) {
  let text = "";
  for await (const chunk of (await stream).chunks) text += chunk;
  return text.length;
}

/**
 * @param {Positions} positions
 * @returns {readonly { ours: (turn: number) => Promise<unknown>, theirs: (turn: number) => string }[]}
 */
function panelsOf({ engine, dataset, file }) {
  const columns = dataset.columns.map(({ name }) => `"${name}"`).join(", ");
  const from = (/** @type {number} */ turn) => fromOf(file, turn);
  return [
    { ours: (turn) => engine.aggregate(dataset, count, [], narrowing(turn), call), theirs: (turn) => `select count(*) ${from(turn)}` },
    {
      ours: (turn) => engine.aggregate(dataset, speed("avg"), [], narrowing(turn), call),
      theirs: (turn) => `select avg(speed) ${from(turn)}`,
    },
    {
      ours: (turn) => engine.aggregate(dataset, speed("max"), [], narrowing(turn), call),
      theirs: (turn) => `select max(speed) ${from(turn)}`,
    },
    {
      ours: (turn) => engine.aggregate(dataset, count, [], { ...narrowing(turn), conditions: [isStatus("aground")] }, call),
      theirs: (turn) => `select count(*) ${from(turn)} and status = 'aground'`,
    },
    {
      ours: (turn) => engine.aggregate(dataset, count, groups, narrowing(turn), call),
      theirs: (turn) => `select status, count(*) ${from(turn)} group by status`,
    },
    {
      ours: (turn) => engine.aggregate(dataset, speed("avg"), groups, narrowing(turn), call),
      theirs: (turn) => `select status, avg(speed) ${from(turn)} group by status`,
    },
    {
      ours: (turn) => engine.aggregate(dataset, count, weeks(turn), narrowing(turn), call),
      theirs: (turn) => `select (epoch_ms("at") - ${spanOf(turn).startMs}) // ${7 * dayMs} as week, count(*) ${from(turn)} group by week`,
    },
    {
      ours: (turn) => engine.timeDistribution(dataset, narrowing(turn), call),
      theirs: (turn) => `select time_bucket(interval 12 hour, "at") as bucket, count(*) ${from(turn)} group by bucket order by bucket`,
    },
    {
      ours: (turn) => engine.profile(dataset, "port", narrowing(turn), call),
      theirs: (turn) => `select port, count(*) as n ${from(turn)} group by port order by n desc limit 10`,
    },
    {
      ours: (turn) =>
        read(engine.search(dataset, { ...narrowing(turn), sort: [{ column: "at", direction: "desc" }], offset: 0, limit: 25 }, call)),
      theirs: (turn) => `select ${columns} ${from(turn)} order by "at" desc limit 25`,
    },
    {
      ours: (turn) =>
        read(engine.search(dataset, { ...narrowing(turn), sort: [{ column: "speed", direction: "desc" }], offset: 0, limit: 25 }, call)),
      theirs: (turn) => `select ${columns} ${from(turn)} order by speed desc limit 25`,
    },
    {
      ours: (turn) => {
        const query = { ...narrowing(turn), conditions: [isStatus("aground")], sort: [], limit: 200_000 };
        return read(engine.maps.latest(dataset, { item: "vessel", time: "at" }, query, call));
      },
      theirs: (turn) =>
        `select arg_max(t, "at") from (select struct_pack(${columns.replaceAll(/("(\w+)")/g, "$2 := $1")}) as t, vessel, "at" ${from(turn)} and status = 'aground') group by vessel`,
    },
  ];
}

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "boards",
    title: "A board",
    needs: [],
    run: async ({ many }) => {
      const positions = await openPositions();
      const bare = await duckDb.DuckDBInstance.create(":memory:", { threads: String(availableParallelism()) });
      const connections = await Promise.all(Array.from({ length: callsAtOnce }, () => bare.connect()));
      const panels = panelsOf(positions);
      const ours = async (/** @type {number} */ turn) => {
        const queue = panels.values();
        const askNext = async () => {
          for (const panel of queue) await panel.ours(turn);
        };
        await Promise.all(connections.map(askNext));
      };
      const theirs = async (/** @type {number} */ turn) => {
        const queue = panels.values();
        const askNext = async (/** @type {import("@duckdb/node-api").DuckDBConnection} */ connection) => {
          for (const panel of queue) await connection.runAndReadAll(panel.theirs(turn));
        };
        await Promise.all(connections.map(askNext));
      };
      const [[rows] = []] = await positions.engine.aggregate(positions.dataset, count, [], narrowing(0), call);
      await ours(0);
      await theirs(0);
      const times = await compareInTurns({ rounds: many(5), turns: many(3) }, ours, theirs);
      for (const connection of connections) connection.closeSync();
      bare.closeSync();
      await positions.close();
      return {
        text: `What twelve panels show of a part of the positions, six at a time, until the last is there, without HTTP; compared with the same questions as statements written by hand, six at a time as well. Target: at most ${maxRatio} times.`,
        head: ["panels", "rows", ...comparedHead("engine", "by hand"), "target"],
        rows: [[panels.length, Number(rows).toLocaleString("en-US"), ...compared(times), verdict(times.ratio <= maxRatio)]],
      };
    },
  },
];
