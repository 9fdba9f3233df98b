import type { DatasetDescription } from "@fairway/contract/datasets";
import type { ErrorBody } from "@fairway/contract/errors";
import type { SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { externalDatasets } from "#entities/entity-types.ts";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp, buildColumn } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [
  buildColumn("item", "STRING"),
  buildColumn("n", "integer"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("lat", "decimal"),
  buildColumn("lng", "decimal"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
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
  await addDataset(app, { ...base, id: "secret", roles: ["insider"] });
  await addDataset(app, { ...base, id: "mapless", mapSupport: null });
  await addDataset(app, { ...base, id: "unpaged", features: [] });
  const preFilled = {
    id: "n",
    name: "n",
    display: "n",
    description: "",
    required: false,
    type: "integer",
    value: 15,
    operator: "<",
  } as const;
  await addDataset(app, {
    ...base,
    id: "offered",
    filterSupport: buildFilterSupport({
      supportsAdvancedFiltering: false,
      supportsTimeRange: true,
      requiredOrFields: ["item"],
      preFilledFilters: [{ ...preFilled, preFilled: true }],
    }),
  });
  await app.entities.create(externalDatasets, {
    name: "Services",
    baseRoute: "http://localhost:1",
    apis: [{ name: "calls", path: "/", method: 0, filters: [] }],
  });
});
afterAll(() => app.close());

const post = <Body>(path: string, body: unknown) => app.call<Body>([], "POST", `/datasets/Tests/${path}`, body);
const ns = async (path: string, body: unknown) => (await post<SearchAnswer>(path, body)).body.results.map((row) => row["n"]);

describe("the last rows", () => {
  it("[MAP-08] are the newest row of each item, with every column", async () => {
    const { status, text } = await post("tracks/search/last", {});
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        results: [27, 28, 29].map((n) => ({ item: `item ${n % 3}`, n, at: 4_000, lat: n / 10, lng: -n / 10 })),
      },
    ]);
  });

  it("[MAP-07] are restricted by the search's filters and time range", async () => {
    expect(await ns("tracks/search/last", { timeRange: { start: "1969-12-31T23:59:55Z", end: "1969-12-31T23:59:57Z" } })).toEqual([
      6, 7, 8,
    ]);
    expect(await ns("tracks/search/last", { filters: [{ name: "item", operator: "=", value: "item 1" }] })).toEqual([28]);
  });
});

const item = { filters: [{ name: "item", operator: "=", value: "item 1" }] };

describe("the last rows", () => {
  it("[MAP-07] are truncated at the operator's limit of items, keeping the newest", async () => {
    const { body } = await post<SearchAnswer>("tracks/search/last", { filters: [{ name: "item", operator: "<>", value: "item 2" }] });
    expect([body.results.length, body.truncated]).toEqual([2, undefined]);
    await addDataset(app, { ...base, id: "many", mapSupport: { ...base.mapSupport, groupItemField: "n" } });
    const many = await post<SearchAnswer>("many/search/last", {});
    expect([many.body.results.map((row) => row["at"]), many.body.truncated]).toEqual([[4_000, 4_000, 4_000], true]);
  });

  it("are sorted as requested", async () => {
    const sort = [{ column: "item", direction: "desc" }];
    expect(await ns("tracks/search/last", { sort })).toEqual([29, 28, 27]);
  });

  it("[SEARCH-58] are restricted by the dataset's own filters", async () => {
    const timeRange = { start: "1969-01-01T00:00:00Z", end: "1971-01-01T00:00:00Z" };
    expect(await ns("offered/search/last", { timeRange })).toEqual([12, 13, 14]);
  });

  it("[MAP-07] are empty when nothing matches", async () => {
    const { text } = await post("tracks/search/last", { filters: [{ name: "item", operator: "=", value: "nobody" }] });
    expect(text).toBe('{"results":[]}');
  });
});

describe("the path of an item", () => {
  it("[MAP-11] [SEARCH-59] is paged in time order, with the requested columns", async () => {
    const body = { ...item, minimumIntervalMs: 0, columns: ["n", "at"], paging: { offset: 2, max: 3 } };
    expect((await post("tracks/search/path", body)).body).toEqual({
      results: [
        { n: 7, at: -3_000 },
        { n: 10, at: -2_000 },
        { n: 13, at: -1_000 },
      ],
    });
  });

  it("[MAP-11] contains the first point of each interval", async () => {
    expect(await ns("tracks/search/path", { ...item, paging: { offset: 0, max: 4 } })).toEqual([1, 4, 10, 16]);
  });

  it("[MAP-12] is counted with the interval applied", async () => {
    expect((await post("tracks/count/path", item)).body).toEqual({ totalResults: 6 });
    expect((await post("tracks/count/path", { ...item, minimumIntervalMs: 0 })).body).toEqual({ totalResults: 10 });
  });

  it("[MAP-11] defaults to the first page, with truncated set if there is more", async () => {
    const first = await post<SearchAnswer>("tracks/search/path", item);
    expect([first.body.results.length, first.body.truncated]).toEqual([4, true]);
    const few = await post<SearchAnswer>("tracks/search/path", { ...item, minimumIntervalMs: 4_000 });
    expect([few.body.results.map((row) => row["n"]), few.body.truncated]).toEqual([[1, 4, 16, 28], undefined]);
  });

  it("[MAP-11] is paged even if searches are not, and always allows the filter by item", async () => {
    expect(await ns("unpaged/search/path", { ...item, paging: { offset: 1, max: 1 } })).toEqual([4]);
    const body = { ...item, minimumIntervalMs: 0, columns: ["n"] };
    expect(await ns("offered/search/path", body)).toEqual([1, 4, 7, 10]);
    expect((await post("offered/count/path", body)).body).toEqual({ totalResults: 5 });
  });

  it("[MAP-11] is restricted by the search's time range", async () => {
    const timeRange = { start: "1969-12-31T23:59:59Z", end: "1970-01-01T00:00:01Z" };
    expect(await ns("tracks/search/path", { ...item, minimumIntervalMs: 0, timeRange })).toEqual([13, 16, 19]);
  });
});

const one = item.filters;
const path = "tracks/search/path";
const countPath = "tracks/count/path";
const last = "tracks/search/last";

describe("map calls refuse, naming the path,", () => {
  it.each<[string, string, object, string, string | undefined]>([
    ["a path without an item", path, {}, "missing-filter", "filters"],
    ["a count of a path without an item", countPath, {}, "missing-filter", "filters"],
    ["a path of all items except one", path, { filters: [{ ...one[0], operator: "<>" }] }, "missing-filter", "filters"],
    ["a path of one item and those after it", path, { filters: [{ ...one[0], operator: ">=" }] }, "missing-filter", "filters"],
    ["a combined column", path, { filters: one, columns: ["n", "place"] }, "not-supported", "columns.1"],
    ["an unknown column", path, { filters: one, columns: ['n", 1 as "x'] }, "unknown-column", "columns.0"],
    ["an unknown column of a count", countPath, { filters: one, columns: ["none"] }, "unknown-column", "columns.0"],
    ["a duplicate column", path, { filters: one, columns: ["n", "n"] }, "invalid-request", "columns.1"],
    ["an empty list of columns", path, { filters: one, columns: [] }, "invalid-request", "columns"],
    [
      "more columns than the dataset has",
      path,
      { filters: one, columns: Array.from({ length: 6 }, () => "n") },
      "invalid-request",
      "columns",
    ],
    ["a negative interval", path, { filters: one, minimumIntervalMs: -1 }, "invalid-request", "minimumIntervalMs"],
    ["a fractional interval", path, { filters: one, minimumIntervalMs: 0.5 }, "invalid-request", "minimumIntervalMs"],
    ["an interval beyond a year", path, { filters: one, minimumIntervalMs: 31_536_000_001 }, "invalid-request", "minimumIntervalMs"],
    ["too large a page", path, { filters: one, paging: { offset: 0, max: 5 } }, "invalid-request", "paging.max"],
    ["a sort order for a path", path, { filters: one, sort: [] }, "not-supported", "sort"],
    [
      "an invalid filter of a path",
      path,
      { filters: [...one, { name: "n", operator: "=", value: "x" }] },
      "invalid-value",
      "filters.1.value",
    ],
    ["an item value of the wrong type", path, { filters: [{ ...one[0], value: 7 }] }, "invalid-value", "filters.0.value"],
    ["paging of last rows", last, { paging: { offset: 0, max: 1 } }, "not-supported", "paging"],
    ["columns of last rows", last, { columns: ["n"] }, "not-supported", "columns"],
    ["an unknown filter of last rows", last, { filters: [{ name: "none", operator: "=", value: 1 }] }, "unknown-column", "filters.0.name"],
    ["an unknown sort column of last rows", last, { sort: [{ column: "none", direction: "asc" }] }, "unknown-column", "sort.0.column"],
    ["last rows without a required filter", "offered/search/last", {}, "missing-filter", "filters"],
    ["a filter that is not offered", "offered/search/last", { filters: one }, "not-supported", "filters.0.name"],
    ["last rows without a map", "mapless/search/last", {}, "not-supported", undefined],
    ["a path without a map", "mapless/search/path", item, "not-supported", undefined],
    ["a count without a map", "mapless/count/path", item, "not-supported", undefined],
  ])("%s", async (_, call, body, code, at) => {
    const { status, body: response } = await post<ErrorBody>(call, body);
    expect([status, response.errors[0]?.code, response.errors[0]?.path]).toEqual([400, code, at]);
  });

  it("maps and graphs of external datasets", async () => {
    const graph = { search: {}, groups: [{ id: "a" }], aggregations: [{ aggregation: "count", column: "*" }] };
    for (const [call, body] of [
      ["search/last", {}],
      ["search/path", {}],
      ["count/path", {}],
      ["aggregate", graph],
    ] as const) {
      const response = await app.call([], "POST", `/datasets/Services/calls/${call}`, body);
      expect([call, response.status, response.body.errors[0]?.code]).toEqual([call, 400, "not-supported"]);
    }
    const described = await app.call<DatasetDescription>([], "GET", "/datasets/Services/calls/describe");
    expect(described.body.mapSupport).toBeNull();
  });
});

describe("map calls", () => {
  it.each(["search/last", "search/path", "count/path"])("%s is available only to holders of a role of the dataset", async (call) => {
    const request = (roles: readonly string[] | "nobody") => app.call(roles, "POST", `/datasets/Tests/secret/${call}`, item);
    expect([(await request(["insider"])).status, (await request(["admin"])).status, (await request("nobody")).status]).toEqual([
      200, 404, 401,
    ]);
  });
});

describe("the tracks of all items", () => {
  it("hold item, time and position, as many as the operator's limits allow, of the items seen last", async () => {
    const { status, body } = await post<SearchAnswer>("tracks/search/tracks", {});
    expect([status, body.truncated]).toEqual([200, undefined]);
    expect(new Set(body.results.map((row) => Object.keys(row).join()))).toEqual(new Set(["item,at,lat,lng"]));
    expect(new Set(body.results.map((row) => row["item"]))).toEqual(new Set(["item 0", "item 1"]));
    const times = body.results.filter((row) => row["item"] === "item 1").map((row) => Number(row["at"]));
    expect(times.toSorted((a, b) => a - b)).toEqual([-5, -4, -3, -2, -1, 0, 1, 2, 3, 4].map((second) => second * 1_000));
  });

  it("are restricted by the search, and refuse paging, columns, sort and what has no map", async () => {
    const { body } = await post<SearchAnswer>("tracks/search/tracks", {
      ...item,
      timeRange: { start: "1970-01-01T00:00:03Z", end: "1970-01-02T00:00:00Z" },
    });
    expect(body.results.map((row) => `${String(row["item"])} ${Number(row["at"])}`).toSorted()).toEqual(["item 1 3000", "item 1 4000"]);
    const refused = await post<ErrorBody>("tracks/search/tracks", {
      paging: { offset: 0, max: 1 },
      columns: ["n"],
      sort: [{ column: "n", direction: "asc" }],
    });
    expect(refused.body.errors.map(({ path }) => path)).toEqual(["columns", "paging", "sort"]);
    expect((await post("mapless/search/tracks", {})).status).toBe(400);
    expect((await post("secret/search/tracks", {})).status).toBe(404);
  });

  it("hold the requested values, with the rows of the least and the greatest number in each part", async () => {
    const { status, body } = await post<SearchAnswer>("tracks/search/tracks", { ...item, values: ["n"] });
    expect([status, body.truncated]).toEqual([200, undefined]);
    const found = body.results.toSorted((one, other) => Number(one["at"]) - Number(other["at"]));
    expect(found[0]).toEqual({ item: "item 1", at: -5_000, lat: 0.1, lng: -0.1, n: 1 });
    // 40 points in 13 parts: every row is the first one of a part, or its greatest.
    expect(found.map((row) => row["n"])).toEqual([1, 4, 7, 10, 13, 16, 19, 22, 25, 28]);
  });

  it("are refined in a view, which does not narrow them", async () => {
    const outside = { within: [100, 50, 101, 51], level: 8 };
    const plain = await post<SearchAnswer>("tracks/search/tracks", item);
    const elsewhere = await post<SearchAnswer>("tracks/search/tracks", { ...item, ...outside });
    expect(new Set(elsewhere.body.results.map((row) => row["at"]))).toEqual(new Set(plain.body.results.map((row) => row["at"])));
    const inside = await post<SearchAnswer>("tracks/search/tracks", { within: [-4, -1, 1, 4], level: 12 });
    expect(new Set(inside.body.results.map((row) => row["item"]))).toEqual(new Set(["item 0", "item 1"]));
  });

  it.each<[string, object, string, string]>([
    ["a level without a view", { level: 4 }, "invalid-request", "level"],
    ["a view without a level", { within: [0, 0, 1, 1] }, "not-supported", "within"],
    ["a level that is none", { level: 24.5, within: [0, 0, 1, 1] }, "invalid-request", "level"],
    ["a view that is none", { level: 4, within: [0, 1, 1] }, "invalid-value", "within"],
    ["an unknown value", { values: ["none"] }, "unknown-column", "values.0"],
    ["a combined value", { values: ["n", "place"] }, "not-supported", "values.1"],
    ["a value twice", { values: ["n", "n"] }, "invalid-request", "values.1"],
    ["more than five values", { values: ["n", "at", "lat", "lng", "item", "n"] }, "invalid-request", "values"],
  ])("refuse %s", async (_, body, code, at) => {
    const { status, body: response } = await post<ErrorBody>("tracks/search/tracks", body);
    expect([status, response.errors[0]?.code, response.errors[0]?.path]).toEqual([400, code, at]);
  });

  it("are refused for external datasets, whatever is asked", async () => {
    for (const body of [{}, { values: ["n"] }, { level: 4, within: [0, 0, 1, 1] }]) {
      const { status, body: response } = await app.call([], "POST", "/datasets/Services/calls/search/tracks", body);
      expect([status, response.errors[0]?.message]).toEqual([400, "The results of this dataset cannot be shown on a map."]);
    }
  });
});
