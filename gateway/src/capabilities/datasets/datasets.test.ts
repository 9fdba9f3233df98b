import type { AccessList, DatasetDescription, DatasetSchema, FieldFilter } from "@fairway/contract/datasets";
import { moreOperator } from "@fairway/contract/filters";
import type { OwnDatasetRecord } from "#own-data/own-datasets.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { internalDatasets } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import {
  type DatasetApp,
  addDataset,
  buildDataset,
  buildFilter,
  buildFilterSupport,
  datasetApp,
  buildColumn,
} from "#testing/dataset-app.ts";
import { secretKey } from "#testing/secret-key.ts";
import { datasetService } from "./service.ts";
import { someUser } from "#testing/some-user.ts";
import { testMasterKey } from "#testing/test-master-key.ts";

let app: DatasetApp;
const time = {
  name: "at",
  type: "TIMESTAMP_MILLS",
  description: "When.",
  combined: null,
  unit: "ms",
  label: "Seen at",
  hidden: true,
} as const;
const latitude = { name: "lat", type: "decimal", description: "", combined: null } as const;
const longitude = { name: "lng", type: "decimal", description: "", combined: null } as const;
const place = buildColumn("place", "STRING", {
  description: "Where.",
  combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " },
});

beforeAll(async () => {
  app = await datasetApp({
    categories: [
      { id: "Second", description: "Listed first." },
      { id: "Empty", description: "Nothing in it." },
    ],
  });
  await app.bench.prepare(
    `copy (select i as id, timestamp '2020-01-01' + to_hours(i::integer) as at, i::double as lat, i::double as lng from range(10) t(i)) to 'FOLDER/rows.parquet' (format parquet)`,
  );
  const columns = [...buildDataset().schema.columns, time, latitude, longitude, place];
  await addDataset(app, { id: "open", category: "First" });
  await addDataset(app, {
    id: "full",
    category: "Second",
    schema: { columns },
    temporalField: "at",
    locationField: "place",
    filterSupport: buildFilterSupport({ supportsTimeRange: true }),
    mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
    linkedDatasets: [
      { datasetCategory: "First", datasetId: "open", display: "Others", filters: [{ name: "id", operator: "=", fromColumn: "id" }] },
    ],
    faMapIcon: "plane",
    titleField: "id",
    subtitleField: "place",
  });
  await addDataset(app, { id: "pilots", category: "First", roles: ["pilot", "crew"] });
  await addDataset(app, { id: "off", category: "First" }, false);
});
afterAll(() => app.close());

const everyCall = (id: string) =>
  [
    ["GET", `/datasets/First/${id}/describe`],
    ["GET", `/datasets/First/${id}/schema`],
    ["GET", `/datasets/First/${id}/sample`],
    ["POST", `/datasets/First/${id}/search`, {}],
    ["POST", `/datasets/First/${id}/aggregate/count/*`, {}],
  ] as const;

describe("the access list", () => {
  const idsFor = async (roles: string[]) => {
    const { body } = await app.call<AccessList>(roles, "GET", "/datasets");
    return body.map((category) => [category.id, category.datasets.map((dataset) => dataset.datasetId)]);
  };
  const forEveryone = [
    ["Second", ["full"]],
    ["First", ["open"]],
  ];

  it("[SEARCH-11][ACCESS-01] has each category with the datasets that are open to everyone", async () => {
    expect(await idsFor([])).toEqual(forEveryone);
  });

  it("[SEARCH-11][ACCESS-02] has each category with the datasets that the user's roles open", async () => {
    for (const role of ["pilot", "crew"]) {
      expect(await idsFor([role])).toEqual([
        ["Second", ["full"]],
        ["First", ["open", "pilots"]],
      ]);
    }
    expect(await idsFor(["admin", "Pilot", "pilots"])).toEqual(forEveryone);
  });

  it("includes descriptions and whether a map is supported", async () => {
    const { body } = await app.call<AccessList>([], "GET", "/datasets");
    expect(body[0]).toEqual({
      id: "Second",
      description: "Listed first.",
      datasets: [{ datasetCategory: "Second", datasetId: "full", description: "Rows to test with.", supportsMapResults: true }],
    });
    expect(body[1]?.datasets[0]?.supportsMapResults).toBe(false);
  });
});

describe("datasets a user may not use", () => {
  it("[SEARCH-20] are refused in every call with the same response as missing ones", async () => {
    const unknown = await Promise.all(everyCall("nothing").map(([method, path, body]) => app.call([], method, path, body)));
    expect(unknown.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    for (const id of ["pilots", "off"]) {
      for (const roles of [[], ["admin"]]) {
        const responses = await Promise.all(everyCall(id).map(([method, path, body]) => app.call(roles, method, path, body)));
        expect(responses).toEqual(unknown);
      }
    }
    const allowed = await Promise.all(everyCall("pilots").map(([method, path, body]) => app.call(["crew"], method, path, body)));
    expect(allowed.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  it("[API-01] are refused with 401 without a token", async () => {
    const responses = await Promise.all(everyCall("open").map(([method, path, body]) => app.call("nobody", method, path, body)));
    expect(responses.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it.each([
    "__proto__",
    "constructor",
    "..%2fopen",
    "%00",
    "open%00",
    "'; drop table entities; --",
    "%F0%9F%92%A9",
    "OPEN",
    "open%20",
    "x".repeat(900),
  ])("include every hostile name: %s", async (name) => {
    for (const path of [`/datasets/First/${name}/describe`, `/datasets/${name}/open/schema`, `/datasets/First/${name}/sample`]) {
      expect((await app.call([], "GET", path)).status).toBe(404);
    }
  });
});

describe("a description", () => {
  const describeFull = async () => (await app.call<DatasetDescription>([], "GET", "/datasets/Second/full/describe")).body;

  it("[SEARCH-12] contains everything that the web app needs", async () => {
    expect(await describeFull()).toEqual({
      category: { id: "Second", description: "Listed first." },
      datasetId: "full",
      description: "Rows to test with.",
      schema: { columns: expect.any(Array) },
      assists: ["SORTING", "SUGGESTIONS", "PROFILE", "EXPORT", "BREAKDOWN", "GRID"],
      features: expect.any(Array),
      filterSupport: expect.any(Object),
      linkedDatasets: [
        { datasetCategory: "First", datasetId: "open", display: "Others", filters: [{ name: "id", operator: "=", fromColumn: "id" }] },
      ],
      faMapIcon: "plane",
      moreOperators: moreOperator.options,
      mapSupport: expect.any(Object),
      mapView: null,
      titleField: "id",
      subtitleField: "place",
      temporalField: "at",
      timeExtent: { startMs: Date.UTC(2020, 0, 1), endMs: Date.UTC(2020, 0, 1, 9) },
    });
  });

  it("[SEARCH-13][SEARCH-18] contains the columns, combined ones of coordinates among them", async () => {
    const id = { name: "id", type: "integer", description: "Counts up.", combined: null };
    expect((await describeFull()).schema).toEqual({ columns: [id, time, latitude, longitude, place] });
  });

  it("[SEARCH-14] contains the features", async () => {
    expect((await describeFull()).features).toEqual(["SAMPLE", "PAGINATION", "COUNT"]);
  });

  it("[SEARCH-15][SEARCH-16] contains the supported filters, and the fields for maps", async () => {
    const { filterSupport, mapSupport } = await describeFull();
    expect(filterSupport).toEqual(buildFilterSupport({ supportsTimeRange: true }));
    expect(mapSupport).toEqual({ groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" });
  });

  it("reports the time extent of the rows that readers see", async () => {
    const describe = async (id: string) => (await app.call<DatasetDescription>([], "GET", `/datasets/First/${id}/describe`)).body;
    const extentWith = async (id: string, ...preFilledFilters: FieldFilter[]) => {
      await addDataset(app, {
        id,
        category: "First",
        schema: { columns: [...buildDataset().schema.columns, time] },
        temporalField: "at",
        filterSupport: buildFilterSupport({ supportsTimeRange: true, preFilledFilters }),
      });
      return (await describe(id)).timeExtent;
    };
    const id = (value: string | number) => buildFilter("id", { type: "integer", operator: ">=", value, preFilled: true });
    const endMs = Date.UTC(2020, 0, 1, 9);
    expect(await extentWith("unfiltered")).toEqual({ startMs: Date.UTC(2020, 0, 1), endMs });
    expect(await extentWith("narrowed", id(7))).toEqual({ startMs: Date.UTC(2020, 0, 1, 7), endMs });
    expect(await extentWith("without rows", id(10))).toBeNull();
  });

  it("contains no link to a dataset that the user may not know about", async () => {
    const link = (datasetId: string, datasetCategory = "First") => ({ datasetCategory, datasetId, display: datasetId, filters: [] });
    await addDataset(app, {
      id: "linking",
      category: "First",
      linkedDatasets: [link("pilots"), link("off"), link("nothing"), link("open"), link("pilots", "Second")],
    });
    const linked = async (roles: string[]) =>
      (await app.call<DatasetDescription>(roles, "GET", "/datasets/First/linking/describe")).body.linkedDatasets.map(
        ({ datasetId }) => datasetId,
      );
    expect(await linked([])).toEqual(["open"]);
    expect(await linked(["admin"])).toEqual(["open"]);
    expect(await linked(["pilot"])).toEqual(["pilots", "open"]);
    const reach = {
      apiKeyId: "k",
      apiKeyName: "key",
      datasets: [{ datasetCategory: "First", datasetId: "linking" }],
      filesets: [],
      ecosystems: [],
    };
    const withKey = await app.call<DatasetDescription>({ roles: ["pilot"], reach }, "GET", "/datasets/First/linking/describe");
    expect(withKey.body.linkedDatasets).toEqual([]);
    await app.entities.remove(internalDatasets, "linking");
  });

  it("[SEARCH-19] contains filters with exactly the fields of a filter", async () => {
    const filter = {
      id: "f",
      name: "id",
      display: "Number",
      description: "Which.",
      required: false,
      type: "integer",
      value: 3,
      operator: ">=",
      preFilled: false,
    } as const;
    await addDataset(app, {
      category: "First",
      id: "filtered",
      filterSupport: buildFilterSupport({ staticFilters: [{ ...filter, extra: 1 } as typeof filter] }),
    });
    const { body } = await app.call<DatasetDescription>([], "GET", "/datasets/First/filtered/describe");
    expect(body.filterSupport.staticFilters).toEqual([filter]);
  });

  it("is refused with a readable message when the data cannot be read", async () => {
    await addDataset(app, {
      id: "missing",
      category: "Second",
      source: { kind: "files", glob: "missing.parquet", format: "parquet" },
      schema: { columns: [time] },
      temporalField: "at",
    });
    const { status, body } = await app.call([], "GET", "/datasets/Second/missing/describe");
    const message = "The dataset 'missing' cannot be searched now: its data files are missing. Tell an administrator.";
    expect([status, body]).toEqual([503, { errors: [{ code: "not-ready", message }] }]);
    await app.entities.remove(internalDatasets, "missing");
  });

  it("[SEARCH-46] [SCHEMA-13] has a schema route with types as codes", async () => {
    const { body } = await app.call<DatasetSchema>([], "GET", "/datasets/Second/full/schema");
    expect(body).toMatchObject({
      dataset: { datasetCategory: "Second", datasetId: "full" },
      description: "Rows to test with.",
      communityDescription: "",
      userDescription: "",
      containsLocationData: true,
      supportsMapResults: true,
    });
    expect(body.columns[1]).toEqual({
      id: "at",
      name: "at",
      type: 5,
      unit: "ms",
      label: "Seen at",
      description: "When.",
      communityDescription: "",
      userDescription: "",
    });
    expect(body.columns.map(({ type }) => type)).toEqual([2, 5, 3, 3, 0]);
    const plain = await app.call<DatasetSchema>([], "GET", "/datasets/First/open/schema");
    expect(plain.body).toMatchObject({ containsLocationData: false, supportsMapResults: false });
  });
});

describe("changes of datasets", () => {
  it("apply immediately: roles, enabled and description", async () => {
    await addDataset(app, { id: "moving", category: "First" });
    const statusFor = async (roles: string[]) => (await app.call(roles, "GET", "/datasets/First/moving/describe")).status;
    expect(await statusFor([])).toBe(200);
    await app.entities.replace(internalDatasets, "moving", buildDataset({ id: "moving", category: "First", roles: ["pilot"] }));
    expect([await statusFor([]), await statusFor(["pilot"])]).toEqual([404, 200]);
    await app.entities.setEnabled(internalDatasets, "moving", false);
    expect(await statusFor(["pilot"])).toBe(404);
    await app.entities.remove(internalDatasets, "moving");
  });

  it("of users are found by their owners before the gateway was told of them", async () => {
    const entities = entityStore(app.database.db, { error: () => {} }, secretKey);
    await addDataset(app, { id: "settings", category: "First" });
    const settings = (await entities.list(internalDatasets)).find(({ body }) => body.id === "settings")?.body;
    if (settings === undefined) throw new Error("The dataset is not stored.");
    const own: OwnDatasetRecord[] = [];
    const service = datasetService({
      entities,
      engines: { lease: () => Promise.resolve({ engine: app.bench.engine, release: () => {} }) },
      masterKey: testMasterKey,
      categories: [],
      ownDatasets: { list: async () => [...own] },
    });
    const ada = someUser({ id: "ada" });
    await service.accessible(ada);
    const source = { kind: "imported", format: "parquet", files: [] } as const;
    const names = { id: "1", category: "~ada", name: "rain", title: null, ownerName: "ada", ownerId: "ada" };
    own.push({ ...names, settings, source, dataVersion: 1, revision: "1", shares: [] });
    expect(await service.canRead(ada, { datasetCategory: "~ada", datasetId: "rain" })).toBe(true);
    expect(await service.canRead(someUser({ id: "bo" }), { datasetCategory: "~ada", datasetId: "rain" })).toBe(false);
    await app.entities.remove(internalDatasets, "settings");
  });

  it("apply on another gateway once it is notified", async () => {
    const entities = entityStore(app.database.db, { error: () => {} }, secretKey);
    const other = datasetService({
      entities,
      engines: { lease: () => Promise.resolve({ engine: app.bench.engine, release: () => {} }) },
      masterKey: testMasterKey,
      categories: [],
    });
    await addDataset(app, { id: "late", category: "First" });
    await expect(other.find(someUser(), "First", "late")).resolves.toBeDefined();
    await app.entities.remove(internalDatasets, "late");
    await expect(other.find(someUser(), "First", "late")).resolves.toBeDefined();
    other.changed();
    await expect(other.find(someUser(), "First", "late")).rejects.toMatchObject({ code: "not-found" });
  });
});
