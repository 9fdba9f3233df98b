// @ts-check
// What people ask once they see rows: another order, a page far down, a column's values.
import { positionsSpan } from "./positions.mjs";
import { searchBody } from "./search-cases.mjs";

const where = `from read_parquet({file}) where "at" >= make_timestamp_ms($1) and "at" <= make_timestamp_ms($2)`;
const columns = 'epoch_ms("at") as "at", vessel, status, port, speed, latitude, longitude, hazardous';

/** @type {import("./search-cases.mjs").SearchCase[]} */
export const furtherCases = [
  {
    question: "page of 25, fastest first",
    path: "search",
    value: "under way",
    sql: `select speed, ${columns} ${where} and status = $3 order by speed desc limit 25`,
    /** @param {import("./search-cases.mjs").Asked} asked */
    body: (asked) => ({ ...searchBody(asked, { paged: true }), sort: [{ column: "speed", direction: "desc" }] }),
    read: (/** @type {string} */ text) => JSON.parse(text).results[0].speed,
  },
  {
    question: "page of 25 after 100,000 rows, newest first",
    path: "search",
    value: "under way",
    sql: `select ${columns} ${where} and status = $3 order by "at" desc limit 25 offset 100000`,
    /** @param {import("./search-cases.mjs").Asked} asked */
    body: (asked) => ({ ...searchBody(asked, { paged: true }), paging: { offset: 100_000, max: 25 } }),
    read: (/** @type {string} */ text) => JSON.parse(text).results[0].at,
  },
  {
    question: "values to suggest that hold a text",
    path: "columns/port/suggest",
    value: "t 1",
    sql: `select count(*) as n, port from (select port ${where} and contains(lower(port), $3) limit 100000) group by port order by n desc limit 20`,
    /** @param {import("./search-cases.mjs").Asked} asked */
    body: (asked) => ({ contains: asked.value, timeRange: searchBody(asked, { paged: false }).timeRange }),
    read: (/** @type {string} */ text) => JSON.parse(text).values[0].rows,
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
    /** @param {import("./search-cases.mjs").Asked} asked */
    body: (asked) => searchBody(asked, { paged: false }),
    read: (/** @type {string} */ text) => JSON.parse(text).distinct,
  },
].map(onPositions);

/** @param {Omit<import("./search-cases.mjs").SearchCase, "dataset" | "range" | "paged" | "asked"> & { value: string }} draft */
function onPositions({ path, value, ...one }) {
  return {
    ...one,
    dataset: "Measurements/positions (20 M)",
    range: "everything",
    path: `/datasets/Measurements/positions/${path}`,
    paged: false,
    asked: (/** @type {number} */ turn) => ({ ...positionsSpan, startMs: positionsSpan.startMs + turn, column: "status", value }),
  };
}
