import { catalog } from "@fairway/contract/catalog";
import { datasetFactRoutes } from "@fairway/contract/dataset-facts";
import { datasetProfiles } from "@fairway/contract/dataset-profiles";
import { datasetQualities } from "@fairway/contract/dataset-quality";
import { type AccessList, datasets } from "@fairway/contract/datasets";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { descriptions } from "@fairway/contract/descriptions";
import type { RouteShape } from "@fairway/contract/route";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { type DatasetAnnouncement, datasetAnnouncements } from "@fairway/contract/dataset-announcements";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openDatasetAnnouncements } from "#capabilities/dataset-announcements/capability.ts";
import { type DatasetApp, addDataset, buildDataset, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns: InternalDataset["schema"]["columns"] = [
  ...buildDataset().schema.columns,
  { name: "at", type: "TIMESTAMP_MILLS", description: "", combined: null, unit: "ms" },
  { name: "lat", type: "decimal", description: "", combined: null },
  { name: "lng", type: "decimal", description: "", combined: null },
  { name: "place", type: "STRING", description: "", combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } },
];

beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(
    `copy (select i as id, timestamp '2020-01-01' + to_hours(i::integer) as at, i::double as lat, i::double as lng from range(10) t(i)) to 'FOLDER/rows.parquet' (format parquet)`,
  );
  const map = {
    schema: { columns },
    temporalField: "at",
    locationField: "place",
    mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
  };
  const { canRead, exists } = app.service;
  app.serve(openDatasetAnnouncements({ db: app.database.db, canRead, exists }));
  for (const id of ["mine", "other"]) await addDataset(app, { ...map, id });
  await addDataset(app, { ...map, id: "elsewhere", category: "Elsewhere" });
  await addDataset(app, { ...map, id: "insiders", roles: ["insider"] });
});
afterAll(() => app.close());

const reach = (...ids: string[]) => ({
  apiKeyId: "k",
  apiKeyName: "key",
  datasets: ids.map((datasetId) => ({ datasetCategory: "Tests", datasetId })),
  filesets: [],
  ecosystems: [],
});
/** The contracts of the catalog. A reading route that is added to them is called by the tests below. */
const catalogRoutes = [
  datasets,
  catalog,
  descriptions,
  descriptionSuggestions,
  datasetProfiles,
  datasetAnnouncements,
  datasetFactRoutes,
  datasetQualities,
].flatMap((routes): RouteShape[] => Object.values(routes));
const reads = catalogRoutes.filter(({ method, access }) => method === "GET" && access === "signed-in");
/** Facts and finding have tests of their own. */
const served = ({ path }: RouteShape) => app.app.hasRoute({ method: "GET", url: path });

const everyCall = (category: string, id: string) => {
  const path = `/datasets/${category}/${id}`;
  const item = { filters: [{ name: "id", value: 1, operator: "=" }] };
  return [
    ...reads
      .filter((route) => route.path.includes(":datasetId") && served(route))
      .map((route) => ["GET", route.path.replace(":category", category).replace(":datasetId", id)] as const),
    ["GET", `${path}/sample`],
    ["GET", `${path}/relations`],
    ["GET", `${path}/profile/thumbnail`],
    ["POST", `${path}/search`, {}],
    ["POST", `${path}/aggregate/count/*`, {}],
    ["POST", `${path}/columns/id/suggest`, { contains: "1" }],
    ["POST", `${path}/columns/id/profile`, {}],
    ["POST", `${path}/search/last`, {}],
    ["POST", `${path}/search/path`, item],
    ["POST", `${path}/count/path`, item],
    ["POST", `${path}/aggregate`, { search: {}, groups: [{ id: "a" }], aggregations: [{ aggregation: "count", column: "*" }] }],
  ] as const;
};

describe("a call with an API key's reach", () => {
  it("lists the datasets within reach that the roles allow, without empty categories", async () => {
    const listed = async (roles: readonly string[], ...ids: string[]) =>
      (await app.call<AccessList>({ roles, reach: reach(...ids) }, "GET", "/datasets")).body.map(({ id, datasets }) => [
        id,
        datasets.map(({ datasetId }) => datasetId),
      ]);
    expect(await listed(["insider"], "mine", "insiders", "gone")).toEqual([["Tests", ["insiders", "mine"]]]);
    expect(await listed([], "mine", "insiders")).toEqual([["Tests", ["mine"]]]);
    expect(await listed(["insider"])).toEqual([]);
    expect((await app.call<AccessList>(["insider"], "GET", "/datasets")).body.flatMap(({ datasets }) => datasets)).toHaveLength(4);
  });

  it("lists the announcements on these datasets only, with replacements within reach only", async () => {
    const insert = "insert into dataset_announcements (category, dataset_id, kind, text, replacement_category, replacement_id, username)";
    const deprecated = (id: string, replacement: string) => `('Tests', '${id}', 'deprecated', '', 'Tests', '${replacement}', 'root')`;
    const rows = [deprecated("mine", "other"), deprecated("other", "mine"), deprecated("insiders", "mine")];
    await app.database.pool.query(`${insert} values ${rows.join()}`);
    const announced = async (caller: Parameters<DatasetApp["call"]>[0]) =>
      (await app.call<DatasetAnnouncement[]>(caller, "GET", "/datasets/announcements")).body.map(({ dataset, replacement }) => [
        dataset.datasetId,
        replacement?.datasetId ?? null,
      ]);
    expect(await announced({ roles: ["insider"], reach: reach("mine", "gone") })).toEqual([["mine", null]]);
    expect(await announced({ roles: [], reach: reach("mine", "insiders", "other") })).toEqual([
      ["mine", "other"],
      ["other", "mine"],
    ]);
    expect(await announced([])).toHaveLength(2);
    expect(await announced(["insider"])).toHaveLength(3);
  });

  it("is allowed for every reading route of the catalog", () => {
    expect(reads.length).toBeGreaterThan(12);
    expect(reads.filter(({ apiKey }) => apiKey !== true).map(({ path }) => path)).toEqual([]);
  });

  it("names no other dataset in any list of the catalog", async () => {
    for (const { path } of reads.filter((route) => !route.path.includes(":") && served(route))) {
      const { status, text } = await app.call({ roles: ["insider"], reach: reach("mine") }, "GET", path);
      expect([path, status]).toEqual([path, 200]);
      expect([path, ["other", "elsewhere", "Elsewhere", "insiders"].filter((name) => text.includes(`"${name}"`))]).toEqual([path, []]);
    }
  });

  it.each([
    ["Tests", "other", []],
    ["Elsewhere", "elsewhere", []],
    ["Tests", "insiders", []],
  ] as const)("responds for %s / %s as for a missing dataset, in every call", async (category, id, roles) => {
    for (const [method, path, body] of everyCall(category, id)) {
      const response = await app.call({ roles, reach: reach("mine", "insiders", "elsewhere") }, method, path, body);
      expect([path, response.status, response.body.errors[0]?.code]).toEqual([path, 404, "not-found"]);
    }
  });

  it("gets the same responses as a session for datasets within reach", async () => {
    for (const [method, path, body] of everyCall("Tests", "mine")) {
      const [byKey, bySession] = [
        await app.call<unknown>({ roles: [], reach: reach("mine") }, method, path, body),
        await app.call<unknown>([], method, path, body),
      ];
      expect([path, byKey.status]).toEqual([path, bySession.status]);
      expect(byKey.status).not.toBe(404);
      expect(byKey.text).toBe(bySession.text);
    }
  });
});
