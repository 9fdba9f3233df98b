import type { ErrorBody } from "@fairway/contract/errors";
import type { SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
const column = (name: string, type: "STRING" | "integer" | "decimal" | "TIMESTAMP_MILLS") => ({
  name,
  type,
  description: "",
  combined: null,
});
const columns = [
  column("item", "STRING"),
  column("n", "integer"),
  column("at", "TIMESTAMP_MILLS"),
  column("lat", "decimal"),
  column("lng", "decimal"),
  { ...column("place", "STRING"), combined: { type: "COORDINATES" as const, fields: ["lat", "lng"], joinedBy: ", " } },
];
const base = {
  category: "Tests",
  schema: { columns },
  temporalField: "at",
  locationField: "place",
  mapSupport: { groupItemField: "item", itemLocationField: "place", itemTemporalField: "at" },
  filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
};

beforeAll(async () => {
  app = await datasetApp({ limits: { mapItems: 3, pathPointsPerCall: 4, pathMinimumIntervalMs: 2_000 } });
  await app.bench.prepare(`copy (
    select 'item ' || (i % 3) as item, i as n, timestamp '1969-12-31 23:59:55' + to_seconds(i // 3) as at, i / 10 as lat, -i / 10 as lng
    from range(30) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, { ...base, id: "tracks" });
});
afterAll(() => app.close());

const post = <Body>(path: string, body: unknown) => app.call<Body>([], "POST", `/datasets/Tests/${path}`, body);
const ns = async (path: string, body: unknown) => (await post<SearchAnswer>(path, body)).body.results.map((row) => row["n"]);

describe("the last rows", () => {
  it("[MAP-08] are one per item, its newest one, with every column", async () => {
    const { status, text } = await post("tracks/search/last", {});
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        results: [27, 28, 29].map((n) => ({ item: `item ${n % 3}`, n, at: 4_000, lat: n / 10, lng: -n / 10 })),
      },
    ]);
  });

  it("[MAP-07] are those of the search's filters and time range", async () => {
    expect(await ns("tracks/search/last", { timeRange: { start: "1969-12-31T23:59:55Z", end: "1969-12-31T23:59:57Z" } })).toEqual([
      6, 7, 8,
    ]);
    expect(await ns("tracks/search/last", { filters: [{ name: "item", operator: "=", value: "item 1" }] })).toEqual([28]);
  });
});

const item = { filters: [{ name: "item", operator: "=", value: "item 1" }] };

describe("the path of an item", () => {
  it("[MAP-11] [SEARCH-59] comes in pages in time order, with the columns asked for", async () => {
    const body = { ...item, minimumIntervalMs: 0, columns: ["n", "at"], paging: { offset: 2, max: 3 } };
    expect((await post("tracks/search/path", body)).body).toEqual({
      results: [
        { n: 7, at: -3_000 },
        { n: 10, at: -2_000 },
        { n: 13, at: -1_000 },
      ],
    });
  });

  it("[MAP-11] keeps the first point of every interval", async () => {
    expect(await ns("tracks/search/path", { ...item, paging: { offset: 0, max: 4 } })).toEqual([1, 4, 10, 16]);
  });

  it("[MAP-12] is counted as it would come", async () => {
    expect((await post("tracks/count/path", item)).body).toEqual({ totalResults: 6 });
    expect((await post("tracks/count/path", { ...item, minimumIntervalMs: 0 })).body).toEqual({ totalResults: 10 });
  });

  it("is refused without an item", async () => {
    const { status, body } = await post<ErrorBody>("tracks/search/path", {});
    expect([status, body.errors[0]?.code, body.errors[0]?.path]).toEqual([400, "missing-filter", "filters"]);
  });
});
