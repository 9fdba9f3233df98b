// @ts-check
// Follow-up queries: another order, a distant page, a column's profile, map and graph data.
import { positionsSpan } from "./positions.mjs";
import { searchBody } from "./search-cases.mjs";

const day = 86_400_000;
const iso = (/** @type {number} */ ms) => new Date(ms).toISOString();

const where = `from read_parquet({file}) where "at" >= make_timestamp_ms($1) and "at" <= make_timestamp_ms($2)`;
const columns = 'epoch_ms("at") as "at", vessel, status, port, speed, latitude, longitude, hazardous';

/** @type {import("./search-cases.mjs").SearchCase[]} */
export const furtherCases = [
  {
    question: "page of 25, fastest first",
    path: "search",
    value: "under way",
    sql: `select speed, ${columns} ${where} and status = $3 order by speed desc limit 25`,
    /** @param {import("./search-cases.mjs").Params} params */
    body: (params) => ({ ...searchBody(params, { paged: true }), sort: [{ column: "speed", direction: "desc" }] }),
    read: (/** @type {string} */ text) => JSON.parse(text).results[0].speed,
  },
  {
    question: "page of 25 after 100,000 rows, newest first",
    path: "search",
    value: "under way",
    sql: `select ${columns} ${where} and status = $3 order by "at" desc limit 25 offset 100000`,
    /** @param {import("./search-cases.mjs").Params} params */
    body: (params) => ({ ...searchBody(params, { paged: true }), paging: { offset: 100_000, max: 25 } }),
    read: (/** @type {string} */ text) => JSON.parse(text).results[0].at,
  },
  {
    question: "profile of a column",
    path: "columns/speed/profile",
    value: "under way",
    sql: `with grouped as materialized (select speed as v, count(*) as n ${where} and status = $3 group by v),
        ends as (select min(v) as low, max(v) as high from grouped)
      select (select count(v) from grouped), (select sum(n) from grouped), (select sum(n) filter (where v is null) from grouped), low, high,
        (select list(struct_pack(v, n)) from (select v, n from grouped where v is not null order by n desc limit 10)),
        (select list(n) from (select sum(n) as n from grouped where v is not null group by least(19, floor((v - low) / ((high - low) / 20)))))
      from ends`,
    /** @param {import("./search-cases.mjs").Params} params */
    body: (params) => searchBody(params, { paged: false }),
    read: (/** @type {string} */ text) => JSON.parse(text).distinct,
  },
  {
    question: "newest row of each of 40,000 vessels",
    path: "search/last",
    value: "under way",
    maxRatio: 1.3,
    // The fastest of nine forms, see docs/decisions/archive/0050.
    sql: `select ${columns} ${where} and status = $3 and (vessel, "at") in
      (select vessel, max("at") ${where} and status = $3 group by vessel) order by "at"`,
    /** @param {import("./search-cases.mjs").Params} params */
    body: (params) => searchBody(params, { paged: false }),
    read: (/** @type {string} */ text) => JSON.parse(text).results.at(-1).at,
  },
  {
    question: "path of a vessel, 500 points",
    path: "search/path",
    value: "under way",
    sql: `select ${columns} ${where} and $3 <> '' and vessel = 4711 order by "at"`,
    /** @param {import("./search-cases.mjs").Params} params */
    body: (params) => ({
      timeRange: searchBody(params, { paged: false }).timeRange,
      filters: [{ name: "vessel", operator: "=", value: 4711 }],
    }),
    read: (/** @type {string} */ text) => JSON.parse(text).results[0].at,
  },
].map(onPositions);

/**
 * Graphs in one call, compared with hand-written grouping.
 * @type {import("./search-cases.mjs").SearchCase[]}
 */
export const graphCases = [
  { question: "graph of 720 hours × 3 columns", range: "30 days", step: "hour", stepMs: 3_600_000, groups: 720 },
  { question: "graph of 181 days × 3 columns", range: "everything", step: "day", stepMs: day, groups: 181 },
].map(({ question, range, step, stepMs, groups }) => ({
  dataset: "Aviation/flights (3 M)",
  range,
  question,
  path: "/datasets/Aviation/flights/aggregate",
  paged: false,
  sql: `select avg(delay), sum(distance), max(delay), date_trunc('${step}', date) as step from read_parquet({file})
    where date >= make_timestamp_ms($1) and date <= make_timestamp_ms($2) and destination <> $3 group by step order by step`,
  params: (/** @type {number} */ turn) => {
    const startMs = Date.UTC(2001, 0, 1) + (range === "everything" ? 0 : (turn * 37 * day) % (150 * day));
    return { startMs, endMs: startMs + groups * stepMs - 1, column: "destination", value: ["ATL", "ORD", "DFW"][turn % 3] ?? "" };
  },
  body: (/** @type {import("./search-cases.mjs").Params} */ params) => graphBody(params, stepMs),
  read: (/** @type {string} */ text) =>
    JSON.parse(text).groups.find((/** @type {{ values: unknown[] }} */ { values }) => values[0] !== null).values[0],
}));

const graphColumns = [
  { aggregation: "avg", column: "delay" },
  { aggregation: "sum", column: "distance" },
  { aggregation: "max", column: "delay" },
];

/**
 * The web app's request for a graph over time.
 * @param {import("./search-cases.mjs").Params} params
 * @param {number} stepMs
 */
export function graphBody({ startMs, endMs, column, value }, stepMs) {
  const groups = Array.from({ length: Math.ceil((endMs - startMs) / stepMs) }, (_, index) => ({
    id: String(index),
    timeRange: { start: iso(startMs + index * stepMs), end: iso(startMs + (index + 1) * stepMs - 1) },
  }));
  const search = { timeRange: { start: iso(startMs), end: iso(endMs) }, filters: [{ name: column, operator: "<>", value }] };
  return { search, groups, aggregations: graphColumns };
}

/** @param {Omit<import("./search-cases.mjs").SearchCase, "dataset" | "range" | "paged" | "params"> & { value: string }} draft */
function onPositions({ path, value, ...draft }) {
  return {
    ...draft,
    dataset: "Measurements/positions (20 M)",
    range: "everything",
    path: `/datasets/Measurements/positions/${path}`,
    paged: false,
    params: (/** @type {number} */ turn) => ({ ...positionsSpan, startMs: positionsSpan.startMs + turn, column: "status", value }),
  };
}
