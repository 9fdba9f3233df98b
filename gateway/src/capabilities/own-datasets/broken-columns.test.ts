import type { EditableOwnDataset } from "@fairway/contract/own-dataset-form";
import { expect, it, vi } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

const told = () => shared().notified.map(({ title, text }) => [title, text]);

it("tells the owner, once, of a lookup that has lost its dataset, and warns those who edit it", async () => {
  const app = shared();
  const ports = await app.dataset("ada", "ports", "port,land\nKiel,Germany\nOslo,Norway\n");
  const ships = await app.dataset("ada", "ships", "ship,port\nAda,Kiel\nBob,Oslo\n");
  const path = `/ownDatasets/${ships.dataset?.id}`;
  const { body } = await app.call<EditableOwnDataset>("ada", "GET", path);
  expect(body.warnings).toEqual([]);
  const lookup = {
    id: "of ports",
    dataset: { datasetCategory: "~ada", datasetId: "ports" },
    match: "exact",
    key: [{ column: "port", on: "port" }],
    columns: [{ from: "land", name: "land" }],
  };
  const columns = [
    ...body.settings.schema.columns,
    { name: "shore", type: "STRING", description: "", combined: null, computed: { expression: "upper(land)" } },
  ];
  const saved = await app.call("ada", "PUT", path, {
    version: body.version,
    settings: { ...body.settings, lookups: [lookup], schema: { columns } },
  });
  expect([saved.status, saved.status === 200 ? null : saved.body]).toEqual([200, null]);
  await app.purge();
  expect(told()).toEqual([]);
  await app.call("ada", "DELETE", `/ownDatasets/${ports.dataset?.id}`);
  // The gateway knows of a change once it is announced.
  const warnings = async () => (await app.call<EditableOwnDataset>("ada", "GET", path)).body.warnings;
  await vi.waitFor(async () => expect(await warnings()).toHaveLength(2));
  await app.purge();
  await app.purge();
  const lost = [
    "The columns of the lookup 'of ports' are left out: This dataset no longer exists.",
    "The column 'shore' is left out: There is no column 'land'.",
  ];
  expect(told()).toEqual([["Columns of 'ships' are left out", lost.join(" ")]]);
  expect(app.notified[0]?.users).toHaveLength(1);
  const { body: warned } = await app.call<EditableOwnDataset>("ada", "GET", path);
  expect(warned.warnings).toMatchObject([
    { code: "lookup-broken", message: lost[0], path: "lookups.0.dataset" },
    { code: "computed-broken", message: lost[1] },
  ]);
  await app.call("ada", "POST", `/ownDatasets/${ports.dataset?.id}/restore`);
  await vi.waitFor(async () => expect(await warnings()).toEqual([]));
  await app.purge();
  await app.call("ada", "DELETE", `/ownDatasets/${ports.dataset?.id}`);
  await vi.waitFor(async () => expect(await warnings()).toHaveLength(2));
  await app.purge();
  expect(told()).toHaveLength(2);
});
