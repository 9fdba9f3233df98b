import type { QualityReport } from "@fairway/contract/dataset-quality";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { externalDatasets, internalDatasets } from "#entities/entity-types.ts";
import { addDataset, buildDataset, buildColumn } from "#testing/dataset-app.ts";
import { columns, timed, opened, openQuality, resetQuality, closeQuality, load, read, list } from "#testing/dataset-quality.ts";

beforeAll(openQuality);

beforeEach(resetQuality);

afterAll(closeQuality);

const change = async (body: Partial<InternalDataset>) => {
  const [stored] = await opened.app.entities.list(internalDatasets);
  await opened.app.entities.replace(internalDatasets, "rows", { ...buildDataset(timed), ...stored?.body, ...body });
  opened.app.service.changed();
  await opened.quality.evaluate();
};

it("is known to those who may read the dataset, within the reach of their key, and to administrators", async () => {
  await addDataset(opened.app, timed);
  await addDataset(opened.app, { ...timed, id: "hidden", roles: ["insider"] });
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
    expect((await opened.app.call([], "GET", path)).status).toBe(404);
  expect((await ids(["admin"], "/admin/datasetQuality")).toSorted()).toEqual(["hidden", "rows"]);
  expect((await opened.app.call(["insider"], "GET", "/admin/datasetQuality")).status).toBe(403);
});

it("follows the thresholds of the dataset, and its update rhythm", async () => {
  await addDataset(opened.app, timed);
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
  await addDataset(opened.app, timed);
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
  const [stored] = await opened.app.entities.list(internalDatasets);
  const source = { kind: "files", glob: "other.parquet", format: "parquet" } as const;
  await opened.app.entities.replace(internalDatasets, "rows", { ...buildDataset(timed), ...stored?.body, source });
  opened.app.service.changed();
  expect([await list(), (await read()).state]).toEqual([[], "unknown"]);
});

it("forgets a deleted dataset, and leaves external ones alone", async () => {
  await addDataset(opened.app, timed);
  await load(100);
  await load(50);
  await opened.app.database.db.deleteFrom("entities").execute();
  opened.app.service.changed();
  expect(await list()).toEqual([]);
  await opened.quality.evaluate();
  expect(await opened.app.database.db.selectFrom("dataset_quality").selectAll().execute()).toEqual([]);
  const external = { name: "Live", baseRoute: "https://example.org", apis: [{ name: "rows", path: "/", method: 0 }] };
  await opened.app.entities.create(externalDatasets, externalDatasets.schema.parse(external));
  opened.app.service.changed();
  expect((await opened.app.call<QualityReport>([], "GET", "/datasets/Live/rows/quality")).body.state).toBe("unsupported");
});
