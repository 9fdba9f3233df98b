import type { OwnData, OwnDataset, OwnDatasetDependents } from "@fairway/contract/own-datasets";
import type { OwnedThings, OwnerlessEntry, ShareDraft } from "@fairway/contract/sharing";
import { expect, it, onTestFinished } from "vitest";
import { ownCategoryOf } from "#own-data/room.ts";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { warnIfAlmostFull } from "./almost-full.ts";
import { belongings } from "./removal.ts";

const tables = ["imports", "own_datasets", "own_categories", "own_data_files", "own_data_rooms", "own_data_warning"];
const shared = sharedApp((onClose) => ownDataApp({ onClose }), tables);

const rows = "name,size\na,1\nb,2\n";
const idOf = async (username: string) => (await shared().call<{ id: string }>(username, "GET", "/probe/me")).body.id;
const made = async (owner: string, name: string) => (await shared().dataset(owner, name, rows)).dataset?.id ?? "";
const query = (text: string, values: readonly unknown[] = []) => shared().gateway.database.pool.query(text, [...values]);
const ownOf = async (username: string) => (await shared().call<OwnData>(username, "GET", "/ownDatasets")).body;
const statusOf = async (username: string, method: "GET" | "PUT" | "POST" | "DELETE", address: string, body?: unknown) =>
  (await shared().call(username, method, address, body)).status;
const to = async (username: string, can: "view" | "edit"): Promise<ShareDraft> => ({ to: { kind: "user", id: await idOf(username) }, can });
const share = (owner: string, id: string, shares: readonly ShareDraft[]) =>
  shared().call<OwnDataset>(owner, "PUT", `/ownDatasets/${id}/shares`, { shares });

it("is given by the owner to an editor, with its bytes, and the former owner stays an editor", async () => {
  const app = shared();
  const id = await made("ada", "things");
  await share("ada", id, [await to("alan", "edit"), await to("grace", "view")]);
  const { bytes } = (await ownOf("ada")).room;
  expect(bytes).toBeGreaterThan(0);
  expect(await statusOf("ada", "PUT", `/ownDatasets/${id}/owner`, { userId: await idOf("grace") })).toBe(400);
  expect(await statusOf("ada", "PUT", `/ownDatasets/${id}/owner`, { userId: "nobody" })).toBe(400);
  expect(await statusOf("ada", "PUT", `/ownDatasets/${id}/owner`, { userId: await idOf("alan") })).toBe(204);
  expect(app.notified.at(-1)).toMatchObject({ users: [await idOf("alan")], title: "The dataset 'things' is yours now" });
  expect((await ownOf("alan")).room).toMatchObject({ bytes, datasets: 1 });
  expect(await ownOf("ada")).toMatchObject({
    room: { bytes: 0, datasets: 0 },
    datasets: [{ datasetCategory: "~ada", datasetId: "things", can: "edit", owner: { username: "alan" } }],
  });
  expect((await share("ada", id, [])).status).toBe(403);
  expect((await ownOf("grace")).datasets).toMatchObject([{ id, can: "view" }]);
});

it("is given by administrators to any enabled account that has room", async () => {
  const id = await made("ada", "things");
  const [grace, alan] = [await idOf("grace"), await idOf("alan")];
  const give = (userId: string) => shared().call("root", "PUT", `/ownDatasets/${id}/owner`, { userId });
  expect(await statusOf("root", "PUT", `/admin/users/${grace}/ownDataRoom`, { maxBytes: 10 })).toBe(204);
  expect(await give(grace)).toMatchObject({ status: 409, body: { errors: [{ message: "'grace' has no room for this dataset." }] } });
  expect(await statusOf("root", "PUT", `/admin/users/${grace}/ownDataRoom`, { maxBytes: null })).toBe(204);
  await query("update users set locked = true where id = $1", [alan]);
  expect((await give(alan)).status).toBe(400);
  await query("update users set locked = false where id = $1", [alan]);
  expect((await give(grace)).status).toBe(204);
  expect((await ownOf("grace")).datasets).toMatchObject([{ id, can: "own" }]);
  expect(await statusOf("grace", "DELETE", `/ownDatasets/${id}`)).toBe(204);
  expect((await give(alan)).status).toBe(409);
});

it("is left by somebody it is shared with, but not where it is shared with a role", async () => {
  const id = await made("ada", "things");
  await share("ada", id, [await to("grace", "view")]);
  expect(await statusOf("grace", "DELETE", `/ownDatasets/${id}/shares/mine`)).toBe(204);
  expect(await statusOf("grace", "DELETE", `/ownDatasets/${id}/shares/mine`)).toBe(404);
  await share("ada", id, [{ to: { kind: "everyone" }, can: "view" }]);
  expect(await statusOf("grace", "DELETE", `/ownDatasets/${id}/shares/mine`)).toBe(409);
});

it("counts what its owner and others have made of it", async () => {
  const id = await made("ada", "things");
  await share("ada", id, [{ to: { kind: "everyone" }, can: "view" }]);
  for (const user of ["ada", "grace"]) {
    await query("insert into favorite_datasets (user_id, category, dataset_id) values ($1, '~ada', 'things')", [await idOf(user)]);
    await query(
      `insert into saved_searches (id, user_id, category, dataset_id, name, name_key, description, query, shared_with_roles)
       values ($1, $1, '~ada', 'things', 'Mine', 'mine', '', '{}', '{}')`,
      [await idOf(user)],
    );
  }
  const panels = [{ kind: "table", dataset: { datasetCategory: "~ada", datasetId: "things" } }];
  await query(
    `insert into boards (id, user_id, name, name_key, description, shared_with_roles, content, version, updated_at)
     values ('board', $1, 'Season', 'season', '', '{}', $2, 1, now())`,
    [await idOf("grace"), JSON.stringify({ panels })],
  );
  await made("alan", "others");
  const lookups = [{ id: "l", dataset: { datasetCategory: "~ada", datasetId: "things" }, key: [], columns: [] }];
  await query("update own_datasets set settings = settings || $1::jsonb where name = 'others'", [JSON.stringify({ lookups })]);
  expect((await shared().call<OwnDatasetDependents>("ada", "GET", `/ownDatasets/${id}/dependents`)).body).toEqual({
    savedSearches: 2,
    boards: 1,
    alerts: 0,
    lookups: 1,
    favorites: 2,
    shares: 1,
  });
  expect(await statusOf("ada", "DELETE", `/ownDatasets/${id}?now=true`)).toBe(204);
  const count = async (table: string) => (await query(`select 1 from ${table}`)).rows.length;
  expect([await count("favorite_datasets"), await count("saved_searches"), await count("boards")]).toEqual([0, 2, 1]);
  await query("delete from saved_searches");
  await query("delete from boards");
});

/** Things that people have made of a dataset. They are theirs, and stay. */
const madeOfDatasets = ["alerts", "graph_templates", "notifications", "saved_searches"];

it("takes everything along that is about it, and nothing that people have made of it", async () => {
  const { rows: found } = await shared().gateway.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.columns
     where table_schema = current_schema() and column_name in ('category', 'dataset_id')
     group by table_name having count(*) = 2 order by table_name`,
  );
  expect(found.map(({ name }) => name)).toEqual([...belongings, ...madeOfDatasets].toSorted());
});

it("can be restored for 7 days, and then goes with every byte", async () => {
  const app = shared();
  const before = await app.stored();
  const id = await made("ada", "things");
  expect(await statusOf("ada", "DELETE", `/ownDatasets/${id}`)).toBe(204);
  await app.purge();
  expect((await ownOf("ada")).datasets).toMatchObject([{ id, goneMs: expect.any(Number) }]);
  expect((await app.call("ada", "GET", `/ownDatasets/${id}`)).status).toBe(404);
  expect(await statusOf("ada", "POST", `/ownDatasets/${id}/restore`)).toBe(200);
  await app.purge();
  expect(await statusOf("ada", "GET", `/ownDatasets/${id}`)).toBe(200);
  expect(await statusOf("ada", "DELETE", `/ownDatasets/${id}`)).toBe(204);
  await query("update own_datasets set gone_at = now() - interval '1 second'");
  expect(await statusOf("ada", "POST", `/ownDatasets/${id}/restore`)).toBe(404);
  await app.purge();
  expect(await ownOf("ada")).toMatchObject({ datasets: [], room: { bytes: 0, datasets: 0 } });
  expect(await app.stored()).toEqual(before);
});

it("stays without owner after the account is deleted if somebody else can read it, and can be given away", async () => {
  const app = shared();
  const before = await app.stored();
  const [sharedId, privateId] = [await made("alan", "shared"), await made("alan", "private")];
  await share("alan", sharedId, [await to("grace", "view")]);
  await query("update users set locked = true where username = 'alan'");
  await app.purge();
  expect((await ownOf("grace")).datasets).toMatchObject([{ id: sharedId, owner: { username: "alan" } }]);
  await query("delete from users where username = 'alan'");
  await app.purge();
  expect((await ownOf("grace")).datasets).toMatchObject([{ id: sharedId, owner: null, can: "view", goneMs: null }]);
  await expect.poll(() => statusOf("grace", "GET", "/datasets/~alan/shared/describe")).toBe(200);
  expect(await statusOf("root", "GET", "/datasets/~alan/shared/describe")).toBe(404);
  const { rows: waiting } = await query("select name from own_datasets where gone_at is not null");
  expect(waiting).toEqual([{ name: "private" }]);
  const { entries } = (await app.call<{ entries: OwnerlessEntry[] }>("root", "GET", "/admin/ownerless")).body;
  expect(entries.map(({ kind, name, formerOwner, shares }) => [kind, name, formerOwner, shares.length])).toEqual([
    ["ownDataset", "private", "alan", 0],
    ["ownDataset", "shared", "alan", 1],
  ]);
  expect(await statusOf("root", "PUT", `/admin/ownerless/ownDataset/${sharedId}`, { userId: await idOf("grace") })).toBe(204);
  expect(await statusOf("root", "DELETE", `/admin/ownerless/ownDataset/${sharedId}`)).toBe(404);
  expect((await ownOf("grace")).room.bytes).toBeGreaterThan(0);

  // A new account of the same name.
  await query("insert into users (id, username, username_key) values ('second', 'alan', 'alan')");
  const { db } = app.gateway.database;
  expect(await ownCategoryOf(db, { id: "second", username: "alan" })).toBe("~alan~2");
  expect(await ownCategoryOf(db, { id: "second", username: "alan" })).toBe("~alan~2");
  expect((await query("select id from own_datasets where owner_id = 'second'")).rows).toEqual([]);

  expect(await statusOf("root", "DELETE", `/admin/ownerless/ownDataset/${privateId}`)).toBe(204);
  expect(await statusOf("grace", "DELETE", `/ownDatasets/${sharedId}?now=true`)).toBe(204);
  expect(await app.stored()).toEqual(before);
});

it("goes with all others to another account when its owner's account is deleted, if that has room for them", async () => {
  const app = await ownDataApp({ onClose: onTestFinished });
  const { id } = (await app.dataset("alan", "things", rows)).dataset ?? {};
  await app.dataset("alan", "others", rows);
  const idIn = async (username: string) => (await app.call<{ id: string }>(username, "GET", "/probe/me")).body.id;
  const [alan, grace] = [await idIn("alan"), await idIn("grace")];
  const remove = () => app.call("root", "DELETE", `/admin/users/${alan}?transferTo=${grace}`);
  await app.call("alan", "PUT", `/ownDatasets/${id}/shares`, { shares: [{ to: { kind: "user", id: grace }, can: "edit" }] });
  expect((await app.call<OwnedThings>("root", "GET", `/admin/users/${alan}/owned`)).body).toEqual({
    counts: { board: 0, savedSearch: 0, ownDataset: 2 },
    shared: [{ kind: "ownDataset", id, name: "things" }],
  });
  await app.call("root", "PUT", `/admin/users/${grace}/ownDataRoom`, { maxBytes: 10 });
  expect(await remove()).toMatchObject({ status: 409, body: { errors: [{ message: "'grace' has no room for this dataset." }] } });
  await app.call("root", "PUT", `/admin/users/${grace}/ownDataRoom`, { maxBytes: null });
  expect((await remove()).status).toBe(204);
  await app.purge();
  const { room, datasets } = (await app.call<OwnData>("grace", "GET", "/ownDatasets")).body;
  expect([room.datasets, datasets.map(({ datasetCategory, datasetId, can, shares }) => [datasetCategory, datasetId, can, shares])]).toEqual(
    [
      2,
      [
        ["~alan", "others", "own", []],
        ["~alan", "things", "own", []],
      ],
    ],
  );
  await expect.poll(async () => (await app.call("grace", "GET", "/datasets/~alan/others/describe")).status).toBe(200);
});

it("tells administrators once when a tenth of the room of all is left", async () => {
  const app = shared();
  await made("ada", "things");
  const { bytes } = (await ownOf("ada")).room;
  const told: string[] = [];
  const retracted: string[] = [];
  const notifier = {
    notify: async (users: readonly string[], { text = "" }: { text?: string }) => void told.push(`${users.length} ${text}`),
    retract: async (topic: string) => void retracted.push(topic),
  };
  const check = (ownDataTotalBytes: number) => warnIfAlmostFull({ db: app.gateway.database.db, notifier, limits: { ownDataTotalBytes } });
  await check(bytes * 2);
  expect(told).toEqual([]);
  await Promise.all([check(bytes), check(bytes)]);
  await check(bytes);
  expect(told).toEqual([expect.stringMatching(/^1 .* GB are used\. When it is full, nobody can bring data\./)]);
  await check(bytes * 2);
  expect(retracted).toEqual(["own-data-room"]);
  await check(bytes);
  expect(told).toHaveLength(2);
});
