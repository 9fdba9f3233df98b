// @ts-check
// Searches with lookups and computed columns over HTTP, compared with the same joins and expressions written by hand in DuckDB alone.
import { Caller, expectOk } from "./lib/caller.mjs";
import { dataFolder } from "./lib/gateway-process.mjs";
import { compared, comparedHead, verdict } from "./lib/report.mjs";
import { compareInTurns } from "./lib/turns.mjs";
import { openDuckDb } from "./searches.mjs";

const path = "/datasets/Aviation/flights";
const flights = `read_parquet('${dataFolder}/aviation/flights/rows.parquet')`;
const airports = `read_parquet('${dataFolder}/aviation/airports/rows.parquet')`;
/** All of them; the dataset asks for a range or an airport. */
const timeRange = { start: "2001-01-01T00:00:00.000Z", end: "2001-07-01T00:00:00.000Z" };
const within = "date between timestamp '2001-01-01' and timestamp '2001-07-01'";

const lookups = [
  {
    id: "from",
    dataset: { datasetCategory: "Aviation", datasetId: "airport-codes" },
    key: [{ column: "origin", on: "iata" }],
    columns: [{ from: "state", name: "state" }],
  },
];
const computed = [
  { name: "late", expression: "delay > 15" },
  { name: "speed", expression: "distance / (delay + 1000)" },
  { name: "kind", expression: "if(late, 'late', 'on time')" },
];
const joined = `${flights} as f left join ${airports} as a on f.origin = a.iata`;
const kind = "case when delay > 15 then 'late' else 'on time' end";
const speed = "distance / nullif(delay + 1000, 0)";

const cases = [
  {
    question: "average delay of a state, by a lookup",
    maxRatio: 1.5,
    path: `${path}/aggregate/avg/delay`,
    body: { timeRange, lookups, filters: [{ name: "state", operator: "=", value: "GA" }] },
    sql: `select avg(delay) from ${joined} where ${within} and a.state = 'GA'`,
  },
  {
    question: "page of 25 in the order of delays, with a lookup",
    maxRatio: 1.5,
    path: `${path}/search`,
    body: { timeRange, lookups, sort: [{ column: "delay", direction: "desc" }], paging: { offset: 0, max: 25 } },
    sql: `select f.*, a.state from ${joined} where ${within} order by delay desc nulls last, date desc limit 26`,
  },
  {
    question: "average of a computed column over rows chosen by another, of three",
    maxRatio: 1.2,
    path: `${path}/aggregate/avg/speed`,
    body: { timeRange, computed, filters: [{ name: "kind", operator: "=", value: "late" }] },
    sql: `select avg(${speed}) from ${flights} where ${within} and ${kind} = 'late'`,
  },
  {
    question: "page of 25 in the order of a computed column, of three",
    maxRatio: 1.2,
    path: `${path}/search`,
    body: { timeRange, computed, sort: [{ column: "speed", direction: "desc" }], paging: { offset: 0, max: 25 } },
    sql: `select *, delay > 15 as late, ${speed} as speed, ${kind} as kind from ${flights} where ${within} order by speed desc nulls last, date desc limit 26`,
  },
];

/** @type {readonly import("./run.mjs").Part[]} */
export const parts = [
  {
    name: "derived",
    title: "Lookups and computed columns",
    needs: ["portal"],
    run: async ({ portal: { origin }, many }) => {
      const connection = await openDuckDb();
      const caller = await Caller.signIn(origin, "viewer");
      const rows = [];
      for (const { question, maxRatio, path: address, body, sql } of cases) {
        const ask = async () => expectOk(await caller.call("POST", address, body));
        const byHand = async () => (await connection.run(sql)).getRows();
        await ask();
        await byHand();
        const times = await compareInTurns({ rounds: many(5), turns: many(8, 2) }, ask, byHand);
        rows.push([question, ...compared(times), verdict(times.ours <= maxRatio * times.theirs + 5)]);
      }
      caller.close();
      connection.closeSync();
      return {
        text: "Target: a search with one lookup at most 1.5 times the join written by hand plus 5 ms, one with three computed columns at most 1.2 times the same SQL plus 5 ms. Over 3 million flights.",
        head: ["question", ...comparedHead("HTTP", "DuckDB"), "target"],
        rows,
      };
    },
  },
];
