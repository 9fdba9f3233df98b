import type { DataImport } from "@fairway/contract/imports";
import type { EditableOwnDataset, OwnDatasetFiles } from "@fairway/contract/own-dataset-form";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
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

it("reads all files together, also those that call columns otherwise", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", first);
  const more = await app.read("ada", { "more.csv": "Day;SHIP;size\n2024-01-04;Größwang;3\n" }, into("append"));
  await create(more.id, { acceptDrift: more.drift.map(({ kind }) => kind) });
  await app.settled("ada", more.id);
  const before = await app.call<OwnDatasetFiles>("ada", "GET", `/ownDatasets/${dataset?.id}/files`);
  const { id, drift, reading } = await started();
  expect([drift, reading?.rows, reading?.files.map(({ delimiter }) => delimiter)]).toEqual([[], 3, [",", ";"]]);
  await chosen(id, { columns: { size: { type: "STRING" } } });
  await create(id);
  expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
  await expect.poll(rows).toMatchObject([
    { ship: "Größwang", size: "3" },
    { ship: "Bob", size: "2" },
    { ship: "Ada", size: "1" },
  ]);
  // The files still belong to the dataset, each once.
  const { body } = await app.call<OwnDatasetFiles>("ada", "GET", `/ownDatasets/${dataset?.id}/files`);
  expect(body.files.map(({ file, rows: count }) => [file, count])).toEqual([
    ["ships.csv", 2],
    ["more.csv", 1],
  ]);
  expect(body.files.map(({ addedMs }) => addedMs)).toEqual(before.body.files.map(({ addedMs }) => addedMs));
  await app.call("ada", "DELETE", `/imports/${id}`);
  const second = await started();
  expect(second).toMatchObject({ status: "ready", drift: [] });
});

it("says what the dataset loses: filters, computed columns and what it needs", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", first);
  const path = `/ownDatasets/${dataset?.id}`;
  const { body } = await app.call<EditableOwnDataset>("ada", "GET", path);
  const { settings } = body;
  const twice = { name: "twice", type: "decimal", combined: null, description: "", computed: { expression: "size * 2" } };
  const filter = {
    name: "size",
    display: "Size",
    description: "",
    type: "integer",
    operator: "=",
    value: null,
    required: false,
    preFilled: false,
  };
  const saved = await app.call("ada", "PUT", path, {
    version: body.version,
    settings: {
      ...settings,
      schema: { columns: [...settings.schema.columns, { ...settings.schema.columns[1], ...twice }] },
      filterSupport: { ...settings.filterSupport, staticFilters: [filter] },
    },
  });
  expect([saved.status, saved.status === 200 ? null : saved.body]).toEqual([200, null]);
  const { id } = await started();
  const { drift } = await chosen(id, { columns: { size: { type: "STRING" } } });
  expect(drift.map(({ sentence }) => sentence)).toEqual([
    "'size' becomes text: the filter on it goes with it.",
    "The computed column 'twice' will be left out: '*' multiplies numbers, and 'size' is text. Use number(size).",
  ]);
  expect(await create(id)).toMatchObject({ status: 409 });
  const without = await chosen(id, { columns: { size: null, day: { leaveOut: true } } });
  expect(without.drift).toMatchObject([{ kind: "missing-column", column: "day" }]);
  expect(await create(id, { acceptDrift: ["missing-column"] })).toMatchObject({ status: 409 });
});

it("loses no rows that were added while the files were read again", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const { id } = await started();
  await chosen(id, { columns: { size: { type: "STRING" } } });
  const more = await app.read("ada", { "more.csv": "day,ship,size\n2024-01-04,Cyd,3\n" }, into("append"));
  await create(more.id);
  await app.settled("ada", more.id);
  await create(id);
  expect(await app.settled("ada", id)).toMatchObject({ status: "failed", failure: { kind: "conflict" } });
  await expect.poll(rows).toHaveLength(3);
});
