import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchAnswer, SearchDataDraft } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, buildFilter, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;

const airports = {
  datasetCategory: "Aviation",
  datasetId: "airports",
};
const from = {
  id: "from",
  dataset: airports,
  key: [{ column: "origin", on: "iata" }],
  columns: [
    { from: "state", name: "origin_state" },
    { from: "lat", name: "origin_lat" },
    { from: "lng", name: "origin_lng" },
  ],
};

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (select * from (values
    (1, 'ATL', 20, 10.0, timestamp '2024-03-31 00:30:00'),
    (2, 'ORD', 5, 0.0, timestamp '2024-03-31 01:30:00'),
    (3, 'SFO', null, 2.5, timestamp '2024-03-31 02:30:00'),
    (4, null, 40, null, null),
    (5, 'xyz', 16, 4.0, timestamp '2024-04-01 00:00:00'),
    (6, ' atl', -3, 1.0, timestamp '2024-04-01 12:00:00')
  ) as flights(id, origin, delay, hours, "at")) to 'FOLDER/flights.parquet' (format parquet)`);
  await app.bench.prepare(`copy (select * from (values
    ('ATL', 'GA', 33.64, -84.43, 1), ('ORD', 'IL', 41.98, -87.9, 2), ('SFO', 'CA', 37.62, -122.37, 3),
    ('SFO', 'CA', 37.0, null, 3), (null, 'XX', 1.0, 1.0, 9), ('DFW', 'TX', 32.9, -97.0, null)
  ) as airports(iata, state, lat, lng, code)) to 'FOLDER/airports.parquet' (format parquet)`);
  const plain = {
    id: buildColumn("id", "integer"),
    origin: buildColumn("origin", "STRING"),
    delay: buildColumn("delay", "integer", { unit: "min" }),
    hours: buildColumn("hours", "decimal"),
    at: buildColumn("at", "TIMESTAMP_MILLS"),
  };
  const flights = {
    category: "Aviation",
    source: { kind: "files", glob: "flights.parquet", format: "parquet" } as const,
    orderBy: [{ column: "id", direction: "asc" as const }],
  };
  await addDataset(app, { ...flights, id: "flights", schema: { columns: Object.values(plain) }, temporalField: "at" });
  const airportColumns = [
    buildColumn("iata", "STRING"),
    buildColumn("state", "STRING", { label: "State" }),
    buildColumn("lat", "decimal"),
    buildColumn("lng", "decimal"),
    buildColumn("code", "integer"),
  ];
  const airport = {
    category: "Aviation",
    source: { kind: "files", glob: "airports.parquet", format: "parquet" },
    schema: { columns: airportColumns },
  } as const;
  await addDataset(app, { ...airport, id: "airports" });
  await addDataset(app, { ...airport, id: "insiders", roles: ["insider"] });
  await addDataset(app, {
    ...airport,
    id: "fixed",
    filterSupport: buildFilterSupport({ preFilledFilters: [buildFilter("state", { value: "GA", preFilled: true })] }),
  });
  await addDataset(app, {
    ...airport,
    id: "required",
    filterSupport: buildFilterSupport({ staticFilters: [buildFilter("state", { required: true })] }),
  });
  await addDataset(app, {
    ...flights,
    id: "shaped",
    schema: {
      columns: [
        ...Object.values(plain),
        buildColumn("late", "BOOLEAN", { computed: { expression: "delay > 15" } }),
        buildColumn("where", "STRING", { computed: { expression: "coalesce(state, '?') || '/' || text(late)" } }),
        buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
      ],
    },
    lookups: [
      {
        id: "from",
        dataset: { datasetCategory: "Aviation", datasetId: "insiders" },
        key: [{ column: "origin", on: "iata" }],
        columns: [
          { from: "state", name: "state" },
          { from: "lat", name: "lat" },
          { from: "lng", name: "lng" },
        ],
      },
    ],
    locationField: "place",
    temporalField: "at",
    mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
    filterSupport: buildFilterSupport({ supportsGeospatial: true, supportsTimeRange: true }),
  });
});
afterAll(() => app.close());

const search = async (data: SearchDataDraft, dataset = "flights", roles: readonly string[] = []) => {
  const { body } = await app.call<SearchAnswer>(roles, "POST", `/datasets/Aviation/${dataset}/search`, data);
  return body.results;
};
const refused = async (data: SearchDataDraft, dataset = "flights", roles: readonly string[] = []) => {
  const { status, body } = await app.call(roles, "POST", `/datasets/Aviation/${dataset}/search`, data);
  return { status, ...body };
};
const late = { name: "late", expression: "delay > 15" };

describe("computed columns of a search", () => {
  it("are columns of its rows", async () => {
    const rows = await search({ computed: [late, { name: "speed", expression: "10 / hours" }] });
    expect(rows.map(({ id, late: isLate, speed }) => [id, isLate, speed])).toEqual([
      [1, true, 1],
      [2, false, null],
      [3, null, 4],
      [4, true, null],
      [5, true, 2.5],
      [6, false, 10],
    ]);
  });

  it("are filtered and sorted by, also those that others are made of", async () => {
    const computed = [late, { name: "twice", expression: "delay * 2" }, { name: "sum", expression: "twice + delay" }];
    const rows = await search({
      computed,
      filters: [{ name: "late", operator: "=", value: true }],
      sort: [{ column: "sum", direction: "desc" }],
      paging: { offset: 1, max: 2 },
    });
    expect(rows.map(({ id, sum }) => [id, sum])).toEqual([
      [1, 60],
      [5, 48],
    ]);
  });

  it("pages keep the order of the rows", async () => {
    const pages = await Promise.all([0, 2, 4].map((offset) => search({ computed: [late], paging: { offset, max: 2 } })));
    expect(pages.flat().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it("are counted, aggregated, profiled, suggested and grouped by", async () => {
    const computed = [
      late,
      { name: "kind", expression: "if(late, 'late', 'on time')" },
      { name: "day", expression: "start_of(at, 'day', 'Europe/Berlin')" },
    ];
    const path = "/datasets/Aviation/flights";
    const [rowCount, average, profile, suggestions, breakdown, byDay] = await Promise.all([
      app.call([], "POST", `${path}/rowCount`, { computed, filters: [{ name: "late", operator: "=", value: true }] }),
      app.call([], "POST", `${path}/aggregate/avg/tenth`, { computed: [{ name: "tenth", expression: "delay / 10" }], filters: [] }),
      app.call([], "POST", `${path}/columns/kind/profile`, { computed, filters: [] }),
      app.call([], "POST", `${path}/columns/kind/suggest`, { contains: "", search: { computed, filters: [] } }),
      app.call<{ by: { entries: { label: unknown }[] }[]; cells: { values: unknown[] }[] }>([], "POST", `${path}/breakdown`, {
        search: { computed, filters: [] },
        by: [{ id: "k", kind: "value", column: "kind" }],
        measures: [{ id: "n", aggregation: "count" }],
      }),
      app.call<{ cells: { values: unknown[] }[] }>([], "POST", `${path}/breakdown`, {
        search: { computed, filters: [] },
        by: [{ id: "d", kind: "time", column: "day", unit: "day", zone: "Europe/Berlin" }],
        measures: [{ id: "n", aggregation: "count" }],
      }),
    ]);
    expect(rowCount.body).toEqual({ rows: 3 });
    expect(average.body).toEqual({ "avg(tenth)": 1.56 });
    expect(profile.status).toBe(200);
    expect(suggestions.body).toMatchObject({
      complete: true,
      values: [{ value: "late" }, { value: "on time" }],
    });
    expect(breakdown.body.cells.map(({ values }) => values)).toEqual([[3], [3]]);
    expect(byDay.status).toBe(200);
  });

  it("are refused with the place of the mistake", async () => {
    expect(await refused({ computed: [late, { name: "wrong", expression: "1 + dealy" }] })).toEqual({
      status: 400,
      errors: [
        {
          code: "invalid-value",
          message: "There is no column 'dealy'. Did you mean 'delay'?",
          path: "computed.1.expression",
          at: { from: 4, to: 9 },
        },
      ],
    });
    expect(await refused({ computed: [{ name: "Delay", expression: "1" }] })).toMatchObject({
      errors: [{ code: "invalid-value", path: "computed.0.name", message: "There is another column 'Delay'." }],
    });
  });

  it("are in no search that does not bring them: a filter that names one fails", async () => {
    expect(await refused({ filters: [{ name: "late", operator: "=", value: true }] })).toMatchObject({
      errors: [{ code: "unknown-column" }],
    });
  });

  it("more than 20, or more than five levels, are refused", async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ name: `c${index}`, expression: "1" }));
    expect(await refused({ computed: many })).toMatchObject({ status: 400, errors: [{ path: "computed" }] });
    const deep = Array.from({ length: 6 }, (_, index) => ({ name: `c${index}`, expression: index === 0 ? "delay" : `c${index - 1} + 1` }));
    expect(await refused({ computed: deep })).toMatchObject({ errors: [{ code: "invalid-value", path: "computed.5.expression" }] });
    expect(await search({ computed: deep.slice(0, 5) })).toHaveLength(6);
  });
});

describe("lookups of a search", () => {
  it("add columns where all rows of a key agree, and never rows", async () => {
    const rows = await search({ lookups: [from] });
    expect(rows.map((row) => [row["id"], row["origin_state"], row["origin_lat"], row["origin_lng"]])).toEqual([
      [1, "GA", 33.64, -84.43],
      [2, "IL", 41.98, -87.9],
      [3, "CA", null, null],
      [4, null, null, null],
      [5, null, null, null],
      [6, null, null, null],
    ]);
  });

  it("loosely, ignore case and outer spaces", async () => {
    const rows = await search({ lookups: [{ ...from, match: "loose" }] });
    expect(rows.map((row) => row["origin_state"])).toEqual(["GA", "IL", "CA", null, null, "GA"]);
  });

  it("are filtered, sorted and grouped by, and used by computed columns, which keys may use", async () => {
    const lookups = [{ ...from, key: [{ column: "key", on: "iata" }] }];
    const computed = [
      { name: "key", expression: "upper(trim(origin))" },
      { name: "place", expression: "origin_state || ' ' || key" },
    ];
    const rows = await search({
      lookups,
      computed,
      filters: [{ name: "origin_state", operator: "in", value: ["GA", "CA"] }],
      sort: [{ column: "place", direction: "asc" }],
    });
    expect(rows.map(({ id, place }) => [id, place])).toEqual([
      [3, "CA SFO"],
      [1, "GA ATL"],
      [6, "GA ATL"],
    ]);
  });

  it("compare numbers by their value", async () => {
    const key = [{ column: "tenth", on: "code" }];
    const rows = await search({ computed: [{ name: "tenth", expression: "hours / 2.5" }], lookups: [{ ...from, key }] });
    expect(rows.map((row) => row["origin_state"])).toEqual([null, null, "GA", null, null, null]);
  });

  it("apply the filters that the other dataset always has", async () => {
    const rows = await search({ lookups: [{ ...from, dataset: { ...airports, datasetId: "fixed" } }] });
    expect(rows.map((row) => row["origin_state"])).toEqual(["GA", null, null, null, null, null]);
  });

  it.each([
    ["nothing of that name", "nowhere"],
    ["one that the reader may not know of", "insiders"],
  ])("refuse %s alike", async (_, datasetId) => {
    expect(await refused({ lookups: [{ ...from, dataset: { ...airports, datasetId } }] })).toEqual({
      status: 400,
      errors: [{ code: "invalid-value", message: "There is no such dataset, or you don't have access to it.", path: "lookups.0.dataset" }],
    });
  });

  it("refuse required filters, keys of two kinds, and columns that are not there", async () => {
    expect(await refused({ lookups: [{ ...from, dataset: { ...airports, datasetId: "required" } }] })).toMatchObject({
      errors: [{ code: "not-supported", path: "lookups.0.dataset" }],
    });
    expect(await refused({ lookups: [{ ...from, key: [{ column: "origin", on: "code" }] }] })).toMatchObject({
      errors: [{ message: "'origin' is text and 'code' is a number; use text(code) or number(origin).", path: "lookups.0.key.0" }],
    });
    expect(await refused({ lookups: [{ ...from, columns: [{ from: "city", name: "city" }] }] })).toMatchObject({
      errors: [{ code: "unknown-column", path: "lookups.0.columns.0.from" }],
    });
  });
});

describe("columns of a dataset", () => {
  const names = async (roles: readonly string[]) => {
    const { body } = await app.call<DatasetDescription>(roles, "GET", "/datasets/Aviation/shaped/describe");
    return {
      columns: body.schema.columns.map(({ name }) => name),
      map: body.mapSupport !== null,
      place: body.filterSupport.supportsGeospatial,
    };
  };

  it("are described to readers who may read what they are made of, and absent for others", async () => {
    const plain = ["id", "origin", "delay", "hours", "at"];
    expect(await names(["insider"])).toEqual({
      columns: [...plain, "late", "where", "place", "state", "lat", "lng"],
      map: true,
      place: true,
    });
    expect(await names([])).toEqual({ columns: [...plain, "late"], map: false, place: false });
  });

  it("are searched, and place rows on the map", async () => {
    const rows = await search({}, "shaped", ["insider"]);
    expect(rows.map((row) => row["where"])).toEqual(["GA/true", "IL/false", null, "?/true", "?/true", "?/false"]);
    const area = { polygons: ["-90 30, -80 30, -80 40, -90 40, -90 30"], antimeridianPolygons: false };
    expect((await search({ geospatial: area }, "shaped", ["insider"])).map(({ id }) => id)).toEqual([1]);
    const { status, body } = await app.call<SearchAnswer>(["insider"], "POST", "/datasets/Aviation/shaped/search/last", {
      filters: [],
    });
    expect([status, body.results.length]).toEqual([200, 5]);
  });

  it("that a reader may not know of are unknown", async () => {
    const filters = [{ name: "state", operator: "=", value: "GA" }];
    expect(await refused({ filters }, "shaped")).toMatchObject({
      errors: [{ code: "unknown-column", message: "This dataset has no column 'state'." }],
    });
    expect(await refused({ computed: [{ name: "x", expression: "state" }] }, "shaped")).toMatchObject({
      errors: [{ path: "computed.0.expression" }],
    });
    expect(await search({ filters }, "shaped", ["insider"])).toHaveLength(1);
  });

  it("are in the schema, and in Arrow", async () => {
    const { body } = await app.call<{ columns: { name: string }[] }>(["insider"], "GET", "/datasets/Aviation/shaped/schema");
    expect(body.columns.map(({ name }) => name)).toContain("where");
    const arrow = await app.call(["insider"], "POST", "/datasets/Aviation/shaped/search", {}, "application/vnd.apache.arrow.stream");
    expect(arrow.status).toBe(200);
    expect(arrow.bytes.includes("GA/true")).toBe(true);
  });
});
