// @ts-check
// Rows per cell of the map and tracks over HTTP, compared with counting the same rows, and with the same grouping written by hand, in
// DuckDB alone.
import { request } from "node:http";
import { Caller, expectOk } from "./lib/caller.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { compared, comparedHead, ms, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { positionsSpan } from "./positions.mjs";
import { openDuckDb } from "./searches.mjs";

const path = "/datasets/Measurements/positions/grid";
const positions = `read_parquet('${dataFolder}/measurements/positions/rows.parquet')`;

/** A tenth of the positions, which lie evenly between 70° S and 80° N. */
const box = { west: -90, south: -20, width: 120, height: 45 };
const level = 9;

/** 512 by 512 cells of level 10, nearly all of which have rows. */
const fullBox = [-90, -66.5, 89.9, 66.5];

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

/** The weeks of all positions. */
const weeks = { unit: "week", size: 1, startMs: Date.UTC(2024, 11, 30), endMs: positionsSpan.endMs };

/**
 * The grid's own expression.
 * @param {number} at a level
 */
const cellsOf = (at) => {
  const count = 2 ** at;
  return `greatest(0, least(${count - 1}, ${count / 2 - 1} - cast(floor(ln((1 + sin(radians(clamped))) / (1 - sin(radians(clamped)))) * ${count} / ${4 * Math.PI}) as bigint))) * ${count}
  + (cast(floor(longitude * ${count} / 360) as bigint) + ${count / 2}) % ${count}`;
};
const clamped = `(select "at", longitude, greatest(-85.0511287798066, least(85.0511287798066, latitude)) as clamped from ${positions})`;
/** @param {string} where */
const grouped = (where) => `select ${cellsOf(level)} as cell, count(*) from ${clamped} where ${where} group by 1 order by 1`;

/**
 * Tracks of 50 vessels, and of all 40,000, of which those seen last are included: by the operator's limits, 100,000 points together and
 * 20 to 500 for each.
 */
const trackCases = [
  { name: "50 vessels", filters: [{ name: "vessel", operator: "<", value: 50 }], where: "vessel < 50", parts: 500, vessels: 50 },
  { name: "the 5,000 of 40,000 seen last", filters: [], where: "true", parts: 20, vessels: 5_000 },
];

/** The first position of each part of a vessel's time. @param {typeof trackCases[number]} tracks @param {string} time */
const tracksByHand = ({ where, parts: count, vessels }, time) => `
  with placed as (select vessel, "at", epoch_ms("at")::double as moment, latitude, longitude from ${positions} where ${where} and ${time}),
    spans as (select vessel, min(moment) as first_at, max(moment) as last_at from placed group by 1 order by last_at desc, vessel limit ${vessels})
  select vessel, min("at"), min_by(latitude, "at"), min_by(longitude, "at") from placed join spans using (vessel)
    group by vessel, floor((moment - first_at) / (last_at - first_at) * ${count})`;

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
        const played = await compareInTurns(
          { rounds: many(2), turns: many(3, 2) },
          (turn) => ask(turn + 1, { level: 6, time: weeks }),
          (turn) =>
            byHand(`select cell, date_trunc('week', "at") as week, count(*) from (
              select "at", ${cellsOf(6)} as cell from ${clamped} where ${timeRange(turn + 1, share).sql}) group by 1, 2 order by 1, 2`),
        );
        rows.push([name, "the world in weeks, by the same grouping", ...compared(played), ""]);
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
  {
    name: "tracks",
    title: "Tracks on the map",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      for (const tracks of trackCases) {
        const ask = async (/** @type {number} */ turn) => {
          const search = { timeRange: timeRange(turn, 1).body, filters: tracks.filters };
          const answer = await caller.call("POST", "/datasets/Measurements/positions/search/tracks", search);
          return JSON.parse(expectOk(answer).text).results.length;
        };
        const byHand = async (/** @type {number} */ turn) => (await connection.run(tracksByHand(tracks, timeRange(turn, 1).sql))).getRows();
        const [ours, theirs] = [await ask(0), (await byHand(0)).length];
        if (ours !== theirs) throw new Error(`${tracks.name}: the gateway returned ${ours} points, but DuckDB ${theirs}`);
        const times = await compareInTurns(
          { rounds: many(3), turns: many(6, 2) },
          (turn) => ask(turn + 1),
          (turn) => byHand(turn + 1),
        );
        rows.push([tracks.name, ours.toLocaleString("en-US"), ...compared(times)]);
      }
      caller.close();
      connection.closeSync();
      return {
        text: "Tracks of 20 million positions, compared with the same grouping written by hand. DuckDB then reads the rows once and holds them in memory; the portal reads them twice and holds only the groups.",
        head: ["tracks", "points", ...comparedHead("HTTP", "DuckDB")],
        rows,
      };
    },
  },
  {
    name: "gridHealth",
    title: "Others beside an answer of all cells",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const { token } = await Caller.signIn(origin, "viewer");
      const rows = [];
      let turn = 0;
      for (const [name, beside] of /** @type {const} */ ([
        ["nothing", undefined],
        ["the same rows in few cells", 1],
        ["262,144 cells", 10],
      ])) {
        /** @type {number[]} */
        const waits = [];
        let bytes = 0;
        for (let answer = 0; answer < many(20, 5); answer += 1) {
          turn += 1;
          const asked =
            beside === undefined
              ? wait(400)
              : readAndDrop(origin, token ?? "", { timeRange: timeRange(turn, 1).body, level: beside, within: fullBox });
          const state = { isOver: false, bytes: 0 };
          const over = asked.then((size = 0) => Object.assign(state, { isOver: true, bytes: size }));
          while (!state.isOver) {
            const startedMs = performance.now();
            await readAndDrop(origin, token ?? "", undefined);
            waits.push(performance.now() - startedMs);
            await wait(2);
          }
          ({ bytes } = await over);
        }
        waits.sort((one, other) => one - other);
        const at = (/** @type {number} */ share) => ms(waits[Math.min(waits.length - 1, Math.floor(waits.length * share))] ?? 0);
        rows.push([
          name,
          `${(bytes / 1e6).toFixed(2)} MB`,
          waits.length,
          at(0.5),
          at(0.99),
          at(1),
          beside === 10 ? verdict((waits.at(-1) ?? 0) < 50) : "",
        ]);
      }
      return {
        text: "Health checks, one after another, while grids over 20 million rows are answered. Target: none waits 50 ms. The answer of few cells reads the same rows: its waits are for the processor, not for the answer.",
        head: ["beside", "gzip", "checks", "median, ms", "99%, ms", "longest, ms", "target"],
        rows,
      };
    },
  },
];

/** @param {number} durationMs @returns {Promise<undefined>} */
const wait = (durationMs) => new Promise((resolve) => setTimeout(() => resolve(undefined), durationMs));

/**
 * The bytes of an answer, which are not kept: unpacking them would hold up the checks. Without a body, of a health check.
 * @param {string} origin @param {string} token @param {object | undefined} body
 * @returns {Promise<number>}
 */
const readAndDrop = (origin, token, body) =>
  new Promise((resolve, reject) => {
    const url = body === undefined ? `${origin}/api/health/live` : `${origin}/api${path}`;
    const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip", "content-type": "application/json" };
    const sent = request(url, { method: body === undefined ? "GET" : "POST", headers }, (response) => {
      let bytes = 0;
      response.on("data", (chunk) => (bytes += chunk.length));
      response.on("end", () => (response.statusCode === 200 ? resolve(bytes) : reject(new Error(`status ${response.statusCode}`))));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
