import { type DatasetFacts, type DatasetRelations, usageDays } from "@fairway/contract/dataset-facts";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildDataset, datasetApp } from "#testing/dataset-app.ts";
import { freshness } from "./freshness.ts";
import { DatasetUsage } from "./usage.ts";

const text = (name: string): InternalDataset["schema"]["columns"][number] => ({ name, type: "STRING", description: "", combined: null });
const columns: InternalDataset["schema"]["columns"] = [
  ...buildDataset().schema.columns,
  { name: "at", type: "TIMESTAMP_MILLS", description: "", combined: null },
  text("folder"),
  text("path"),
  { ...text("file"), combined: { type: "FILESET", fields: ["folder", "path"], joinedBy: "/" } },
];
const rows = { datasetCategory: "Tests", datasetId: "rows" };
const dayMs = 86_400_000;

let app: DatasetApp;
beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(
    `copy (select i as id, timestamp '2020-01-01' + to_hours(i::integer) as at, ['open', 'insiders', 'unknown'][i % 3 + 1] as folder, 'p' as path from range(9) t(i)) to 'FOLDER/rows.parquet' (format parquet)`,
  );
});
beforeEach(async () => {
  await app.usage.flush();
  for (const table of ["entities", "dataset_profiles", "dataset_measurements", "dataset_searches", "dataset_groups"] as const) {
    await app.database.db.deleteFrom(table).execute();
  }
  app.service.changed();
});
afterAll(() => app.close());

const reach = (...ids: string[]) => ({
  apiKeyId: "k",
  apiKeyName: "k",
  datasets: ids.map((datasetId) => ({ datasetCategory: "Tests", datasetId })),
  filesets: ["open"],
  ecosystems: [],
});
const facts = async (roles: Parameters<DatasetApp["call"]>[0] = [], query = "") =>
  (await app.call<DatasetFacts[]>(roles, "GET", `/datasets/facts${query}`)).body;
const factsOf = async (id = "rows") => (await facts(["insider"])).find(({ dataset }) => dataset.datasetId === id);
const search = (id = "rows", body: object = {}) => app.call<unknown>(["insider"], "POST", `/datasets/Tests/${id}/search`, body);
const relations = async (roles: Parameters<DatasetApp["call"]>[0] = [], id = "rows") =>
  (await app.call<DatasetRelations>(roles, "GET", `/datasets/Tests/${id}/relations`)).body;

describe("the facts of datasets", () => {
  it("are null or empty until they are known", async () => {
    await addDataset(app);
    expect(await facts()).toEqual([
      {
        dataset: rows,
        rowsFrom: "storage",
        columns: 1,
        rows: null,
        oldestMs: null,
        newestMs: null,
        updatedMs: null,
        dueMs: null,
        owner: null,
        contact: null,
        origin: null,
        license: null,
        updateRhythm: null,
        tags: [],
        searches: 0,
      },
    ]);
  });

  it("are what the entity says, what its profile found and how often it was searched", async () => {
    await addDataset(app, {
      schema: { columns },
      temporalField: "at",
      owner: "Harbor office",
      contact: "harbor@example.org",
      origin: { text: "Gauges", link: "https://example.org/gauges" },
      license: { text: "CC BY 4.0" },
      updateRhythm: "daily",
      tags: ["tides"],
    });
    await app.profiles.runProfiler();
    await search();
    await search("rows", { paging: { offset: 0, max: 2 } });
    await search("rows", { paging: { offset: 2, max: 2 } });
    await search("rows", { filters: [{ name: "none", value: 1, operator: "=" }] });
    const newestMs = Date.UTC(2020, 0, 1, 8);
    expect(await facts()).toEqual([
      {
        dataset: rows,
        rowsFrom: "storage",
        columns: 5,
        rows: 9,
        oldestMs: Date.UTC(2020, 0, 1),
        newestMs,
        updatedMs: newestMs,
        dueMs: newestMs + 2 * dayMs,
        owner: "Harbor office",
        contact: "harbor@example.org",
        origin: { text: "Gauges", link: "https://example.org/gauges" },
        license: { text: "CC BY 4.0", link: null },
        updateRhythm: "daily",
        tags: ["tides"],
        searches: 2,
      },
    ]);
  });

  it("are only those of datasets that the user and the API key may reach", async () => {
    await addDataset(app);
    await addDataset(app, { id: "other" });
    await addDataset(app, { id: "secret", roles: ["insider"] });
    const ids = (list: DatasetFacts[]) => list.map(({ dataset }) => dataset.datasetId);
    expect(ids(await facts())).toEqual(["other", "rows"]);
    expect(ids(await facts(["admin"]))).toEqual(["other", "rows"]);
    expect(ids(await facts(["insider"]))).toEqual(["other", "rows", "secret"]);
    expect(ids(await facts({ roles: ["insider"], reach: reach("secret") }))).toEqual(["secret"]);
    expect(ids(await facts({ roles: [], reach: reach("secret", "rows") }))).toEqual(["rows"]);
    expect(ids(await facts([], "?datasetCategory=Tests&datasetId=rows"))).toEqual(["rows"]);
    expect(ids(await facts([], "?datasetCategory=Tests&datasetId=secret"))).toEqual([]);
    expect((await app.call("nobody", "GET", "/datasets/facts")).status).toBe(401);
  });

  it("report when the data were last seen to change", async () => {
    await addDataset(app, { updateRhythm: "weekly" });
    await app.profiles.runProfiler();
    expect(await factsOf()).toMatchObject({ rows: 9, updatedMs: null, dueMs: null });
    const measure = (days: number, count: number) =>
      sql`insert into dataset_measurements values ('Tests', 'rows', now() - make_interval(days => ${days}), ${count}, null, '{}')`.execute(
        app.database.db,
      );
    await measure(20, 5);
    await measure(15, 5);
    await measure(12, 9);
    const { updatedMs = null, dueMs = null } = (await factsOf()) ?? {};
    expect(Math.round((Date.now() - (updatedMs ?? 0)) / dayMs)).toBe(12);
    expect(dueMs).toBe((updatedMs ?? 0) + 9 * dayMs);
  });
});

it.each([
  ["hourly", 7_200_000],
  ["yearly", 395 * dayMs],
  ["irregular", null],
  ["never", null],
] as const)("a dataset that is updated %s is overdue after %s ms", (updateRhythm, period) => {
  const nowMs = 1_000 * dayMs;
  const { dueMs } = freshness({ updateRhythm, newestMs: nowMs, changedMs: null, measuredMs: nowMs });
  expect(dueMs).toBe(period === null ? null : nowMs + period);
});

it("forecasts are not taken for updates", () => {
  const future = { updateRhythm: "daily", newestMs: 2_000, measuredMs: 1_000 } as const;
  expect(freshness({ ...future, changedMs: null })).toEqual({ updatedMs: null, dueMs: null });
  expect(freshness({ ...future, changedMs: 500 }).updatedMs).toBe(500);
  // Own data, which no profile has looked at yet.
  expect(freshness({ ...future, measuredMs: null, changedMs: 500 }).updatedMs).toBe(500);
});

describe("the use of datasets", () => {
  it("is added up over gateways, days and restarts, without who searched", async () => {
    await addDataset(app);
    const other = new DatasetUsage(app.database.db);
    await search();
    other.count(rows);
    other.count(rows, Date.now() - (usageDays - 1) * dayMs);
    other.count(rows, Date.now() - usageDays * dayMs);
    await Promise.all([app.usage.flush(), other.flush()]);
    await search();
    expect((await factsOf())?.searches).toBe(4);
    await app.usage.flush();
    expect((await factsOf())?.searches).toBe(4);
    await other.removeOld();
    const stored = await app.database.db
      .selectFrom("dataset_searches")
      .select(["category", "dataset_id", "searches"])
      .orderBy("day", "desc")
      .execute();
    expect(stored).toEqual([
      { category: "Tests", dataset_id: "rows", searches: "3" },
      { category: "Tests", dataset_id: "rows", searches: "1" },
    ]);
  });

  it("is kept while the database does not take it", async () => {
    const { db } = app.database;
    const usage = new DatasetUsage(db);
    usage.count(rows);
    await sql`alter table dataset_searches rename to dataset_searches_away`.execute(db);
    await expect(usage.flush()).rejects.toThrow("dataset_searches");
    await sql`alter table dataset_searches_away rename to dataset_searches`.execute(db);
    usage.count(rows);
    await usage.flush();
    await usage.flush();
    expect((await usage.searches()).get(JSON.stringify(["Tests", "rows"]))).toBe(2);
  });

  it("is written by many gateways at once", async () => {
    const gateways = Array.from({ length: 6 }, () => new DatasetUsage(app.database.db));
    for (const [index, gateway] of gateways.entries()) {
      const ids = Array.from({ length: 50 }, (_, id) => `d${id}`);
      for (const datasetId of index % 2 === 0 ? ids : ids.toReversed()) gateway.count({ datasetCategory: "Tests", datasetId });
    }
    await Promise.all(gateways.map((gateway) => gateway.flush()));
    const counts = [...(await new DatasetUsage(app.database.db).searches()).values()];
    expect(counts).toEqual(Array.from({ length: 50 }, () => 6));
  });
});

describe("the relations of a dataset", () => {
  const linkTo = (datasetId: string, display: string) => ({
    datasetCategory: "Tests",
    datasetId,
    display,
    filters: [{ name: "id", operator: "=" as const, fromColumn: "id" }],
  });

  it("are links both ways, the user's groups and the filesets that rows name", async () => {
    await addDataset(app, { schema: { columns }, linkedDatasets: [linkTo("rows", "Same row"), linkTo("target", "Target")] });
    await addDataset(app, { id: "target" });
    await addDataset(app, { id: "linking", linkedDatasets: [linkTo("rows", "Its rows")] });
    await app.profiles.runProfiler();
    await sql`insert into users (id, username, username_key, password_hash) values ('u', 'u', 'u', 'x'), ('v', 'v', 'v', 'x') on conflict do nothing`.execute(
      app.database.db,
    );
    const group = (id: string, userId: string, ...ids: string[]) =>
      app.database.db
        .insertInto("dataset_groups")
        .values({
          id,
          user_id: userId,
          name: `Group ${id}`,
          name_key: id,
          description: "",
          datasets: JSON.stringify(ids.map((datasetId) => ({ datasetCategory: "Tests", datasetId }))),
        })
        .execute();
    await group("a", "u", "rows", "target");
    await group("b", "u", "target", "linking");
    await group("c", "v", "rows", "target");
    expect(await relations()).toEqual({
      linksTo: [
        { dataset: rows, display: "Same row", columns: ["id"] },
        { dataset: { datasetCategory: "Tests", datasetId: "target" }, display: "Target", columns: ["id"] },
      ],
      linkedFrom: [{ dataset: { datasetCategory: "Tests", datasetId: "linking" }, display: "Its rows", columns: ["id"] }],
      groups: [{ id: "a", name: "Group a" }],
      filesets: [{ id: "open", column: "folder" }],
    });
    expect((await relations(["insider"])).filesets.map(({ id }) => id).toSorted()).toEqual(["insiders", "open"]);
    const byKey = await relations({ roles: ["insider"], reach: reach("rows", "linking") });
    expect(byKey.linksTo.map(({ display }) => display)).toEqual(["Same row"]);
    expect([byKey.groups, byKey.filesets]).toEqual([[], [{ id: "open", column: "folder" }]]);
  });

  it("never name a dataset or fileset that is hidden from the user", async () => {
    await addDataset(app, { schema: { columns }, linkedDatasets: [linkTo("secret", "Secret display"), linkTo("gone", "Gone display")] });
    await addDataset(app, { id: "secret", roles: ["insider"], linkedDatasets: [linkTo("rows", "Secret way back")] });
    await addDataset(app, { id: "disabled", linkedDatasets: [linkTo("rows", "Disabled way back")] });
    await app.database.db.updateTable("entities").set({ enabled: false }).where("id", "=", "disabled").execute();
    app.service.changed();
    await app.profiles.runProfiler();
    for (const roles of [[], ["admin"], { roles: ["insider"], reach: reach("rows") }]) {
      const { text: answer } = await app.call(roles, "GET", "/datasets/Tests/rows/relations");
      expect(answer).toBe(JSON.stringify({ linksTo: [], linkedFrom: [], groups: [], filesets: [{ id: "open", column: "folder" }] }));
    }
    expect((await relations(["insider"])).linkedFrom.map(({ display }) => display)).toEqual(["Secret way back"]);
    expect((await app.call([], "GET", "/datasets/Tests/secret/relations")).status).toBe(404);
    expect((await app.call([], "GET", "/datasets/Tests/none/relations")).status).toBe(404);
  });
});
