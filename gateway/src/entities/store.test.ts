import { Client } from "pg";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "#testing/postgres.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { secretKey } from "#testing/secret-key.ts";
import { internalDatasets as type } from "./entity-types.ts";
import { type EntityStore, entitiesChannel, entityStore } from "./store.ts";

let database: TestDatabase;
let store: EntityStore;
const reported: string[] = [];
const silent = pino({ level: "silent" });
beforeAll(async () => {
  database = await testDatabase();
  store = entityStore(database.db, silent, secretKey, (name) => reported.push(name));
});
afterAll(() => database.drop());
beforeEach(async () => {
  await database.db.deleteFrom("entities").execute();
  reported.length = 0;
});

it("stores an entity unchanged, and lists by id", async () => {
  await store.create(type, buildDataset({ id: "b" }));
  await store.create(type, buildDataset({ id: "B" }), { enabled: false });
  expect(await store.get(type, "b")).toMatchObject({ body: buildDataset({ id: "b" }), enabled: true, version: 1 });
  expect((await store.list(type)).map(({ body, enabled }) => [body.id, enabled])).toEqual([
    ["B", false],
    ["b", true],
  ]);
});

it("refuses a second entity with the same id, and leaves the first unchanged", async () => {
  await store.create(type, buildDataset({ description: "first" }));
  await expect(store.create(type, buildDataset({ description: "second" }))).rejects.toMatchObject({ code: "name-taken" });
  expect(await store.createIfAbsent(type, buildDataset({ description: "second" }))).toBeUndefined();
  expect((await store.get(type, "rows")).body.description).toBe("first");
});

it("increments versions, and refuses a save over a newer version", async () => {
  await store.create(type, buildDataset());
  expect((await store.replace(type, "rows", buildDataset({ description: "two" }), 1)).version).toBe(2);
  await expect(store.replace(type, "rows", buildDataset({ description: "lost" }), 1)).rejects.toMatchObject({ code: "stale-version" });
  expect((await store.replace(type, "rows", buildDataset({ description: "three" }))).version).toBe(3);
  expect((await store.setEnabled(type, "rows", false)).enabled).toBe(false);
});

it("accepts only one of several concurrent saves of a version", async () => {
  await store.create(type, buildDataset());
  const saves = await Promise.allSettled(
    ["a", "b", "c"].map((description) => store.replace(type, "rows", buildDataset({ description }), 1)),
  );
  expect(saves.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
});

it("refuses changed ids, unknown ids, and ids that PostgreSQL cannot store", async () => {
  await store.create(type, buildDataset());
  await expect(store.replace(type, "rows", buildDataset({ id: "other" }))).rejects.toMatchObject({ code: "invalid-request" });
  for (const id of ["none", "a\0b", "\ud800"]) {
    await expect(store.get(type, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(store.remove(type, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(store.setEnabled(type, id, true)).rejects.toMatchObject({ code: "not-found" });
  }
  await store.remove(type, "rows");
  await expect(store.get(type, "rows")).rejects.toMatchObject({ code: "not-found" });
});

it("names the invalid fields of a body", async () => {
  const body = buildDataset({ temporalField: "when", titleField: "id" });
  await expect(store.create(type, body)).rejects.toMatchObject({
    code: "invalid-request",
    errors: [{ path: "temporalField", message: "'temporalField': there is no timestamp column 'when'" }],
  });
  const mapSupport = { groupItemField: "id", itemLocationField: "where", itemTemporalField: "when" };
  const marked = buildDataset({ mapSupport: { ...mapSupport, colorField: "shade", sizeField: "weight" } });
  await expect(store.create(type, marked)).rejects.toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({
        message: "'mapSupport.colorField': there is no column of numbers, texts or truth values 'shade'",
      }),
      expect.objectContaining({ message: "'mapSupport.sizeField': there is no column of numbers 'weight'" }),
    ]),
  });
  const measure = { aggregation: "sum" as const, column: "weight" };
  const look = buildDataset({ mapView: { show: "rows", colorBy: "shade", sizeBy: "size", rows: { measure } } });
  await expect(store.create(type, look)).rejects.toMatchObject({
    errors: expect.arrayContaining([
      expect.objectContaining({ message: "'mapView.colorBy': there is no column of numbers, texts or truth values 'shade'" }),
      expect.objectContaining({ message: "'mapView.sizeBy': there is no column of numbers 'size'" }),
      expect.objectContaining({ message: "'mapView.rows.measure.column': there is no column of numbers 'weight'" }),
      expect.objectContaining({ message: "'mapView.show': needs a location" }),
    ]),
  });
  for (const description of ["nul \0", "half \ud83d"]) {
    await expect(store.create(type, buildDataset({ description }))).rejects.toMatchObject({ code: "invalid-request" });
  }
  expect((await store.create(type, buildDataset({ description: "the text \\u0000 and 😀" }))).body.description).toBe(
    "the text \\u0000 and 😀",
  );
});

it("prevents prototype pollution by a body with __proto__", async () => {
  const hostile = JSON.parse(`{"__proto__":{"roles":[],"polluted":true},${JSON.stringify(buildDataset({ roles: ["pilot"] })).slice(1)}`);
  await store.create(type, hostile);
  const { body } = await store.get(type, "rows");
  expect(body.roles).toEqual(["pilot"]);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  expect(Object.keys(body)).not.toContain("__proto__");
});

it("omits and logs a stored body that no longer matches its schema", async () => {
  const lines: string[] = [];
  const logging = entityStore(database.db, pino({ level: "error" }, { write: (line: string) => void lines.push(line) }), secretKey);
  await store.create(type, buildDataset({ id: "good" }));
  await database.db
    .insertInto("entities")
    .values({ type: type.name, id: "old", enabled: true, body: JSON.stringify({ id: "old" }) })
    .execute();
  expect((await logging.list(type)).map(({ body }) => body.id)).toEqual(["good"]);
  expect(lines.join("")).toContain('"id":"old"');
});

it("notifies gateways of stored changes, but not of refused ones", async () => {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const notified: string[] = [];
  client.on("notification", ({ payload }) => notified.push(payload ?? ""));
  await client.query(`listen ${entitiesChannel}`);
  await store.create(type, buildDataset());
  await store.setEnabled(type, "rows", false);
  await expect(store.replace(type, "rows", buildDataset(), 1)).rejects.toMatchObject({ code: "stale-version" });
  await store.remove(type, "rows");
  await client.query("select 1");
  await client.end();
  expect(notified).toEqual(Array(3).fill("datasets/internal"));
  expect(reported).toEqual(notified);
});
