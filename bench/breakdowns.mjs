// @ts-check
// Breakdowns over HTTP, compared with the same figures by SQL in DuckDB alone, and those of many people at once.
import { setTimeout as sleep } from "node:timers/promises";
import { Caller, expectOk } from "./lib/caller.mjs";
import { compared, comparedHead, ms, ratio, verdict } from "./lib/report.mjs";
import { median } from "./lib/statistics.mjs";
import { allAnswered, tallied, talliedHead, tally } from "./lib/tally.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { crowd } from "./platform.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { openDuckDb } from "./searches.mjs";

const path = "/datasets/Aviation/flights/breakdown";
/** All of them; the dataset asks for a range or an airport. */
const range = { start: "2001-01-01T00:00:00.000Z", end: "2001-07-01T00:00:00.000Z" };
const flights = `(from read_parquet('${dataFolder}/aviation/flights/rows.parquet') where date between timestamp '2001-01-01' and timestamp '2001-07-01')`;
const zone = "America/New_York";
const people = 50;
const pauseMs = 5_000;

/** @param {string} column @param {object} [top] */
const byValue = (column, top) => ({ kind: "value", column, ...(top && { top }) });
const average = { aggregation: "avg", column: "delay" };
const count = { aggregation: "count" };
const four = [average, count, { aggregation: "median", column: "delay" }, { aggregation: "distinct", column: "destination" }];
const aggregates = "avg(delay), count(*), quantile_cont(delay::double, 0.5), count(distinct destination)";

/** Each is computed anew: answers are kept for the same call. @param {object} body */
const anew = (body) => ({ search: { timeRange: range }, fresh: true, ...body });

/** The same figures as a statement written by hand, of which the second one is for Other. */
const cases = [
  {
    question: "20 best of 220 origins by average",
    body: anew({ by: [byValue("origin", { count: 20 })], measures: [average, count] }),
    sql: [`select origin, avg(delay) as a, count(*) from ${flights} group by origin order by a desc nulls last limit 20`],
    maxMs: undefined,
  },
  {
    question: "four measures, with Other and median",
    body: anew({ by: [byValue("origin", { count: 20, other: true })], measures: four }),
    sql: [
      `select origin, ${aggregates} from ${flights} group by origin order by 2 desc nulls last limit 20`,
      `select ${aggregates} from ${flights} where origin not in (select origin from ${flights} group by origin order by avg(delay) desc nulls last limit 20)`,
    ],
    maxMs: 1_500,
  },
  {
    question: "days in UTC",
    body: anew({ by: [{ kind: "time", unit: "day" }], measures: [count] }),
    sql: [`select date_trunc('day', date) as d, count(*) from ${flights} group by d order by d`],
    maxMs: undefined,
  },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "breakdowns",
    title: "Breakdowns",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const ask = async (/** @type {object} */ body) => JSON.parse(expectOk(await caller.call("POST", path, body)).text);
      const turns = { rounds: many(5), turns: many(8, 2) };
      const rows = [];
      for (const { question, body, sql, maxMs } of cases) {
        const byHand = async () => {
          for (const statement of sql) await (await connection.run(statement)).getRows();
        };
        await ask(body);
        await byHand();
        const times = await compareInTurns(turns, () => ask(body), byHand);
        rows.push([question, ...compared(times), verdict(times.ours <= (maxMs ?? 1.15 * times.theirs + 5))]);
      }
      const daysIn = (/** @type {string} */ place) => anew({ by: [{ kind: "time", unit: "day", zone: place }], measures: [count] });
      const zones = await compareInTurns(
        turns,
        () => ask(daysIn(zone)),
        () => ask(daysIn("UTC")),
      );
      rows.push(["days in New York, and in UTC", ...compared(zones), verdict(zones.ratio <= 2)]);
      caller.close();
      connection.closeSync();
      return {
        text: "Target: at most 1.15 times DuckDB alone plus 5 ms; four measures with a median and Other within 1.5 s on two cores; days in a zone at most twice those in UTC. All of 3 million flights, each answer computed anew.",
        head: ["question", ...comparedHead("HTTP", "DuckDB"), "target"],
        rows,
      };
    },
  },
  {
    name: "breakdownCrowd",
    title: "Breakdowns of many people",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const callers = await Promise.all(crowd.slice(0, people).map((username) => Caller.signIn(origin, username)));
      const counted = tally();
      const until = performance.now() + many(60, 6) * 1_000;
      await Promise.all(
        callers.map(async (caller, person) => {
          await sleep((person * pauseMs) / people);
          for (let turn = person; performance.now() < until; turn++) {
            await counted.time(() => caller.call("POST", path, anew({ by: [groupingOf(turn)], measures: [average] })));
            await sleep(pauseMs);
          }
        }),
      );
      for (const caller of callers) caller.close();
      return {
        text: `${people} people break 3 million flights down by different groupings, with pauses of ${pauseMs / 1_000} s, each answer computed anew. Target: no refusal.`,
        head: ["", ...talliedHead(0.95), "target"],
        rows: [["breakdowns", ...tallied(counted, 0.95), verdict(allAnswered(counted))]],
        notes: [`The median of all calls is ${ms(median(counted.times))} ms, ${ratio(median(counted.times) / pauseMs)} of the pause.`],
      };
    },
  },
];

/** Another grouping in each turn. @param {number} turn */
function groupingOf(turn) {
  const top = { count: 1 + (turn % 50) };
  const groupings = [
    byValue("origin", top),
    byValue("destination", top),
    { kind: "part", part: "dayOfWeek", zone },
    { kind: "part", part: "hourOfDay", zone },
    { kind: "time", unit: "day", zone },
    { kind: "range", column: "distance", width: 100 + 10 * (turn % 40) },
  ];
  return groupings[turn % groupings.length];
}
