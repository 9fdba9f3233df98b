import type { LookupReport, LookupTarget } from "@fairway/contract/lookups";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, buildFilter, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;

const ref = (datasetId: string) => ({ datasetCategory: "Aviation", datasetId });
const airportColumns = [
  buildColumn("iata", "STRING"),
  buildColumn("state", "STRING"),
  buildColumn("lat", "decimal"),
  buildColumn("number", "integer"),
];

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (select * from (values
    (1, 'ATL', 20, timestamp '2024-03-31 00:30:00'), (2, 'ORD', 5, timestamp '2024-03-31 01:30:00'),
    (3, 'ATL', 7, null), (4, null, 40, null), (5, 'xyz', 16, null), (6, ' sfo', -3, null), (7, 'ATL', 1, null), (8, 'ORD', 1, null)
  ) as flights(id, origin, delay, "at")) to 'FOLDER/flights.parquet' (format parquet)`);
  await app.bench.prepare(`copy (select * from (values
    ('ATL', 'GA', 33.64, 1), ('ORD', 'IL', 41.98, 2), ('SFO', 'CA', 37.62, 3), ('SFO', 'CA', 37.0, 3), (null, 'XX', 1.0, 9),
    ('DFW', 'TX', 32.9, null)
  ) as airports(iata, state, lat, number)) to 'FOLDER/airports.parquet' (format parquet)`);
  const airport = {
    category: "Aviation",
    source: { kind: "files", glob: "airports.parquet", format: "parquet" },
    schema: { columns: airportColumns },
  } as const;
  await addDataset(app, {
    category: "Aviation",
    id: "flights",
    source: { kind: "files", glob: "flights.parquet", format: "parquet" },
    schema: {
      columns: [
        buildColumn("id", "integer"),
        buildColumn("origin", "STRING"),
        buildColumn("delay", "integer"),
        buildColumn("at", "TIMESTAMP_MILLS"),
      ],
    },
    linkedDatasets: [{ ...ref("required"), display: "Airport", filters: [{ name: "iata", operator: "=", fromColumn: "origin" }] }],
  });
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
  await addDataset(app, { ...airport, id: "table", source: { kind: "table", name: "a.b.c" } });
});
afterAll(() => app.close());

const report = (body: object, roles: readonly string[] = []) =>
  app.call<LookupReport>(roles, "POST", "/datasets/Aviation/flights/lookupReport", body);

describe("datasets that may be looked up", () => {
  it("are those that the reader may use, with the reason why some cannot be", async () => {
    const { body } = await app.call<LookupTarget[]>([], "GET", "/datasets/Aviation/flights/lookupTargets");
    expect(body.map(({ datasetId, reason }) => [datasetId, reason])).toEqual([
      ["airports", null],
      ["fixed", null],
      ["required", "'required' has required filters, so that its columns cannot be looked up."],
      ["table", "'table' is on another engine; a lookup needs both datasets on the same one."],
    ]);
  });

  it("have a likely key by names and links", async () => {
    const { body } = await app.call<LookupTarget[]>([], "GET", "/datasets/Aviation/flights/lookupTargets");
    expect(body.find(({ datasetId }) => datasetId === "airports")?.key).toEqual({ column: "origin", on: "iata" });
  });
});

describe("a report on a lookup", () => {
  it("proposes the key whose values are found, and counts them", async () => {
    const { status, body } = await report({ dataset: ref("airports") });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      key: [{ column: "origin", on: "iata" }],
      columns: ["iata", "state", "lat", "number"],
      values: 4,
      found: 2,
      complete: true,
      others: { keys: 4, repeated: 1, first: ["SFO"] },
    });
    expect(body.rows).toEqual([
      { key: ["ATL"], values: { iata: "ATL", state: "GA", lat: 33.64, number: 1 } },
      { key: ["ORD"], values: { iata: "ORD", state: "IL", lat: 41.98, number: 2 } },
      { key: [" sfo"], values: null },
      { key: ["xyz"], values: null },
    ]);
  });

  it("ignores case and outer spaces where asked to, and has no value where rows of a key differ", async () => {
    const { body } = await report({ dataset: ref("airports"), match: "loose", key: [{ column: "origin", on: "iata" }] });
    expect(body).toMatchObject({ values: 4, found: 3 });
    expect(body.rows.find(({ key }) => key[0] === " sfo")?.values).toEqual({ iata: "SFO", state: "CA", lat: null, number: 3 });
  });

  it("is about the rows of a search and its columns", async () => {
    const search = {
      computed: [{ name: "code", expression: "upper(trim(origin))" }],
      filters: [{ name: "id", operator: "<", value: 7 }],
    };
    const { body } = await report({ dataset: ref("airports"), search, column: "code" });
    expect(body).toMatchObject({ key: [{ column: "code", on: "iata" }], values: 4, found: 3 });
  });

  it("takes several pairs", async () => {
    const key = [
      { column: "origin", on: "iata" },
      { column: "id", on: "number" },
    ];
    const { body } = await report({ dataset: ref("airports"), key });
    expect(body).toMatchObject({ key, values: 7, found: 2, others: { keys: 3, repeated: 1, first: ["SFO", 3] } });
  });

  it("sees the rows that the other dataset's own filters leave", async () => {
    const { body } = await report({ dataset: ref("fixed") });
    expect(body).toMatchObject({ found: 1, others: { keys: 1, repeated: 0, first: null } });
  });

  it("refuses text against a number, and columns that do not exist", async () => {
    expect(await report({ dataset: ref("airports"), key: [{ column: "origin", on: "number" }] })).toMatchObject({
      status: 400,
      body: {
        errors: [{ message: "'origin' is text and 'number' is a number; use text(number) or number(origin).", path: "key.0" }],
      },
    });
    const missing = [
      { column: "none", on: "iata" },
      { column: "origin", on: "none" },
    ];
    expect(await report({ dataset: ref("airports"), key: missing })).toMatchObject({
      status: 400,
      body: { errors: [{ path: "key.0.column" }, { path: "key.1.on" }] },
    });
  });

  it("answers for a dataset that the reader may not know of as for one that does not exist", async () => {
    const [hidden, missing] = [await report({ dataset: ref("insiders") }), await report({ dataset: ref("none") })];
    expect(hidden.status).toBe(400);
    expect(hidden).toMatchObject({ status: missing.status, body: missing.body });
    expect((await report({ dataset: ref("insiders") }, ["insider"])).status).toBe(200);
  });

  it("refuses datasets that cannot be looked up with the reason", async () => {
    expect(await report({ dataset: ref("required") })).toMatchObject({
      status: 400,
      body: { errors: [{ code: "not-supported", path: "dataset" }] },
    });
  });
});
