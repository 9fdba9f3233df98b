// @ts-check
// The measured queries, each as a call of the web app and as hand-written SQL.
import { positionsSpan, statuses } from "./positions.mjs";

const day = 86_400_000;
export const airports = ["ATL", "ORD", "DFW", "LAX", "PHX", "STL", "DTW", "MSP", "LAS", "BOS", "DEN", "IAH"];

/**
 * One query over one dataset, with different values at each turn, so that nothing is cached.
 * @typedef {object} SearchCase
 * @property {string} dataset
 * @property {string} range
 * @property {string} question
 * @property {string} path below /api
 * @property {boolean} paged
 * @property {string} [polygon] restricts the rows to its inside
 * @property {(params: Params) => object} [body] of calls other than search and count
 * @property {string} sql `$1` and `$2` are the range in epoch milliseconds, $3 the filter's value, {file} the Parquet file
 * @property {number} [maxRatio] target ratio to the time of DuckDB alone
 * @property {(turn: number) => Params} params
 * @property {(text: string) => unknown} read the value of a response that must equal the first cell of the SQL's first row
 *
 * @typedef {{ startMs: number, endMs: number, column: string, value: string }} Params
 */

const datasets = [
  {
    address: "Aviation/flights",
    rows: "3 M",
    time: "date",
    column: "origin",
    values: airports,
    span: { startMs: Date.UTC(2001, 0, 1), endMs: Date.UTC(2001, 6, 1) },
    narrow: { name: "one week", ms: 7 * day },
    columns: "epoch_ms(date) as date, origin, destination, delay, distance",
    average: "delay",
  },
  {
    address: "Measurements/positions",
    rows: "20 M",
    time: "at",
    column: "status",
    values: statuses,
    span: positionsSpan,
    narrow: { name: "two days", ms: 2 * day },
    columns: 'epoch_ms("at") as "at", vessel, status, port, speed, latitude, longitude, hazardous',
    average: "speed",
  },
];

/** @type {SearchCase[]} */
export const searchCases = datasets.flatMap((dataset) => {
  const { time, span, narrow, values, column, columns, average } = dataset;
  const where = `from read_parquet({file}) where "${time}" >= make_timestamp_ms($1) and "${time}" <= make_timestamp_ms($2) and ${column} = $3`;
  const ranges = [
    { range: narrow.name, ms: narrow.ms },
    { range: "everything", ms: span.endMs - span.startMs },
  ];
  return ranges.flatMap(({ range, ms }) => {
    /** @param {number} turn */
    const params = (turn) => {
      const startMs = span.startMs + ((turn * 37 * day) % (span.endMs - span.startMs - ms + 1));
      return { startMs, endMs: startMs + ms, column, value: values[turn % values.length] ?? "" };
    };
    const common = { dataset: `${dataset.address} (${dataset.rows})`, range, params };
    return [
      {
        ...common,
        question: "page of 25, newest first",
        path: `/datasets/${dataset.address}/search`,
        paged: true,
        sql: `select ${columns} ${where} order by "${time}" desc limit 25`,
        read: (/** @type {string} */ text) => JSON.parse(text).results[0]?.[time],
      },
      {
        ...common,
        question: "count",
        path: `/datasets/${dataset.address}/aggregate/count/*`,
        paged: false,
        sql: `select count(*) ${where}`,
        read: (/** @type {string} */ text) => JSON.parse(text).totalResults,
      },
      {
        ...common,
        question: `average of ${average}`,
        path: `/datasets/${dataset.address}/aggregate/avg/${average}`,
        paged: false,
        sql: `select avg(${average}) ${where}`,
        read: (/** @type {string} */ text) => JSON.parse(text)[`avg(${average})`],
      },
    ];
  });
});

/**
 * The request body that the web app sends.
 * @param {Params} params
 * @param {Pick<SearchCase, "paged" | "polygon">} searchCase
 */
export function searchBody({ startMs, endMs, column, value }, { paged, polygon }) {
  return {
    timeRange: { start: new Date(startMs).toISOString(), end: new Date(endMs).toISOString() },
    filters: [{ name: column, operator: "=", value }],
    ...(polygon === undefined ? {} : { geospatial: { polygons: [polygon], antimeridianPolygons: false } }),
    ...(paged ? { paging: { offset: 0, max: 25 } } : {}),
  };
}

/** A page of flights of another week in each turn. @param {number} turn */
export function weekOfFlights(turn) {
  const startMs = Date.UTC(2001, 0, 1 + ((turn * 7) % 150));
  return {
    timeRange: { start: new Date(startMs).toISOString(), end: new Date(startMs + 7 * day).toISOString() },
    filters: [],
    paging: { offset: 0, max: 25 },
  };
}
