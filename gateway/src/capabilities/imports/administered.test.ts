import type { DatasetDescription } from "@fairway/contract/datasets";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import type { RevisionAction } from "@fairway/contract/entities";
import { existsSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp(
  (onClose) => ownDataApp({ onClose }),
  ["imports", "own_datasets", "own_categories", "own_data_files", "entities", "entity_revisions"],
);

const longAgo = new Date(Date.now() - 30 * 86_400_000);
const depths = "day,site,depth\n2024-01-02,North,12.5\n2024-01-01,South,7\n";

it("makes an ordinary internal dataset of an administrator's import with a category", async () => {
  const app = shared();
  const done = await app.dataset("root", "depths", depths, { category: "Soundings", description: "Of two sites." });
  expect(done).toMatchObject({
    status: "done",
    failure: null,
    dataset: { id: null, datasetCategory: "Soundings", datasetId: "depths" },
  });

  const entities = await app.call<InternalDataset[]>("root", "GET", "/admin/datasets/internal");
  expect(entities.body).toHaveLength(1);
  expect(entities.body[0]).toMatchObject({
    id: "depths",
    category: "Soundings",
    description: "Of two sites.",
    roles: [],
    enabled: true,
    source: { kind: "files", glob: `imported/${done.id}.parquet`, format: "parquet" },
  });
  const revisions = await app.call<{ action: RevisionAction; by: string }[]>("root", "GET", "/admin/datasets/internal/depths/revisions");
  expect(revisions.body).toMatchObject([{ action: "create", by: "root" }]);

  // In the portal, changes of entities tell it.
  app.service.changed();
  const description = await app.call<DatasetDescription>("grace", "GET", "/datasets/Soundings/depths/describe");
  expect(description).toMatchObject({ status: 200, body: { temporalField: "day", description: "Of two sites." } });
  const search = await app.call<{ data: object[] }>("grace", "POST", "/datasets/Soundings/depths/search", {});
  expect(search.status).toBe(200);
  expect(JSON.stringify(search.body)).toContain('"site":"North"');
  expect((await app.call("root", "GET", "/ownDatasets")).body).toMatchObject({ datasets: [] });

  await app.call("root", "DELETE", `/imports/${done.id}`);
  expect(await app.stored()).toEqual([]);
  expect((await app.call("grace", "POST", "/datasets/Soundings/depths/search", {})).status).toBe(200);
});

it("refuses a category to others, one of own datasets, and an id that is in use", async () => {
  const app = shared();
  const { id: first } = await app.read("root", { "depths.csv": depths });
  const create = (username: string, id: string, body: object) =>
    app.call(username, "POST", `/imports/${id}/dataset`, { name: "depths", acceptAssumed: true, ...body });
  expect(await create("root", first, { category: "~root" })).toMatchObject({
    status: 400,
    body: { errors: [{ code: "invalid-value", path: "category" }] },
  });
  expect(await create("root", first, { category: "Soundings" })).toMatchObject({ status: 202 });
  expect(await app.settled("root", first)).toMatchObject({ status: "done" });

  const { id: second } = await app.read("root", { "depths.csv": depths });
  expect(await create("root", second, { category: "Others" })).toMatchObject({
    status: 409,
    body: { errors: [{ code: "name-taken", path: "name" }] },
  });
  const { id: third } = await app.read("ada", { "depths.csv": depths });
  expect(await create("ada", third, { category: "Others", name: "mine" })).toMatchObject({
    status: 403,
    body: { errors: [{ code: "forbidden", path: "category" }] },
  });
});

it("removes the rows of a deleted dataset after the days in which it can be restored, and no file that anything reads", async () => {
  const app = shared();
  const made = async (name: string) => {
    const { id } = await app.dataset("root", name, depths, { category: "Soundings" });
    const path = join(app.bench.folder, "imported", `${id}.parquet`);
    await utimes(path, longAgo, longAgo);
    return path;
  };
  const [depthsPath, tidesPath, lakesPath] = [await made("depths"), await made("tides"), await made("lakes")];
  const { pool } = app.gateway.database;
  const forget = (pattern: string) => pool.query("update entity_revisions set at = $1 where entity_id like $2", [longAgo, pattern]);
  const purged = async () => {
    await app.purge();
    return [depthsPath, tidesPath, lakesPath].map((path) => existsSync(path));
  };
  await app.call("root", "DELETE", "/admin/datasets/internal/depths");
  await app.call("root", "DELETE", "/admin/datasets/internal/lakes");
  expect(await purged()).toEqual([true, true, true]);
  await forget("depths");
  await forget("tides");
  expect(await purged()).toEqual([false, true, true]);
  // A pattern that matches the file keeps it, too.
  await forget("%");
  const { body } = await app.call<InternalDataset[]>("root", "GET", "/admin/datasets/internal");
  const all = { ...body[0], id: "all", source: { kind: "files", glob: "imported/*.parquet", format: "parquet" } };
  expect((await app.call("root", "POST", "/admin/datasets/internal", all)).status).toBe(201);
  expect(await purged()).toEqual([false, true, true]);
  await app.call("root", "DELETE", "/admin/datasets/internal/all");
  await forget("%");
  expect(await purged()).toEqual([false, true, false]);
});
