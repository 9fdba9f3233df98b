import type { EditableOwnDataset } from "@fairway/contract/own-dataset-form";
import type { OwnData, OwnDataset } from "@fairway/contract/own-datasets";
import type { ShareDraft } from "@fairway/contract/sharing";
import { expect, it } from "vitest";
import { ownDataApp } from "#testing/own-data-app.ts";
import { sharedApp } from "#testing/shared-app.ts";

const shared = sharedApp((onClose) => ownDataApp({ onClose }), ["imports", "own_datasets", "own_categories", "own_data_files"]);

const rows = "name,size\na,1\nb,2\n";
const path = "/datasets/~ada/things";

async function made(): Promise<{ id: string; settings: EditableOwnDataset }> {
  const app = shared();
  const { dataset } = await app.dataset("ada", "things", rows);
  const id = dataset?.id ?? "";
  return { id, settings: (await app.call<EditableOwnDataset>("ada", "GET", `/ownDatasets/${id}`)).body };
}

const idOf = async (username: string) => (await shared().call<{ id: string }>(username, "GET", "/probe/me")).body.id;
const share = (id: string, shares: readonly ShareDraft[]) =>
  shared().call<OwnDataset>("ada", "PUT", `/ownDatasets/${id}/shares`, { shares });
const statusOf = async (username: string, method: "GET" | "PUT" | "POST" | "DELETE", address: string, body?: unknown) =>
  (await shared().call(username, method, address, body)).status;

it("shares a dataset with people, groups, roles and everyone, and takes it back with the next call", async () => {
  const app = shared();
  const { id } = await made();
  const reads = async () =>
    (await Promise.all(["alan", "grace", "root"].map(async (name) => [name, await statusOf(name, "GET", `${path}/describe`)] as const)))
      .filter(([, status]) => status === 200)
      .map(([name]) => name);
  expect(await reads()).toEqual([]);
  const answer = await share(id, [{ to: { kind: "user", id: await idOf("grace") }, can: "view" }]);
  expect(answer.body.shares).toEqual([{ to: { kind: "user", id: await idOf("grace"), name: "grace" }, can: "view" }]);
  await expect.poll(reads).toEqual(["grace"]);
  expect((await app.call<OwnData>("grace", "GET", "/ownDatasets")).body.datasets).toMatchObject([{ datasetId: "things", can: "view" }]);
  expect((await app.call("grace", "GET", "/datasets")).body).toMatchObject([
    { id: "~ada", datasets: [{ datasetId: "things", own: { id, owner: "ada", can: "view", isShared: true } }] },
  ]);
  await share(id, [{ to: { kind: "role", name: "reader" }, can: "view" }]);
  await expect.poll(reads).toEqual(["alan"]);
  const { rows: groups } = await app.gateway.database.pool.query<{ id: string }>("select id from groups where name = 'readers'");
  await share(id, [{ to: { kind: "group", id: groups[0]?.id ?? "" }, can: "view" }]);
  await expect.poll(reads).toEqual([]);
  await share(id, [{ to: { kind: "everyone" }, can: "view" }]);
  await expect.poll(reads).toEqual(["alan", "grace", "root"]);
  await share(id, []);
  await expect.poll(reads).toEqual([]);
});

it("refuses in the same words whom nobody knows and who cannot be found, and roles that the owner lacks", async () => {
  const { id } = await made();
  const nobody = await share(id, [{ to: { kind: "user", id: "nobody" }, can: "view" }]);
  expect(nobody).toMatchObject({ status: 400, body: { errors: [{ code: "invalid-value", message: "There is no such person." }] } });
  expect(await share(id, [{ to: { kind: "role", name: "admin" }, can: "view" }])).toMatchObject({ status: 400 });
});

it("lets editors save settings, and the owner alone share, delete and give away", async () => {
  const app = shared();
  const { id, settings } = await made();
  await share(id, [
    { to: { kind: "user", id: await idOf("alan") }, can: "edit" },
    { to: { kind: "user", id: await idOf("grace") }, can: "view" },
  ]);
  const changed = { ...settings.settings, description: "Changed by an editor." };
  const body = { version: settings.version, title: "All things", settings: changed };
  expect(await statusOf("grace", "PUT", `/ownDatasets/${id}`, body)).toBe(403);
  expect(await app.call("alan", "PUT", `/ownDatasets/${id}`, body)).toMatchObject({
    status: 200,
    body: { title: "All things", version: 2, settings: { description: "Changed by an editor." } },
  });
  expect(await app.call("alan", "PUT", `/ownDatasets/${id}`, body)).toMatchObject({
    status: 409,
    body: { errors: [{ code: "stale-version" }], current: { version: 2 } },
  });
  const unknown = { ...changed, schema: { columns: [{ name: "nothing", type: "STRING", description: "", combined: null }] } };
  expect(await statusOf("alan", "PUT", `/ownDatasets/${id}`, { version: 2, settings: unknown })).toBe(400);
  for (const [method, address, sent] of [
    ["PUT", "/shares", { shares: [] }],
    ["DELETE", "", undefined],
    ["PUT", "/owner", { userId: await idOf("alan") }],
  ] as const) {
    expect([address, await statusOf("alan", method, `/ownDatasets/${id}${address}`, sent)]).toEqual([address, 403]);
    expect([address, await statusOf("root", method, `/ownDatasets/${id}${address}`, sent)]).toEqual(
      [address, address === "/owner" ? 200 : 404].map((one) => (one === 200 ? 204 : one)),
    );
  }
});

it("deletes a dataset for everyone at once, brings it back, and removes every byte with 'now'", async () => {
  const app = shared();
  const before = await app.stored();
  const { id } = await made();
  await share(id, [{ to: { kind: "everyone" }, can: "edit" }]);
  await expect.poll(() => statusOf("grace", "GET", `${path}/describe`)).toBe(200);
  expect(await statusOf("ada", "DELETE", `/ownDatasets/${id}`)).toBe(204);
  await expect.poll(() => statusOf("ada", "GET", `${path}/describe`)).toBe(404);
  expect(await statusOf("grace", "GET", `${path}/describe`)).toBe(404);
  expect(await statusOf("grace", "GET", `/ownDatasets/${id}`)).toBe(404);
  expect(await statusOf("grace", "POST", `/ownDatasets/${id}/restore`)).toBe(404);
  expect(await statusOf("ada", "POST", `/ownDatasets/${id}/restore`)).toBe(200);
  await expect.poll(() => statusOf("grace", "GET", `${path}/describe`)).toBe(200);
  expect(await app.stored()).not.toEqual(before);
  expect(await statusOf("ada", "DELETE", `/ownDatasets/${id}?now=true`)).toBe(204);
  await expect.poll(() => statusOf("ada", "GET", `${path}/describe`)).toBe(404);
  expect(await app.stored()).toEqual(before);
  expect((await app.call<OwnData>("ada", "GET", "/ownDatasets")).body).toMatchObject({ datasets: [], room: { bytes: 0, datasets: 0 } });
});

it("shows administrators names, owners and sizes, and lets them disable and delete with a reason", async () => {
  const app = shared();
  const before = await app.stored();
  const { id } = await made();
  const { body } = await app.call<{ datasets: object[] }>("root", "GET", "/admin/ownDatasets");
  expect(body.datasets).toMatchObject([
    { id, datasetCategory: "~ada", datasetId: "things", owner: { username: "ada" }, rows: 2, isEnabled: true, shareCount: 0 },
  ]);
  expect(await statusOf("ada", "GET", "/admin/ownDatasets")).toBe(403);
  expect(await statusOf("root", "PUT", `/admin/ownDatasets/${id}/enabled`, { enabled: false })).toBe(204);
  await expect.poll(() => statusOf("ada", "GET", `${path}/describe`)).toBe(404);
  expect((await app.call<OwnData>("ada", "GET", "/ownDatasets")).body.datasets).toMatchObject([{ isEnabled: false }]);
  expect(await statusOf("root", "POST", `/admin/ownDatasets/${id}/delete`, { reason: "Somebody else's data." })).toBe(204);
  expect(app.notified.at(-1)).toEqual({
    users: [await idOf("ada")],
    title: "An administrator has deleted your dataset 'things'",
    text: "Somebody else's data.",
  });
  expect(await app.stored()).toEqual(before);
});

it("finds people, groups and roles to share with by a part of their names", async () => {
  const app = shared();
  const found = async (username: string, text: string) =>
    (await app.call<{ kind: string; name: string }[]>(username, "GET", `/sharing/candidates?text=${text}`)).body.map(
      ({ kind, name }) => `${kind} ${name}`,
    );
  expect(await found("ada", "ala")).toEqual(["user alan"]);
  expect(await found("ada", "READ")).toEqual(["group readers", "role reader"]);
  expect(await found("ada", "ada")).toEqual([]);
  expect(await found("grace", "reader")).toEqual(["group readers"]);
  expect(await found("grace", "every")).toEqual(["everyone Everyone"]);
  expect(await found("ada", "%25%25")).toEqual([]);
});

it("has lookups and computed columns, which readers get as far as they may read what these are made of", async () => {
  const app = shared();
  const { id, settings } = await made();
  await app.dataset("ada", "names", "name,label\na,Alpha\nb,Beta\n");
  await share(id, [{ to: { kind: "user", id: await idOf("grace") }, can: "view" }]);
  const names = { datasetCategory: "~ada", datasetId: "names" };
  const lookup = { id: "names", dataset: names, key: [{ column: "name", on: "name" }], columns: [{ from: "label", name: "label" }] };
  const computed = (name: string, expression: string, type: string) => ({
    name,
    type,
    description: "",
    combined: null,
    computed: { expression },
  });
  const { columns } = settings.settings.schema;
  const derived = [computed("twice", "size * 2", "integer"), computed("shown", "label || '!'", "STRING")];
  const changed = { ...settings.settings, schema: { columns: [...columns, ...derived] }, lookups: [lookup] };
  const wrong = { ...changed, schema: { columns: [...columns, computed("twice", "sise * 2", "integer")] } };
  expect(await app.call("ada", "PUT", `/ownDatasets/${id}`, { version: settings.version, settings: wrong })).toMatchObject({
    status: 400,
    body: {
      errors: [{ code: "invalid-value", path: `settings.schema.columns.${columns.length}.computed.expression`, at: { from: 0, to: 4 } }],
    },
  });
  expect(await statusOf("ada", "PUT", `/ownDatasets/${id}`, { version: settings.version, settings: changed })).toBe(200);
  const read = async (username: string) =>
    (await app.call<{ results: unknown[] }>(username, "POST", `${path}/search`, { filters: [] })).body.results;
  await expect
    .poll(() => read("ada"))
    .toEqual([
      { name: "a", size: 1, twice: 2, shown: "Alpha!", label: "Alpha" },
      { name: "b", size: 2, twice: 4, shown: "Beta!", label: "Beta" },
    ]);
  expect(await read("grace")).toEqual([
    { name: "a", size: 1, twice: 2 },
    { name: "b", size: 2, twice: 4 },
  ]);
});

it("tells open tabs of those who could and can read a dataset, and of nobody else", async () => {
  const app = shared();
  const { id } = await made();
  const told = async (work: () => Promise<unknown>) => {
    const from = app.announced.length;
    await work();
    await expect.poll(() => app.announced.length).toBeGreaterThan(from);
    return app.announced.slice(from);
  };
  const [ada, grace, alan] = await Promise.all(["ada", "grace", "alan"].map(idOf));
  const toGrace = { to: { kind: "user", id: grace ?? "" }, can: "view" } as const;
  expect(await told(() => share(id, [toGrace, { to: { kind: "role", name: "editor" }, can: "view" }]))).toEqual([
    { users: [ada, grace] },
    { roles: ["editor"] },
  ]);
  expect(await told(() => share(id, []))).toEqual([{ users: [ada, grace] }, { roles: ["editor"] }]);
  const { rows: groups } = await app.gateway.database.pool.query<{ id: string }>("select id from groups where name = 'readers'");
  const group = groups[0]?.id ?? "";
  await app.gateway.database.pool.query("insert into user_groups (user_id, group_id) values ($1, $2)", [alan, group]);
  const [byGroup] = await told(() => share(id, [{ to: { kind: "group", id: group }, can: "view" }]));
  expect(byGroup).toEqual({ users: expect.arrayContaining([ada, alan]) });
  await app.gateway.database.pool.query("delete from user_groups where user_id = $1 and group_id = $2", [alan, group]);
  expect(await told(() => share(id, [{ to: { kind: "everyone" }, can: "view" }]))).toEqual(["everyone"]);
  expect(await told(() => share(id, []))).toEqual(["everyone"]);
  expect(await told(() => app.call("ada", "DELETE", `/ownDatasets/${id}?now=true`))).toEqual([{ users: [ada] }]);
});
