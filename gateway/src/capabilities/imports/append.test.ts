import type { DataImport } from "@fairway/contract/imports";
import type { OwnDatasetVersion } from "@fairway/contract/own-datasets";
import type { SearchAnswer } from "@fairway/contract/search";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);
const first = "day,ship,size\n2024-01-02,Ada,1\n2024-01-03,Bob,2\n";
const into = (mode: "append" | "replace") => ({ into: { datasetCategory: "~ada", datasetId: "ships", mode } });
const create = (id: string, body: object = {}) => shared().call<DataImport>("ada", "POST", `/imports/${id}/dataset`, body);
const searched = async () => (await shared().call<SearchAnswer>("ada", "POST", "/datasets/~ada/ships/search", {})).body;
const shipsAndSizes = async () => (await searched()).results.map(({ ship, size }) => [ship, size]);

async function added(content: string, body: object = {}, mode: "append" | "replace" = "append"): Promise<DataImport> {
  const app = shared();
  const { id } = await app.read("ada", { "more.csv": content }, into(mode));
  expect(await create(id, body)).toMatchObject({ status: 202 });
  return app.settled("ada", id);
}

it("adds rows by the names of columns, and says with each page of which version it is", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  expect(await searched()).toMatchObject({ dataVersion: 1, results: [{ ship: "Bob" }, { ship: "Ada" }] });
  const done = await added("size,ship,day\n3,Cyd,2024-01-04\n");
  expect(done).toMatchObject({ status: "done", dataset: { datasetCategory: "~ada", datasetId: "ships" } });
  await expect.poll(shipsAndSizes).toEqual([
    ["Cyd", 3],
    ["Bob", 2],
    ["Ada", 1],
  ]);
  expect(await searched()).toMatchObject({ dataVersion: 2 });
  const { body: versions } = await app.call<OwnDatasetVersion[]>("ada", "GET", `/ownDatasets/${done.dataset?.id}/versions`);
  expect(versions).toMatchObject([
    { version: 2, kind: "appended", rows: 3, isCurrent: true, by: "ada", files: [{ file: "more.csv", rows: 1 }] },
    { version: 1, kind: "created", rows: 2, isCurrent: false, isKept: true },
  ]);
  await app.call("ada", "POST", `/ownDatasets/${done.dataset?.id}/versions/1/restore`);
  await expect.poll(shipsAndSizes).toEqual([
    ["Bob", 2],
    ["Ada", 1],
  ]);
  expect(await searched()).toMatchObject({ dataVersion: 3 });
});

it("lists every difference before anything is stored, and needs each to be accepted", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const { id, drift } = await app.read(
    "ada",
    { "more.csv": "Day,size,port\n2024-01-04,x4,Kiel\n2024-01-05,x5,Cuxhaven\n" },
    into("append"),
  );
  expect(drift.map(({ kind, column = "" }) => `${kind} ${column}`)).toEqual([
    "other-format day",
    "new-column port",
    "missing-column ship",
    "does-not-fit size",
  ]);
  expect(await create(id, { acceptDrift: ["new-column"] })).toMatchObject({ status: 409, body: { errors: [{ path: "acceptDrift" }] } });
  expect(await create(id, { acceptDrift: ["new-column", "missing-column", "other-format", "does-not-fit"] })).toMatchObject({
    status: 202,
  });
  expect(await app.settled("ada", id)).toMatchObject({ status: "done" });
  await expect
    .poll(async () => (await searched()).results)
    .toMatchObject([
      { ship: null, size: "x5", port: "Cuxhaven" },
      { ship: null, size: "x4", port: "Kiel" },
      { ship: "Bob", size: "2", port: null },
      { ship: "Ada", size: "1", port: null },
    ]);
});

it("asks before the same bytes are added again, and refuses files without what the dataset needs", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const again = await app.read("ada", { "again.csv": first }, into("append"));
  expect(again.drift).toMatchObject([{ kind: "same-file", file: "again.csv" }]);
  expect(await create(again.id)).toMatchObject({
    status: 409,
    body: { errors: [{ message: expect.stringMatching(/^This file was added on \d{4}-\d\d-\d\d\. Add it again\?$/) as string }] },
  });
  const without = await app.read("ada", { "more.csv": "ship,size\nCyd,3\n" }, into("append"));
  expect(await create(without.id, { acceptDrift: ["missing-column"] })).toMatchObject({ status: 409 });
});

it("replaces the rows and keeps address, settings and shares", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", first, { description: "Ships of mine." });
  await app.call("ada", "PUT", `/ownDatasets/${dataset?.id}/shares`, { shares: [{ to: { kind: "everyone" }, can: "view" }] });
  await added("day,ship,size,flag\n2025-01-01,Eve,9,DE\n", {}, "replace");
  await expect.poll(shipsAndSizes).toEqual([["Eve", 9]]);
  expect((await app.call("grace", "GET", "/datasets/~ada/ships/describe")).body).toMatchObject({
    description: "Ships of mine.",
    dataVersion: 2,
  });
});

it("keeps both of two appends at once", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const one = await app.read("ada", { "one.csv": "day,ship,size\n2024-01-05,One,5\n" }, into("append"));
  const two = await app.read("ada", { "two.csv": "day,ship,size\n2024-01-06,Two,6\n" }, into("append"));
  await Promise.all([create(one.id), create(two.id)]);
  await Promise.all([app.settled("ada", one.id), app.settled("ada", two.id)]);
  await expect.poll(async () => (await shipsAndSizes()).map(([ship]) => ship)).toEqual(["Two", "One", "Bob", "Ada"]);
});

it("adds to datasets that one may edit only", async () => {
  const app = shared();
  const { dataset } = await app.dataset("ada", "ships", first);
  const files = [{ file: "more.csv", size: 1 }];
  const start = (username: string) => app.call(username, "POST", "/imports", { files, ...into("append") });
  expect(await start("alan")).toMatchObject({ status: 404 });
  const { body: me } = await app.call<{ id: string }>("alan", "GET", "/probe/me");
  const share = (can: "view" | "edit") =>
    app.call("ada", "PUT", `/ownDatasets/${dataset?.id}/shares`, { shares: [{ to: { kind: "user", id: me.id }, can }] });
  await share("view");
  expect(await start("alan")).toMatchObject({ status: 403 });
  await share("edit");
  expect(await start("alan")).toMatchObject({ status: 201 });
});

it("lists columns that saved searches, boards and alerts of the owner name before the rows are replaced without them", async () => {
  const app = shared();
  await app.dataset("ada", "ships", first);
  const { pool } = app.gateway.database;
  const query = JSON.stringify({ filters: [{ name: "size", operator: "=", value: 1 }] });
  await pool.query(
    `insert into saved_searches (id, user_id, category, dataset_id, name, name_key, description, query, shared_with_roles)
     select 's-1', id, '~ada', 'ships', 'Small', 'small', '', $1, '{}' from users where username = 'ada'`,
    [query],
  );
  const panel = (column: string, id = "ships") => ({
    id: column,
    kind: "number",
    title: "size",
    dataset: { datasetCategory: "~ada", datasetId: id },
    query: { filters: [{ name: "ship", operator: "=", value: "Ada" }] },
    value: { aggregation: "avg", column },
  });
  const board = (id: string, owner: string, panels: object[]) =>
    pool.query(
      `insert into boards (id, user_id, name, name_key, description, shared_with_roles, content, version, updated_at)
       select $1, id, $1, $1, '', '{}', $3, 1, now() from users where username = $2`,
      [id, owner, JSON.stringify({ panels })],
    );
  await board("b-1", "ada", [panel("size"), panel("size")]);
  await board("b-2", "ada", [panel("ship"), panel("size", "others")]);
  await board("b-3", "alan", [panel("size")]);
  const alert = (id: string, condition: object, search: string | null) =>
    pool.query(
      `insert into alerts (id, user_id, name, name_key, saved_search_id, category, dataset_id, condition, every_minutes, tell_when_over, email)
       select $1, id, $1, $1, $3, '~ada', 'ships', $2, 60, false, false from users where username = 'ada'`,
      [id, JSON.stringify(condition), search],
    );
  await alert("a-1", { kind: "new-rows" }, "s-1");
  const measure = { id: "m", aggregation: "avg", of: "size" };
  await alert("a-2", { kind: "measure", measure, operator: ">", value: 1 }, null);
  await alert("a-3", { kind: "new-rows" }, null);
  const { drift } = await app.read("ada", { "other.csv": "day,ship\n2024-01-02,Ada\n" }, into("replace"));
  expect(drift).toEqual(
    ["1 saved search of the owner names 'size'.", "1 board of the owner names 'size'.", "2 alerts of the owner name 'size'."].map(
      (sentence) => ({
        kind: "missing-column",
        column: "size",
        sentence,
      }),
    ),
  );
});
