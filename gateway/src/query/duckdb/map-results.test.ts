import type { ColumnType } from "@fairway/contract/columns";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Condition, EngineFailed, type QueryableDataset, type SearchQuery } from "#query/engine.ts";
import { type EngineBench, datasetOver, engineBench, rowsOf } from "./test-files.ts";
import { engineCall } from "#testing/engine-call.ts";

let bench: EngineBench;
const call = engineCall();
const all: SearchQuery = { timeRange: null, area: null, conditions: [], sort: [], offset: 0, limit: 100_000 };

const itemColumn = 'the "item"; drop';
const columns = (time: ColumnType): Record<string, ColumnType> => ({
  n: "integer",
  [itemColumn]: "STRING",
  "fairway row": time,
  lat: "decimal",
  lng: "decimal",
  value: "decimal",
});

/** Rows of 23 items over 40 hours around 1970, many at the same time, some without an item, time or position. */
const rows = (
  time: string,
) => `select i as n, case when i % 31 = 0 then null else ['it''s "x"', '', 'é😀', 'a;b--'][1 + i % 4] || (hash(i) % 6) end as "${itemColumn.replaceAll('"', '""')}",
  ${time} as "fairway row",
  case when i % 17 = 0 then 'nan'::double when i % 19 = 0 then null else cast(hash(i * 7) % 1800 as integer) / 10.0 - 90 end as lat,
  case when i % 23 = 0 then 'infinity'::double else cast(hash(i * 5) % 3600 as integer) / 10.0 - 180 end as lng,
  case when i % 13 = 0 then 'nan'::double else i / 7 end as value
  from range(6000) t(i)`;
const ms = "cast(hash(i * 3) % 1440 as bigint) * 100250 - 72000000";
const times = {
  instant: [
    "TIMESTAMP_MILLS",
    `case when i % 29 = 0 then null when i % 37 = 0 then 'infinity'::timestamp else make_timestamp_ms(${ms}) end`,
  ],
  finer: ["TIMESTAMP_MILLS", `case when i % 29 = 0 then null else make_timestamp_ms(${ms}) + to_microseconds(i % 1000) end`],
  zoned: ["TIMESTAMP_MILLS", `case when i % 37 = 0 then '-infinity'::timestamptz else (make_timestamp_ms(${ms}) at time zone 'UTC') end`],
  seconds: ["TIMESTAMP_SECONDS", `case when i % 29 = 0 then null else make_timestamp_ms(${ms}) end`],
  number: ["TIMESTAMP_MILLS", `case when i % 29 = 0 then null else ${ms} end`],
  whole: ["TIMESTAMP_SECONDS", `cast((${ms}) // 1000 as integer)`],
  floating: [
    "TIMESTAMP_SECONDS",
    `case when i % 37 = 0 then 'nan'::double when i % 41 = 0 then 'infinity'::double else (${ms}) / 1000.0 end`,
  ],
} as const satisfies Record<string, readonly [ColumnType, string]>;
type Kind = keyof typeof times;
const kinds = Object.keys(times) as Kind[];

const by = { item: itemColumn, time: "fairway row" };
const location = { latitude: "lat", longitude: "lng" };
const over = (kind: Kind, overrides: Parameters<typeof datasetOver>[2] = {}): QueryableDataset =>
  datasetOver(`${kind}.parquet`, columns(times[kind][0]), { temporalField: "fairway row", ...overrides });

beforeAll(async () => {
  bench = await engineBench();
  for (const kind of kinds)
    await bench.prepare(`copy (${rows(times[kind][1])}) to 'FOLDER/${kind}.parquet' (format parquet, row_group_size 2048)`);
  await bench.prepare(
    `copy (select * replace (n / 10.0 as lat, n / 20.0 as lng, n / 7.0 as value) from (${rows(times.number[1])})) to 'FOLDER/number.csv'`,
  );
  for (const part of [0, 1, 2]) {
    await bench.prepare(
      `copy (select * from (${rows(times.instant[1])}) where n // 2000 = ${part}) to 'FOLDER/part-${part}.parquet' (format parquet)`,
    );
  }
});
afterAll(() => bench.close());

type Row = Record<string, unknown>;
const allRows = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}): Promise<Row[]> =>
  rowsOf(await bench.engine.search({ ...dataset, orderBy: [] }, { ...all, ...query }, call));
const timeOf = (row: Row): number => row["fairway row"] as number;

/** The expected rows, computed from all rows in file order: the first of an item's newest. */
function newestOf(found: readonly Row[]): Row[] {
  const newest = new Map<unknown, Row>();
  for (const row of found) {
    if (row[itemColumn] === null || row["fairway row"] === null) continue;
    const known = newest.get(row[itemColumn]);
    if (known === undefined || timeOf(row) > timeOf(known)) newest.set(row[itemColumn], row);
  }
  return [...newest.values()].toSorted((a, b) => timeOf(b) - timeOf(a) || Number(a["n"]) - Number(b["n"]));
}

const latest = async (dataset: QueryableDataset, query: Partial<SearchQuery> = {}) =>
  rowsOf(await bench.engine.maps.latest(dataset, by, { ...all, ...query }, call));
const late: Condition = { column: "n", type: "integer", operator: "<", value: 900n };

describe("the newest row of each item", () => {
  // If times are stored finer than shown, the shown time does not determine the newest row.
  it.each(kinds.filter((kind) => kind !== "finer"))(
    "[MAP-08] is the first of the newest in file order, for a time stored as %s",
    async (kind) => {
      for (const query of [{}, { conditions: [late] }]) {
        const expected = newestOf(await allRows(over(kind), query));
        expect(expected.length).toBeGreaterThan(20);
        expect(await latest(over(kind), query)).toEqual(expected);
      }
    },
  );

  it("[MAP-08] compares times at their stored precision", async () => {
    const timesOf = (found: readonly Row[]) => Object.fromEntries(found.map((row) => [String(row[itemColumn]), timeOf(row)]));
    expect(timesOf(await latest(over("finer")))).toEqual(timesOf(newestOf(await allRows(over("finer")))));
  });

  it("is the same for several files and CSV, and follows the dataset's order for ties", async () => {
    const expected = newestOf(await allRows(over("instant")));
    expect(await latest(datasetOver("part-*.parquet", columns("TIMESTAMP_MILLS")))).toEqual(expected);
    const csv = datasetOver("number.csv", columns("TIMESTAMP_MILLS"), { format: "csv" });
    expect(await latest(csv)).toEqual(newestOf(await allRows(csv)));
    const [last] = await latest(over("instant", { orderBy: [{ column: "n", direction: "desc" }] }), { conditions: [late] });
    const mine = (await allRows(over("instant"), { conditions: [late] })).filter((row) => row[itemColumn] === last?.[itemColumn]);
    const top = Math.max(...mine.map(timeOf));
    expect(last?.["n"]).toBe(Math.max(...mine.filter((row) => timeOf(row) === top).map((row) => Number(row["n"]))));
  });

  it("is limited after sorting, and reports whether there are more", async () => {
    const expected = await latest(over("instant"));
    const cut = await bench.engine.maps.latest(over("instant"), by, { ...all, limit: 5 }, call);
    expect([await rowsOf(cut), await cut.hasMore]).toEqual([expected.slice(0, 5), true]);
    const whole = await bench.engine.maps.latest(over("instant"), by, { ...all, limit: expected.length }, call);
    expect([(await rowsOf(whole)).length, await whole.hasMore]).toEqual([expected.length, false]);
    const sorted = await latest(over("instant"), { sort: [{ column: "n", direction: "asc" }], limit: 4 });
    expect(sorted.map((row) => row["n"])).toEqual(
      expected
        .map((row) => Number(row["n"]))
        .toSorted((a, b) => a - b)
        .slice(0, 4),
    );
  });

  it("is absent if nothing matches, and fails if the data is missing", async () => {
    expect(await latest(over("instant"), { conditions: [{ ...late, value: -1n }] })).toEqual([]);
    await expect(latest(datasetOver("absent.parquet", columns("TIMESTAMP_MILLS")))).rejects.toBeInstanceOf(EngineFailed);
    const aborted = engineCall(AbortSignal.abort());
    await expect(bench.engine.maps.latest(over("instant"), by, all, aborted)).rejects.toMatchObject({ reason: "abandoned" });
  });
});

const oneItem: Condition = { column: itemColumn, type: "STRING", operator: "=", value: 'it\'s "x"0' };
const unitOf = (kind: Kind): number => (times[kind][0] === "TIMESTAMP_SECONDS" ? 1_000 : 1);

/** The expected points, computed from all rows: those with a time and a position, by time, the first of each interval. */
async function pathOf(kind: Kind, intervalMs: number, query: Partial<SearchQuery> = {}): Promise<number[]> {
  const found = (await allRows(over(kind), { conditions: [oneItem], ...query })).filter(
    (row) => row["fairway row"] !== null && row["lat"] !== null && row["lng"] !== null,
  );
  const sorted = found.toSorted((a, b) => timeOf(a) - timeOf(b) || Number(a["n"]) - Number(b["n"]));
  const interval = (row: Row | undefined) => (row === undefined ? Number.NaN : Math.floor((timeOf(row) * unitOf(kind)) / intervalMs));
  return sorted.filter((row, index) => intervalMs === 0 || interval(row) !== interval(sorted[index - 1])).map((row) => Number(row["n"]));
}

const pathRequest = (intervalMs: number) => ({ time: "fairway row", location, intervalMs });
const path = async (kind: Kind, intervalMs: number, query: Partial<SearchQuery> = {}) => {
  const page = { ...all, conditions: [oneItem], ...query };
  return rowsOf(await bench.engine.maps.path(over(kind), { ...pathRequest(intervalMs), columns: ["n"] }, page, call));
};
const countPath = (kind: Kind, intervalMs: number) =>
  bench.engine.maps.countPath(over(kind), pathRequest(intervalMs), { ...all, conditions: [oneItem] }, call);

describe("a path", () => {
  it.each(kinds.filter((kind) => kind !== "finer"))(
    "[MAP-11] [MAP-12] holds the first point of every interval, and its count matches, for a time stored as %s",
    async (kind) => {
      for (const intervalMs of [0, 700, 60_000, 3_600_000, 31_536_000_000]) {
        const expected = await pathOf(kind, intervalMs);
        expect([intervalMs, (await path(kind, intervalMs)).map((row) => row["n"])]).toEqual([intervalMs, expected]);
        expect([intervalMs, await countPath(kind, intervalMs)]).toEqual([intervalMs, expected.length]);
      }
    },
  );

  it("[MAP-11] has points on both sides of 1970 and in intervals that start before it", async () => {
    const points = await pathOf("instant", 3_600_000);
    expect(points.length).toBeGreaterThan(10);
    expect(points.length).toBeLessThan((await pathOf("instant", 0)).length);
  });

  it("[MAP-11] comes in pages that neither overlap nor skip points", async () => {
    const whole = await path("zoned", 60_000);
    const pages: Row[] = [];
    for (let offset = 0; offset < whole.length; offset += 7) pages.push(...(await path("zoned", 60_000, { offset, limit: 7 })));
    expect(pages).toEqual(whole);
    const stream = await bench.engine.maps.path(
      over("zoned"),
      { ...pathRequest(60_000), columns: ["n"] },
      { ...all, conditions: [oneItem], limit: 7 },
      call,
    );
    expect([(await rowsOf(stream)).length, await stream.hasMore]).toEqual([7, true]);
  });

  it("holds the requested columns in order", async () => {
    const names = ["lng", "fairway row", itemColumn, "lat"];
    const stream = await bench.engine.maps.path(
      over("instant"),
      { ...pathRequest(0), columns: names },
      { ...all, conditions: [oneItem], limit: 1 },
      call,
    );
    expect((await rowsOf(stream)).map((row) => Object.keys(row))).toEqual([names]);
  });

  it("is empty for an item that does not exist", async () => {
    const unknownItem = { ...oneItem, value: "' or 1=1 --" };
    expect(await path("instant", 1_000, { conditions: [unknownItem] })).toEqual([]);
    expect(await bench.engine.maps.countPath(over("instant"), pathRequest(1_000), { ...all, conditions: [unknownItem] }, call)).toBe(0);
  });
});

/** The expected points, computed from all rows: of each item the first one in equal parts of its time, and the last one. */
async function tracksOf(kind: Kind, parts: number, items: number): Promise<string[]> {
  const byItem = new Map<string, Row[]>();
  for (const row of await allRows(over(kind))) {
    if ([itemColumn, "fairway row", "lat", "lng"].some((name) => row[name] === null)) continue;
    const item = String(row[itemColumn]);
    byItem.set(item, [...(byItem.get(item) ?? []), row]);
  }
  const newest = [...byItem].toSorted(([a, x], [b, y]) => Math.max(...y.map(timeOf)) - Math.max(...x.map(timeOf)) || (a < b ? -1 : 1));
  return newest.slice(0, items).flatMap(([item, found]) => {
    const times = [...new Set(found.map(timeOf))].toSorted((a, b) => a - b);
    const [first = 0, last = 0] = [times[0], times.at(-1)];
    const partOf = (timeMs: number | undefined) => Math.floor(((Number(timeMs) - first) / (last - first)) * parts);
    return times.filter((timeMs, index) => index === 0 || partOf(timeMs) !== partOf(times[index - 1])).map((timeMs) => `${item} ${timeMs}`);
  });
}

const timeOfAt = (row: Row): number => Number(row["at"]);
const tracks = async (kind: Kind, points: number, perTrack: { min: number; max: number }, query: Partial<SearchQuery> = {}) =>
  rowsOf(await bench.engine.maps.tracks(over(kind), { ...by, location, points, perTrack }, { ...all, ...query }, call));

describe("the tracks of all items", () => {
  it.each(kinds.filter((kind) => kind !== "finer"))(
    "hold the first point of equal parts of each item's time, for a time stored as %s",
    async (kind) => {
      const found = await tracks(kind, 100_000, { min: 20, max: 12 });
      expect(found.map((row) => `${String(row[itemColumn])} ${timeOf(row)}`).toSorted()).toEqual(
        (await tracksOf(kind, 12, 100)).toSorted(),
      );
      const positions = new Set((await allRows(over(kind))).map((row) => [row[itemColumn], timeOf(row), row["lat"], row["lng"]].join()));
      expect(found.every((row) => positions.has([row[itemColumn], timeOf(row), row["lat"], row["lng"]].join()))).toBe(true);
    },
  );

  it("share their points among the items, and include those seen last if there are too many", async () => {
    const items = new Set((await allRows(over("instant"))).map((row) => row[itemColumn]));
    const shared = await tracks("instant", 10 * (items.size - 1), { min: 1, max: 500 });
    expect(shared.map((row) => `${String(row[itemColumn])} ${timeOf(row)}`).toSorted()).toEqual(
      (await tracksOf("instant", 10, 100)).toSorted(),
    );
    const few = await tracks("instant", 60, { min: 20, max: 500 });
    expect(few.map((row) => `${String(row[itemColumn])} ${timeOf(row)}`).toSorted()).toEqual((await tracksOf("instant", 20, 3)).toSorted());
  });

  it("hold one point of an item with one row, and nothing if no row matches", async () => {
    const [newest] = await latest(over("number"));
    const only: Condition = { column: "n", type: "integer", operator: "=", value: BigInt(Number(newest?.["n"])) };
    expect((await tracks("number", 100, { min: 2, max: 9 }, { conditions: [only] })).length).toBeLessThanOrEqual(1);
    expect(await tracks("number", 100, { min: 2, max: 9 }, { conditions: [{ ...only, value: 104n }] })).toHaveLength(1);
    expect(await tracks("number", 100, { min: 2, max: 9 }, { conditions: [{ ...only, value: -1n }] })).toEqual([]);
  });

  it.each([
    ["double", "decimal"],
    ["float", "decimal"],
    ["decimal(5,1)", "decimal"],
    ["usmallint", "integer"],
  ] as const)("have longitudes of -180 to 180 where a %s goes on to 360", async (stored, type) => {
    await bench.prepare(
      `copy (select 'a' as item, make_timestamp_ms(i * 1000) as "at", 20::${stored} as lat, lng::${stored} as lng
         from (values (0, 201), (1, 170.5), (2, 180), (3, 359.5), (4, 201.2), (5, 0)) as points(i, lng))
       to 'FOLDER/eastward.parquet' (format parquet)`,
    );
    const dataset = datasetOver("eastward.parquet", { item: "STRING", at: "TIMESTAMP_MILLS", lat: type, lng: type });
    const request = { item: "item", time: "at", location, points: 100, perTrack: { min: 20, max: 20 } };
    const found = await rowsOf(await bench.engine.maps.tracks(dataset, request, all, call));
    const expected = stored === "usmallint" ? [-159, 171, 180, 0, -159, 0] : [-159, 170.5, 180, -0.5, -158.8, 0];
    expect(found.toSorted((one, other) => timeOfAt(one) - timeOfAt(other)).map(({ lng }) => lng)).toEqual(expected);
    // Rows keep their values.
    expect((await allRows(dataset))[0]).toMatchObject({ lng: 201 });
  });
});
