import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from "vitest";
import { addDataset } from "#testing/dataset-app.ts";
import { timed, opened, openQuality, resetQuality, closeQuality, load, read, list } from "#testing/dataset-quality.ts";

beforeAll(openQuality);

beforeEach(resetQuality);

afterAll(closeQuality);

it("is never shown for datasets whose readers may see different rows, also from before", async () => {
  onTestFinished(() => void (opened.isPersonal = false));
  await addDataset(opened.app, timed);
  for (const rows of [100, 100, 10]) await load(rows);
  expect([(await read()).state, (await list()).length]).toEqual(["issues", 1]);
  opened.isPersonal = true;
  opened.app.service.changed();
  await opened.quality.evaluate();
  expect([await read(), await list(), await list(["admin"], "/admin/datasetQuality")]).toEqual([
    expect.objectContaining({ state: "unknown", measuredMs: null, issues: [], changes: [] }),
    [],
    [],
  ]);
});

it("a new dataset raises no alarm, and one that loses rows and values does until they are back", async () => {
  await addDataset(opened.app, timed);
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
