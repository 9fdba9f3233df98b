import type { DatasetQuality, QualityReport } from "@fairway/contract/dataset-quality";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import pino from "pino";
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import { type DatasetApp, addDataset, buildDataset, datasetApp, buildColumn } from "#testing/dataset-app.ts";
import { type DatasetQualities, openDatasetQuality } from "./capability.ts";

const columns: InternalDataset["schema"]["columns"] = [
  ...buildDataset().schema.columns,
  buildColumn("name", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
];
const timed: Partial<InternalDataset> = { schema: { columns }, temporalField: "at" };

let app: DatasetApp;
let quality: DatasetQualities;
let other: DatasetQualities;

const open = () => {
  const { canRead, schema: requireReadable, internalDatasets: internal } = app.service;
  const { profilesOf, measurementsOf } = app.profiles;
  return openDatasetQuality({
    db: app.database.db,
    canRead,
    requireReadable,
    internalDatasets: internal,
    profilesOf,
    measurementsOf,
    entityChanges: { subscribe: () => undefined },
    log: pino({ level: "silent" }),
    intervalMs: 600_000,
  });
};
let isPersonal = false;
beforeAll(async () => {
  app = await datasetApp({ hasRowsPerReader: () => isPersonal });
  quality = open();
  other = open();
  app.serve(quality);
});
beforeEach(async () => {
  for (const table of ["entities", "dataset_profiles", "dataset_measurements", "dataset_quality"] as const)
    await app.database.db.deleteFrom(table).execute();
  app.service.changed();
});
afterAll(async () => {
  await Promise.all([quality.close?.(), other.close?.()]);
  await app.close();
});

/** Replaces the rows, measures them, and evaluates the measurement in two gateways at once. */
async function load(rows: number, name = "'x'", ids = ["rows"]): Promise<void> {
  const select = `select i as id, ${name}::varchar as name, timestamp '2020-01-01' + to_hours(i::integer) as at from range(${rows}) t(i)`;
  await app.bench.prepare(`copy (${select}) to 'FOLDER/rows.parquet' (format parquet)`);
  for (const id of ids) await app.profiles.requestProfile(id);
  await app.profiles.runProfiler();
  await Promise.all([quality.evaluate(), other.evaluate()]);
}
const read = async (id = "rows", roles: readonly string[] = []) =>
  (await app.call<QualityReport>(roles, "GET", `/datasets/Tests/${id}/quality`)).body;
const list = async (caller: Parameters<DatasetApp["call"]>[0] = [], path = "/datasets/quality") =>
  (await app.call<DatasetQuality[]>(caller, "GET", path)).body;
const change = async (body: Partial<InternalDataset>) => {
  const [stored] = await app.entities.list(internalDatasets);
  await app.entities.replace(internalDatasets, "rows", { ...buildDataset(timed), ...stored?.body, ...body });
  app.service.changed();
  await quality.evaluate();
};

it("is never shown for datasets whose readers may see different rows, also from before", async () => {
  onTestFinished(() => void (isPersonal = false));
  await addDataset(app, timed);
  for (const rows of [100, 100, 10]) await load(rows);
  expect([(await read()).state, (await list()).length]).toEqual(["issues", 1]);
  isPersonal = true;
  app.service.changed();
  await quality.evaluate();
  expect([await read(), await list(), await list(["admin"], "/admin/datasetQuality")]).toEqual([
    expect.objectContaining({ state: "unknown", measuredMs: null, issues: [], changes: [] }),
    [],
    [],
  ]);
});

it("a new dataset raises no alarm, and one that loses rows and values does until they are back", async () => {
  await addDataset(app, timed);
  expect(await read()).toMatchObject({ state: "unknown", issues: [] });
  await load(100);
  expect(await read()).toMatchObject({ state: "unknown", issues: [], changes: [] });
  await load(100);
  expect(await read()).toMatchObject({ state: "good", issues: [], changes: [] });
  await load(50, "null");
  const flawed = await read();
  const issues = [
    { kind: "row-drop", before: 100, rows: 50, sinceMs: flawed.measuredMs },
    { kind: "empty-columns", count: 1, columns: [{ name: "name", sinceMs: flawed.measuredMs }] },
  ];
  expect(flawed).toMatchObject({ state: "issues", issues, changes: [{ issues }] });
  expect(flawed.thresholds).toEqual({ lateAfterHours: null, isByRhythm: false, rowDropPercent: 20, emptyColumns: true });
  expect(await list()).toMatchObject([{ dataset: { datasetCategory: "Tests", datasetId: "rows" }, issues }]);
  // The same issues are no change.
  await load(51, "null");
  expect((await read()).changes).toHaveLength(1);
  await load(100);
  const recovered = await read();
  expect(recovered).toMatchObject({ state: "good", issues: [], changes: [{ issues: [] }, { issues }] });
  expect(await list()).toEqual([]);
});

it("is known to those who may read the dataset, within the reach of their key, and to administrators", async () => {
  await addDataset(app, timed);
  await addDataset(app, { ...timed, id: "hidden", roles: ["insider"] });
  await load(100, "'x'", ["rows", "hidden"]);
  await load(1, "'x'", ["rows", "hidden"]);
  const ids = async (...call: Parameters<typeof list>) => (await list(...call)).map(({ dataset }) => dataset.datasetId);
  expect(await ids()).toEqual(["rows"]);
  expect((await ids(["insider"])).toSorted()).toEqual(["hidden", "rows"]);
  const datasets = [{ datasetCategory: "Tests", datasetId: "hidden" }];
  const reach = { apiKeyId: "k", apiKeyName: "key", datasets, filesets: [], ecosystems: [] };
  expect(await ids({ roles: ["insider"], reach })).toEqual(["hidden"]);
  expect(await ids({ roles: [], reach })).toEqual([]);
  for (const path of ["/datasets/Tests/hidden/quality", "/datasets/Tests/missing/quality"])
    expect((await app.call([], "GET", path)).status).toBe(404);
  expect((await ids(["admin"], "/admin/datasetQuality")).toSorted()).toEqual(["hidden", "rows"]);
  expect((await app.call(["insider"], "GET", "/admin/datasetQuality")).status).toBe(403);
});

it("follows the thresholds of the dataset, and its update rhythm", async () => {
  await addDataset(app, timed);
  await load(100);
  await load(50, "null");
  await change({ quality: { rowDropPercent: 60, emptyColumns: false } });
  expect(await read()).toMatchObject({ state: "good", thresholds: { rowDropPercent: 60, emptyColumns: false } });
  await change({ quality: { rowDropPercent: 60, emptyColumns: false, lateAfterHours: 24 } });
  const sinceMs = Date.UTC(2020, 0, 1, 49) + 24 * 3_600_000;
  expect((await read()).issues).toEqual([{ kind: "late", sinceMs, updatedMs: Date.UTC(2020, 0, 1, 49), lateAfterHours: 24 }]);
  // The rows have just changed, which a rhythm takes for an update.
  await change({ quality: { rowDropPercent: 60, emptyColumns: false }, updateRhythm: "hourly" });
  expect(await read()).toMatchObject({ state: "good", thresholds: { lateAfterHours: 2, isByRhythm: true } });
});

it("starts over when the dataset gets other data or columns, and says nothing of what was before", async () => {
  await addDataset(app, timed);
  await load(100);
  await load(50);
  expect((await list())[0]?.issues).toHaveLength(1);
  await change({
    schema: { columns: [buildColumn("id", "decimal"), ...columns.slice(1)] },
  });
  expect(await read()).toMatchObject({ state: "unknown", issues: [], changes: [] });
  await load(10);
  expect(await read()).toMatchObject({ state: "unknown", issues: [] });
  await load(9);
  expect(await read()).toMatchObject({ state: "good" });
  await load(1);
  expect(await read()).toMatchObject({ state: "issues" });
  // Before the next evaluation, too.
  const [stored] = await app.entities.list(internalDatasets);
  const source = { kind: "files", glob: "other.parquet", format: "parquet" } as const;
  await app.entities.replace(internalDatasets, "rows", { ...buildDataset(timed), ...stored?.body, source });
  app.service.changed();
  expect([await list(), (await read()).state]).toEqual([[], "unknown"]);
});

it("forgets a deleted dataset, and leaves external ones alone", async () => {
  await addDataset(app, timed);
  await load(100);
  await load(50);
  await app.database.db.deleteFrom("entities").execute();
  app.service.changed();
  expect(await list()).toEqual([]);
  await quality.evaluate();
  expect(await app.database.db.selectFrom("dataset_quality").selectAll().execute()).toEqual([]);
  const external = { name: "Live", baseRoute: "https://example.org", apis: [{ name: "rows", path: "/", method: 0 }] };
  await app.entities.create(externalDatasets, externalDatasets.schema.parse(external));
  app.service.changed();
  expect((await app.call<QualityReport>([], "GET", "/datasets/Live/rows/quality")).body.state).toBe("unsupported");
});
