// @ts-check
// The same questions about three million flights to the portal, to other tools on the same machine, and to DuckDB alone, in turns.
import { Caller, expectOk } from "./lib/caller.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { ms, range, ratio, verdict } from "./lib/report.mjs";
import { inTurns } from "./lib/turns.mjs";
import { openDuckDb } from "./searches.mjs";
import { peers } from "./set-up-peers.mjs";

/** @typedef {import("./set-up-peers.mjs").RunningPeer} RunningPeer */
/** @typedef {{ startMs: number, endMs: number }} Range of which the end is not included */

const hourMs = 3_600_000;
const weekMs = 168 * hourMs;
const path = "/datasets/Aviation/flights";

/** Another week in each turn, so that no answer is one that was kept. @param {number} turn @returns {Range} */
function weekOf(turn) {
  const startMs = Date.UTC(2001, 0, 1 + ((turn * 7) % 150)) + turn * 60_000;
  return { startMs, endMs: startMs + weekMs };
}
/** @param {number} turn @returns {Range} */
const everythingOf = (turn) => ({ startMs: Date.UTC(2001, 0, 1) + turn * 60_000, endMs: Date.UTC(2001, 6, 2) });

const iso = (/** @type {number} */ timeMs) => new Date(timeMs).toISOString();
/** A time as in the databases of the other tools. @param {number} timeMs */
const plain = (timeMs) => iso(timeMs).slice(0, 19);

/** @param {Range} week @param {object} [more] */
const search = ({ startMs, endMs }, more) => ({ filters: [], timeRange: { start: iso(startMs), end: iso(endMs - 1) }, ...more });
/** @param {Range} week @param {string} [parameters] of the page of a table */
const table = ({ startMs, endMs }, parameters = "") =>
  `/flights/flights.json?date__gte=${plain(startMs)}&date__lt=${plain(endMs)}&_shape=array&_nocount=1&_nofacet=1${parameters}`;
/** @param {Range} week @param {string} select @param {string} [rest] */
const statement = ({ startMs, endMs }, select, rest = "") =>
  `/flights.json?_shape=array&sql=${encodeURIComponent(`select ${select} from flights where date >= :a and date < :b ${rest}`)}&a=${plain(startMs)}&b=${plain(endMs)}`;
/** @param {Range} week @param {object} query */
const chart = ({ startMs, endMs }, query) => ({
  filters: [{ col: "date", op: "TEMPORAL_RANGE", val: `${plain(startMs)} : ${plain(endMs)}` }],
  ...query,
});
const columns = ["date", "origin", "destination", "delay", "distance"];
const rowCount = { expressionType: "SQL", sqlExpression: "COUNT(*)", label: "n" };
const average = { expressionType: "SQL", sqlExpression: "AVG(delay)", label: "average" };
const file = `read_parquet('${dataFolder}/aviation/flights/rows.parquet')`;
const raw = (/** @type {string} */ select, rest = "") =>
  `select ${select} from ${file} where date >= make_timestamp_ms($1) and date < make_timestamp_ms($2) ${rest}`;
const all = "epoch_ms(date), origin, destination, delay, distance";
const sumOf = (/** @type {any[]} */ rows, /** @type {(row: any) => unknown} */ value) =>
  rows.reduce((sum, row) => sum + Number(value(row)), 0);
const breakdown = (/** @type {Range} */ within) => ({
  search: search(within),
  by: [{ kind: "value", column: "origin", top: { count: 20 } }],
  measures: [{ aggregation: "avg", column: "delay" }, { aggregation: "count" }],
  fresh: true,
});
const best = "order by 2 desc nulls last limit 20";

/**
 * A question in everybody's words. What each `found` reads must be the same.
 * @typedef {object} Question
 * @property {string} what
 * @property {(turn: number) => Range} rangeOf
 * @property {(within: Range) => [path: string, body: object]} portal
 * @property {(answer: any) => number} found in the portal's answer
 * @property {string} sql for DuckDB alone
 * @property {(rows: any[]) => number} foundRaw
 * @property {(within: Range) => string} datasette
 * @property {(rows: any[]) => number} foundDatasette
 * @property {object} superset
 * @property {(rows: any[]) => number} foundSuperset
 */

/** @type {readonly Question[]} */
const questions = [
  {
    what: "page of 25 of a week, newest first",
    rangeOf: weekOf,
    portal: (week) => [`${path}/search`, search(week, { paging: { offset: 0, max: 25 } })],
    found: ({ results }) => results[24].date,
    sql: raw(all, "order by date desc limit 25"),
    foundRaw: (rows) => Number(rows[24][0]),
    datasette: (week) => table(week, "&_sort_desc=date&_size=25"),
    foundDatasette: (rows) => Date.parse(`${rows[24].date}Z`),
    superset: { columns, orderby: [["date", false]], row_limit: 25 },
    foundSuperset: (rows) => rows[24].date,
  },
  {
    what: "page of 25 of a week, most delayed first",
    rangeOf: weekOf,
    portal: (week) => [`${path}/search`, search(week, { paging: { offset: 0, max: 25 }, sort: [{ column: "delay", direction: "desc" }] })],
    found: ({ results }) => results[24].delay,
    sql: raw(all, "order by delay desc nulls last limit 25"),
    foundRaw: (rows) => Number(rows[24][3]),
    datasette: (week) => table(week, "&_sort_desc=delay&_size=25"),
    foundDatasette: (rows) => rows[24].delay,
    superset: { columns, orderby: [["delay", false]], row_limit: 25 },
    foundSuperset: (rows) => rows[24].delay,
  },
  {
    what: "count of a week",
    rangeOf: weekOf,
    portal: (week) => [`${path}/rowCount`, search(week)],
    found: ({ rows }) => rows,
    sql: raw("count(*)"),
    foundRaw: (rows) => Number(rows[0][0]),
    datasette: (week) => statement(week, "count(*) as n"),
    foundDatasette: (rows) => rows[0].n,
    superset: { columns: [], metrics: [rowCount] },
    foundSuperset: (rows) => rows[0].n,
  },
  {
    what: "average delay of a week",
    rangeOf: weekOf,
    portal: (week) => [`${path}/aggregate/avg/delay`, search(week)],
    found: (answer) => answer["avg(delay)"],
    sql: raw("avg(delay)"),
    foundRaw: (rows) => rows[0][0],
    datasette: (week) => statement(week, "avg(delay) as average"),
    foundDatasette: (rows) => rows[0].average,
    superset: { columns: [], metrics: [average] },
    foundSuperset: (rows) => rows[0].average,
  },
  {
    what: "graph of the 168 hours of a week, rows and average delay",
    rangeOf: (turn) => {
      const { startMs } = weekOf(turn - (turn % 60));
      const hoursMs = startMs - (startMs % hourMs) + (turn % 60) * hourMs;
      return { startMs: hoursMs, endMs: hoursMs + weekMs };
    },
    portal: ({ startMs, endMs }) => [
      `${path}/aggregate`,
      {
        search: search({ startMs, endMs }),
        groups: Array.from({ length: 168 }, (_, hour) => ({
          id: String(hour),
          timeRange: { start: iso(startMs + hour * hourMs), end: iso(startMs + (hour + 1) * hourMs - 1) },
        })),
        aggregations: [
          { aggregation: "count", column: "*" },
          { aggregation: "avg", column: "delay" },
        ],
      },
    ],
    found: ({ groups }) => sumOf(groups, ({ values }) => values[1]),
    sql: raw("date_trunc('hour', date), count(*), avg(delay)", "group by 1"),
    foundRaw: (rows) => sumOf(rows, (row) => row[2]),
    datasette: (week) => statement(week, "substr(date, 1, 13) as hour, count(*) as n, avg(delay) as average", "group by 1"),
    foundDatasette: (rows) => sumOf(rows, (row) => row.average),
    superset: {
      columns: [{ timeGrain: "PT1H", columnType: "BASE_AXIS", sqlExpression: "date", label: "date", expressionType: "SQL" }],
      metrics: [rowCount, average],
      row_limit: 10_000,
    },
    foundSuperset: (rows) => sumOf(rows, (row) => row.average),
  },
  .../** @type {const} */ ([
    ["a week", weekOf],
    ["all flights", everythingOf],
  ]).map(([name, rangeOf]) => ({
    what: `breakdown of ${name}: the 20 origins with the longest delays`,
    rangeOf,
    portal: (/** @type {Range} */ within) => /** @type {[string, object]} */ ([`${path}/breakdown`, breakdown(within)]),
    found: (/** @type {any} */ { cells }) => sumOf(cells, ({ values }) => values[0]),
    sql: raw("origin, avg(delay), count(*)", `group by 1 ${best}`),
    foundRaw: (/** @type {any[]} */ rows) => sumOf(rows, (row) => row[1]),
    datasette: (/** @type {Range} */ within) =>
      statement(within, "origin, avg(delay) as average, count(*) as n", `group by origin ${best}`),
    foundDatasette: (/** @type {any[]} */ rows) => sumOf(rows, (row) => row.average),
    superset: { columns: ["origin"], metrics: [average, rowCount], orderby: [["average", false]], row_limit: 20 },
    foundSuperset: (/** @type {any[]} */ rows) => sumOf(rows, (row) => row.average),
  })),
];

/** @param {Question} question @param {string} peer @param {RunningPeer} running @returns {(turn: number) => Promise<number>} */
function asked({ rangeOf, datasette, foundDatasette, superset, foundSuperset }, peer, { caller, dataset }) {
  if (peer === "Datasette") return async (turn) => foundDatasette(await caller.call("GET", datasette(rangeOf(turn))));
  return async (turn) => {
    const body = { datasource: { id: dataset, type: "table" }, force: true, result_format: "json", result_type: "full" };
    const answer = await caller.call("POST", "/api/v1/chart/data", { ...body, queries: [chart(rangeOf(turn), superset)] });
    return foundSuperset(answer.result[0].data);
  };
}

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "peers",
    title: "Beside other tools",
    needs: ["portal"],
    onlyByName: true,
    run: async ({ portal: { origin }, many }) => {
      /** @type {{ name: string, running: RunningPeer }[]} */
      const started = [];
      /** @type {string[]} */
      const notes = [];
      for (const { name, version, start } of peers) {
        try {
          started.push({ name, running: await start() });
        } catch (error) {
          notes.push(
            `Not run: ${name} ${version}. ${(error instanceof Error ? error.message : String(error)).trim().replaceAll("\n", " ")}`,
          );
        }
      }
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      for (const question of questions) {
        const { what, rangeOf, portal, found, sql, foundRaw } = question;
        const prepared = await connection.prepare(sql);
        const sides = [
          async (/** @type {number} */ turn) => {
            const [address, body] = portal(rangeOf(turn));
            return found(JSON.parse(expectOk(await caller.call("POST", address, body)).text));
          },
          async (/** @type {number} */ turn) => {
            const { startMs, endMs } = rangeOf(turn);
            prepared.bindBigInt(1, BigInt(startMs));
            prepared.bindBigInt(2, BigInt(endMs));
            return foundRaw(await (await prepared.run()).getRows());
          },
          ...started.map(({ name, running }) => asked(question, name, running)),
        ];
        await requireSame(what, sides);
        console.log(`  ${what}`);
        rows.push(
          rowOf(
            what,
            await inTurns({ rounds: many(5), turns: many(10, 2) }, sides),
            started.map(({ name }) => name),
          ),
        );
      }
      connection.closeSync();
      caller.close();
      for (const { running } of started) await running.stop();
      return {
        text: "Three million flights, asked over HTTP with a connection that stays open, signed in where there is a sign-in, each turn about another week; the answers are the same. Datasette reads SQLite with indexes for these questions, Superset reads DuckDB and keeps no answers, DuckDB alone the portal's file. Targets: the newest page at most DuckDB's time plus 5 ms; each other question at most half of the best other tool's, or 1.15 times DuckDB's plus 5 ms.",
        head: [
          "question",
          "Fairway, ms",
          "DuckDB, ms",
          ...peers.map(({ name, version }) => `${name} ${version}, ms`),
          "to DuckDB",
          "by round",
          "to the best tool",
          "target",
        ],
        rows,
        notes,
      };
    },
  },
];

/** @param {string} what @param {import("./lib/turns.mjs").Turns} times @param {readonly string[]} names of those that run */
function rowOf(what, { quietest, byRound }, names) {
  const [ours = 0, bare = 0, ...others] = quietest;
  const best = Math.min(...others);
  const ratios = byRound.map(([own = 0, alone = 1]) => own / alone);
  const isNewest = what.includes("newest");
  const reached = isNewest ? ours <= bare + 5 : ours <= best / 2 || ours <= 1.15 * bare + 5;
  const ofPeers = peers.map(({ name }) => (names.includes(name) ? ms(others[names.indexOf(name)] ?? 0) : "not run"));
  const toBest = others.length === 0 ? "–" : ratio(ours / best);
  return [
    what,
    ms(ours),
    ms(bare),
    ...ofPeers,
    ratio(ours / bare),
    range([Math.min(...ratios), Math.max(...ratios)]),
    toBest,
    verdict(reached),
  ];
}

/** All must find the same before they are timed. This also warms them up. @param {string} what @param {readonly ((turn: number) => Promise<number>)[]} sides */
async function requireSame(what, sides) {
  for (let turn = 0; turn < 3; turn++) {
    const answers = [];
    for (const side of sides) answers.push(await side(turn));
    const [first = Number.NaN] = answers;
    if (!answers.every((one) => Math.abs(one - first) <= 1e-6 * Math.abs(first)))
      throw new Error(`${what}: the answers were ${answers.join(", ")}`);
  }
}
