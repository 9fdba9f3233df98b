import type { DatasetProfileState, DatasetThumbnail } from "@fairway/contract/dataset-profiles";
import type { DatasetQuality } from "@fairway/contract/dataset-quality";
import type { DatasetRef } from "@fairway/contract/datasets";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const tables = ["dataset_profiles", "dataset_measurements", "dataset_quality"];
const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files", ...tables]);

const path = "/datasets/~ada/ships";
const ships = (count: number) =>
  `name,latitude,longitude\n${Array.from({ length: count }, (_, index) => `ship ${index % 3},${index % 80},${index % 170}`).join("\n")}\n`;

const profile = async (username = "ada") => (await shared().call<DatasetProfileState>(username, "GET", `${path}/profile`)).body;
const left = async () => {
  const { pool } = shared().gateway.database;
  const counts = await Promise.all(tables.map((table) => pool.query<{ count: string }>(`select count(*) from ${table}`)));
  return counts.map(({ rows }) => Number(rows[0]?.count));
};

async function replaced(count: number) {
  const app = shared();
  const into = { datasetCategory: "~ada", datasetId: "ships", mode: "replace" as const };
  const { id } = await app.read("ada", { "ships.csv": ships(count) }, { into });
  await app.call("ada", "POST", `/imports/${id}/dataset`, {});
  expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
}

it("computes values, pictures and quality of own datasets for those who may read them, and removes them with the dataset", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", ships(300));
  await expect.poll(profile).toMatchObject({ state: "none" });
  await app.measure();
  expect(await profile()).toMatchObject({ state: "done", profile: { rows: 300, columns: [{ name: "name" }, {}, {}] } });
  const { positions } = (await app.call<DatasetThumbnail>("ada", "GET", `${path}/profile/thumbnail`)).body;
  expect(positions.length).toBeGreaterThan(0);
  const pictured = async (username: string) => (await app.call<{ dataset: DatasetRef }[]>(username, "GET", "/datasets/thumbnails")).body;
  expect(await pictured("ada")).toMatchObject([{ dataset: { datasetCategory: "~ada", datasetId: "ships" } }]);

  // Of others' datasets, administrators learn nothing either.
  for (const username of ["root", "grace"]) {
    for (const what of ["profile", "profile/thumbnail", "quality"]) {
      const absent = await app.call(username, "GET", `/datasets/~ada/boats/${what}`);
      expect(await app.call(username, "GET", `${path}/${what}`)).toMatchObject({ status: 404, body: { errors: absent.body.errors } });
    }
    expect(await pictured(username)).toEqual([]);
  }
  expect(await app.call("root", "POST", "/admin/datasets/internal/ships/profile")).toMatchObject({ status: 404 });

  await app.call("ada", "PUT", `/ownDatasets/${dataset?.id}/shares`, { shares: [{ to: { kind: "everyone" }, can: "view" }] });
  await expect.poll(() => profile("grace")).toMatchObject({ state: "done", profile: { rows: 300 } });

  await replaced(10);
  await expect.poll(profile).toMatchObject({ profile: null });
  await app.measure();
  expect(await profile()).toMatchObject({ state: "done", profile: { rows: 10 } });
  expect((await app.call<DatasetQuality[]>("ada", "GET", "/datasets/quality")).body).toMatchObject([
    { dataset: { datasetCategory: "~ada", datasetId: "ships" }, issues: [{ kind: "row-drop" }] },
  ]);
  expect((await app.call<DatasetQuality[]>("root", "GET", "/admin/datasetQuality")).body).toEqual([]);

  expect(await left()).toEqual([1, 2, 1]);
  await app.call("ada", "DELETE", `/ownDatasets/${dataset?.id}?now=true`);
  expect(await left()).toEqual([0, 0, 0]);
});
