import type { DataImport } from "@fairway/contract/imports";
import type { OwnDatasetFiles } from "@fairway/contract/own-dataset-form";
import type { OwnDatasetVersion } from "@fairway/contract/own-datasets";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { adasPassword } from "#testing/identity-app.ts";
import { accessTokenOf } from "#testing/signed-in.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);
const first = "day,ship,size\n2024-01-02,Ada,1\n2024-01-03,Bob,2\n";
const into = (mode: "append" | "replace" | "read-again", datasetId = "ships") => ({ into: { datasetCategory: "~ada", datasetId, mode } });
const start = (username = "ada", mode: "read-again" = "read-again") => shared().call<DataImport>(username, "POST", "/imports", into(mode));
const create = (id: string, body: object = {}) => shared().call<DataImport>("ada", "POST", `/imports/${id}/dataset`, body);

const rows = async () => {
  const { body } = await shared().call<SearchAnswer>("ada", "POST", "/datasets/~ada/ships/search", {});
  return body.results ?? body;
};

async function started(): Promise<DataImport> {
  const { status, body } = await start();
  expect([status, status === 201 ? null : body]).toEqual([201, null]);
  return shared().settled("ada", body.id);
}

async function chosen(id: string, choices: object): Promise<DataImport> {
  expect(await shared().call("ada", "PUT", `/imports/${id}/choices`, choices)).toMatchObject({ status: 202 });
  return shared().settled("ada", id);
}

it("reads the given files in another way as a new version, from which one can go back", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", "day,ship,size\n2024-01-02,Ada,007\n2024-01-03,Bob,x\n");
  const { id, reading, drift, files } = await started();
  expect(files).toMatchObject([{ number: 1, file: "ships.csv" }]);
  expect([reading?.columns.map(({ name, type }) => `${name} ${type}`), drift]).toEqual([
    ["day TIMESTAMP_SECONDS", "ship STRING", "size STRING"],
    [],
  ]);
  const changed = await chosen(id, { files: { "1": { headerLine: 0 } }, columns: { column0: { leaveOut: true } } });
  expect(changed.drift.map(({ kind, column }) => `${kind} ${column}`)).toContain("missing-column day");
  const again = await chosen(id, { files: { "1": null }, columns: { size: { type: "integer" }, column0: null } });
  expect(again).toMatchObject({ status: "ready", drift: [] });
  expect(await create(id)).toMatchObject({ status: 202 });
  expect(await app.settled("ada", id)).toMatchObject({ status: "done", dataset: { id: dataset?.id } });
  await expect.poll(rows).toMatchObject([
    { ship: "Bob", size: null },
    { ship: "Ada", size: 7 },
  ]);
  const own = `/ownDatasets/${dataset?.id}`;
  const { body: versions } = await app.call<OwnDatasetVersion[]>("ada", "GET", `${own}/versions`);
  expect(versions).toMatchObject([
    { kind: "read-again", rows: 2, files: [{ file: "ships.csv" }] },
    { kind: "created", isKept: true },
  ]);
  const { body: given } = await app.call<OwnDatasetFiles>("ada", "GET", `${own}/files`);
  expect(given).toMatchObject({
    dataVersion: 2,
    notReadAgain: null,
    files: [{ number: 1, file: "ships.csv", rows: 2, encoding: "utf-8", unreadable: { lines: 0, values: 1, isExact: true } }],
  });
  expect(given.files[0]?.unreadable?.first).toEqual([{ column: "size", line: 3, text: "x" }]);
  await app.call("ada", "POST", `${own}/versions/1/restore`);
  await expect.poll(rows).toMatchObject([{ size: "x" }, { size: "007" }]);
});

it("saves nothing while nothing is changed", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const { id, isUnchanged } = await started();
  expect(isUnchanged).toBe(true);
  const message = "Nothing has changed. Choose how the files are read first.";
  expect(await create(id)).toMatchObject({ status: 409, body: { errors: [{ code: "conflict", message }] } });
  for (const choices of [{ columns: { size: { type: "STRING" } } }, { columns: { ship: { leaveOut: true } } }, { zone: "Europe/Berlin" }])
    expect((await chosen(id, choices)).isUnchanged).toBe(false);
  expect((await chosen(id, { columns: { size: null, ship: null }, zone: null })).isUnchanged).toBe(true);
  await chosen(id, { files: { "1": { headerLine: 1 } } });
  expect(await create(id)).toMatchObject({ status: 202 });
  await app.settled("ada", id);
  expect((await app.read("ada", { "more.csv": first })).isUnchanged).toBeUndefined();
});

it("leaves what was left out, and refuses Parquet, viewers and strangers", async () => {
  const app = shared();
  const { id } = await app.read("ada", { "ships.csv": first });
  await chosen(id, { columns: { size: { leaveOut: true } } });
  await create(id, { name: "ships" });
  const { dataset } = await app.settled("ada", id);
  const { sample } = await started();
  expect(sample?.columns.map(({ name }) => name)).toEqual(["day", "ship"]);
  expect(await start("alan")).toMatchObject({ status: 404 });
  const path = `/ownDatasets/${dataset?.id}`;
  for (const address of [`${path}/files`, `${path}/files/1`]) expect(await app.call("alan", "GET", address)).toMatchObject({ status: 404 });
  const { body: candidates } = await app.call<{ id: string }[]>("ada", "GET", "/sharing/candidates?text=alan");
  const share = (can: string) =>
    app.call("ada", "PUT", `${path}/shares`, { shares: [{ to: { kind: "user", id: candidates[0]?.id }, can }] });
  await share("view");
  expect(await start("alan")).toMatchObject({ status: 403 });
  expect(await app.call("alan", "GET", `${path}/files/1`)).toMatchObject({ status: 403 });
  await share("edit");
  expect(await start("alan")).toMatchObject({ status: 201 });
});

it("keeps the given files of the current rows as long as these, and hands them out", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", first);
  const more = await app.read("ada", { "more.csv": "day,ship,size\n2024-01-04,Cyd,3\n" }, into("append"));
  await create(more.id);
  await app.settled("ada", more.id);
  await app.gateway.database.db.updateTable("own_dataset_versions").set({ is_kept: false }).where("version", "=", 1).execute();
  await app.purge();
  expect((await started()).reading?.rows).toBe(3);
  const read = async (n: number) => {
    const token = await accessTokenOf(app.gateway, "ada", adasPassword);
    return app.gateway.app.inject({ url: `/ownDatasets/${dataset?.id}/files/${n}`, headers: { authorization: `Bearer ${token}` } });
  };
  const { body, headers } = await read(1);
  expect([body, headers["content-disposition"]]).toEqual([first, "attachment; filename=\"ships.csv\"; filename*=UTF-8''ships.csv"]);
  expect((await read(2)).body).toContain("Cyd");
  expect((await read(3)).statusCode).toBe(404);
});
