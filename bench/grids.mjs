// @ts-check
// Rows per cell of the map over HTTP, compared with counting the same rows, and with the same grouping written by hand, in DuckDB alone.
import { Caller, expectOk } from "./lib/caller.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { positionsSpan } from "./positions.mjs";
import { openDuckDb } from "./searches.mjs";

const path = "/datasets/Measurements/positions/grid";
const positions = `read_parquet('${dataFolder}/measurements/positions/rows.parquet')`;

/** A tenth of the positions, which lie evenly between 70° S and 80° N. */
const box = { west: -90, south: -20, width: 120, height: 45 };
const level = 9;
const cells = 2 ** level;

/**
 * Every turn asks for other rows, because the gateway keeps answers.
 * @param {number} turn
 * @param {number} share of the rows
 */
function timeRange(turn, share) {
  const endMs = positionsSpan.startMs + Math.round((positionsSpan.endMs - positionsSpan.startMs) * share) - turn * 1000;
  const [start, end] = [positionsSpan.startMs, endMs].map((ms) => new Date(ms).toISOString());
  return { body: { start, end }, sql: `"at" between timestamp '${start?.replace("Z", "")}' and timestamp '${end?.replace("Z", "")}'` };
}

/** The grid's own expression. */
const cell = `greatest(0, least(${cells - 1}, ${cells / 2 - 1} - cast(floor(ln((1 + sin(radians(clamped))) / (1 - sin(radians(clamped)))) * ${cells} / ${4 * Math.PI}) as bigint))) * ${cells}
  + (cast(floor(longitude * ${cells} / 360) as bigint) + ${cells / 2}) % ${cells}`;
/** @param {string} where */
const grouped = (where) =>
  `select ${cell} as cell, count(*) from (select longitude, greatest(-85.0511287798066, least(85.0511287798066, latitude)) as clamped from ${positions} where ${where}) group by 1 order by 1`;

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "grids",
    title: "Every row on the map",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      for (const [name, share] of /** @type {const} */ ([
        ["3 million", 0.15],
        ["20 million", 1],
      ])) {
        const { west, south, width, height } = box;
        const within = [west, south, west + width, south + height];
        const isWithin = `longitude >= ${west} and longitude < ${west + width} and latitude >= ${south} and latitude < ${south + height}`;
        /** @param {number} turn @param {object} more */
        const ask = async (turn, more) =>
          expectOk(await caller.call("POST", path, { timeRange: timeRange(turn, share).body, level, ...more }));
        /** @param {string} statement */
        const byHand = async (statement) => (await connection.run(statement)).getRows();
        await ask(0, { within });
        const counted = await compareInTurns(
          { rounds: many(3), turns: many(6, 2) },
          (turn) => ask(turn + 1, { within }),
          (turn) => byHand(`select count(*) from ${positions} where ${isWithin} and ${timeRange(turn + 1, share).sql}`),
        );
        rows.push([name, "a tenth of the rows, by their count", ...compared(counted), verdict(counted.ours <= 1.5 * counted.theirs + 10)]);
        const world = await compareInTurns(
          { rounds: many(3), turns: many(6, 2) },
          (turn) => ask(turn + 1, {}),
          (turn) => byHand(grouped(timeRange(turn + 1, share).sql)),
        );
        rows.push([name, "the world, by the same grouping", ...compared(world), verdict(world.ours <= 1.3 * world.theirs)]);
        const few = { within: [10, 10, 10.5, 10.5], level: 17, rows: 5000, values: ["vessel", "speed"] };
        const single = await compareInTurns(
          { rounds: many(3), turns: many(6, 2) },
          (turn) => ask(turn + 1, few),
          (turn) =>
            byHand(
              `select "at", latitude, longitude, vessel, speed from ${positions} where longitude >= 10 and longitude < 10.5 and latitude >= 10 and latitude < 10.5 and ${timeRange(turn + 1, share).sql} limit 5001`,
            ),
        );
        rows.push([name, "rows of a small view, one by one", ...compared(single), ""]);
      }
      caller.close();
      connection.closeSync();
      return {
        text: "Target: the grid of a box with a tenth of the rows at most 1.5 times its count plus 10 ms, the grid of the world at most 1.3 times the same grouping written by hand. Level 9, no answer is one that was kept.",
        head: ["rows", "question", ...comparedHead("HTTP", "DuckDB"), "target"],
        rows,
      };
    },
  },
];
