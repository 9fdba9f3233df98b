// @ts-check
// Counts rows within a polygon, through the API and with hand-written SQL: the bounding box first, then the edges in the row's
// band of latitude. SQL that lists every edge takes several times as long.
import { ringText } from "@fairway/contract/areas";
import { positionsSpan } from "./positions.mjs";

/** @typedef {{ lat: number, lng: number }} Point */

const bands = 64;
const center = { lat: 20, lng: -40 };

/**
 * A coastline with this many corners, the same in every run.
 * @param {number} corners
 * @returns {Point[]}
 */
function coast(corners) {
  let state = 22;
  const random = () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
  let reach = 0.7;
  return Array.from({ length: corners }, (_, index) => {
    const angle = (2 * Math.PI * (index + 0.01)) / corners;
    reach = Math.min(1, Math.max(0.4, reach + (random() - 0.5) / 5));
    return { lat: center.lat + 40 * reach * Math.sin(angle), lng: center.lng + 60 * reach * Math.cos(angle) };
  });
}

/** @param {Point[]} ring */
function insideSql(ring) {
  const lats = ring.map(({ lat }) => lat);
  const lngs = ring.map(({ lng }) => lng);
  const [south, north, west, east] = [Math.min(...lats), Math.max(...lats), Math.min(...lngs), Math.max(...lngs)];
  const bandOf = (/** @type {number} */ lat) => Math.min(bands - 1, Math.floor(((lat - south) * bands) / (north - south)));
  const edges = ring.map((from, index) => {
    const to = ring[(index + 1) % ring.length] ?? from;
    return from.lat < to.lat ? { low: from, high: to } : { low: to, high: from };
  });
  const list = Array.from({ length: bands }, (_, band) => {
    const within = edges.filter(({ low, high }) => bandOf(low.lat) <= band && band <= bandOf(high.lat));
    const rows = within.map(
      ({ low, high }) =>
        `{s: ${double(low.lat)}, n: ${double(high.lat)}, w: ${double(low.lng)}, m: ${double((high.lng - low.lng) / (high.lat - low.lat))}}`,
    );
    return `[${rows.join(", ")}]`;
  });
  const band = `least(${bands - 1}, cast(floor((latitude - ${double(south)}) * ${bands} / ${double(north - south)}) as integer))`;
  return `latitude between ${double(south)} and ${double(north)} and longitude between ${double(west)} and ${double(east)}
    and len(list_filter(([${list.join(", ")}])[1 + ${band}], lambda e: latitude >= e.s and latitude < e.n and longitude >= e.m * (latitude - e.s) + e.w)) % 2 = 1`;
}

const double = (/** @type {number} */ value) => value.toExponential();

/** @type {import("./search-cases.mjs").SearchCase[]} */
export const areaCases = [5, 50, 500].map((corners) => {
  const ring = coast(corners);
  return {
    dataset: "Measurements/positions (20 M)",
    range: "everything",
    question: `count in a polygon of ${corners} corners`,
    path: "/datasets/Measurements/positions/aggregate/count/*",
    paged: false,
    polygon: ringText(ring),
    sql: `select count(*) from read_parquet({file}) where "at" >= make_timestamp_ms($1) and "at" <= make_timestamp_ms($2) and status = $3 and ${insideSql(ring)}`,
    params: (turn) => ({ ...positionsSpan, startMs: positionsSpan.startMs + turn, column: "status", value: "under way" }),
    read: (text) => JSON.parse(text).totalResults,
  };
});
