import type { Entity, ImportPreview, Revision, RevisionDetails } from "@fairway/contract/entities";
import { expect, it } from "vitest";
import { type StoredType, storedTypes } from "#entities/entity-types.ts";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { exampleOf } from "#testing/entity-example.ts";

const service = (name: string, baseUrl = "https://torch.example.org") => ({ name, baseUrl });
const idsOf = (list: readonly Entity[]) => list.map(({ name }) => name);

/** Entities with every field of their type, and the requirement that the fields prove. Other types get a derived example. */
const examples: { readonly [Type in StoredType]?: { readonly row: string; readonly body: Record<string, unknown> } } = {
  "torch-service": { row: "[ENTITY-01]", body: service("halo") },
  ecosystems: { row: "[ENTITY-02]", body: { name: "coast", roles: [{ roleName: "reader" }] } },
  "datasets/internal": { row: "[ENTITY-03]", body: { ...buildDataset({ id: "rows" }) } },
  "datasets/external": {
    row: "[ENTITY-05]",
    body: {
      name: "Air",
      description: "Planes.",
      baseRoute: "https://air.example.org",
      keystoreCredential: null,
      apiKeyCredential: null,
      apis: [
        {
          name: "flights",
          description: "In the air.",
          path: "/flights",
          method: 0,
          filters: [{ name: "tail", description: "Registration.", displayName: "Tail", type: 1, placement: 1, required: true }],
          columns: null,
          operators: { "=": "{name}" },
          paging: null,
          rowsPath: null,
        },
      ],
      roles: [{ roleName: "reader" }],
    },
  },
  filesets: {
    row: "[ENTITY-09]",
    body: {
      id: "maps",
      description: "Charts.",
      s3Bucket: "bucket",
      s3Prefix: "maps/",
      allowedRoles: [{ roleName: "reader" }],
      allowsUploads: true,
    },
  },
  config: {
    row: "[ENTITY-10]",
    body: {
      name: "main",
      prestoURL: "https://presto.example.org",
      prestoSource: "fairway",
      s3URL: "https://s3.example.org",
      s3Region: "eu-central-1",
      graphiteEnabled: true,
      graphiteUrl: "graphite.example.org:2003",
      appTitle: "Harbour",
      appSubtitle: "North",
    },
  },
  docs: { row: "[ENTITY-11]", body: { id: "guide", name: "Guide", category: "Help", description: "How to." } },
  flowGroups: { row: "[ENTITY-12]", body: { name: "ingest", displayName: "Ingest", description: "What comes in." } },
  flowEnvironments: {
    row: "[ENTITY-13]",
    body: { name: "prod", displayName: "Production", baseUrl: "https://nifi.example.org", readTimeoutMs: 5_000, connectTimeoutMs: 500 },
  },
  joltSpecifications: {
    row: "[ENTITY-14]",
    body: { name: "flatten", sourceType: "a", targetType: "b", joltSpec: [{ operation: "shift", spec: { a: "b" } }] },
  },
};
const exampleFor = (type: StoredType) => examples[type] ?? { row: "", body: exampleOf(type, "example") };
const bodyOf = (type: StoredType): Record<string, unknown> => exampleFor(type).body;
// Notices get their ids from the gateway.
const named = (Object.keys(storedTypes) as StoredType[]).filter((type) => type !== "notices");

it.each(named.map((type) => Object.assign({ type }, exampleFor(type))))(
  "$row[ENTITY-21][ADMIN-18][ADMIN-19][ADMIN-20][ADMIN-25][ADMIN-29][ADMIN-49] $type are created, listed, edited, disabled, enabled and deleted",
  async ({ type, body: example }) => {
    const { admin } = await administrationApp();
    const id = String(example[storedTypes[type].idField]);
    const created = await admin<Entity>("POST", type, example);
    expect([created.status, created.body]).toEqual([201, { ...created.body, ...example, version: 1, enabled: true }]);
    expect((await admin<Entity[]>("GET", type)).body).toEqual([created.body]);

    expect((await admin<Entity>("PUT", `${type}/${id}/disable`)).body).toEqual({ ...created.body, version: 2, enabled: false });
    expect((await admin<Entity>("PUT", `${type}/${id}/enable`)).body).toEqual({ ...created.body, version: 3, enabled: true });

    const edited = await admin<Entity>("PUT", type, { ...created.body, version: 3, enabled: false });
    expect([edited.status, edited.body]).toEqual([200, { ...created.body, version: 4, enabled: false }]);
    expect((await admin("POST", type, example)).body.errors[0]).toMatchObject({ code: "name-taken" });

    expect((await admin("DELETE", `${type}/${id}`)).status).toBe(204);
    expect((await admin<Entity[]>("GET", type)).body).toEqual([]);
    expect((await admin("DELETE", `${type}/${id}`)).status).toBe(404);
    expect((await admin("PUT", type, example)).body.errors[0]).toMatchObject({ code: "not-found" });
  },
);

it("[ADMIN-42][ADMIN-43][ADMIN-44] an import merges or replaces, and answers the new list", async () => {
  const { admin } = await administrationApp();
  for (const name of ["a", "b"]) await admin("POST", "torch-service", service(name));
  const entities = [service("b", "https://new.example.org"), service("c")];
  const preview = { entities, isReplace: true };
  expect((await admin<ImportPreview>("POST", "torch-service/import/preview", preview)).body).toEqual({
    added: ["c"],
    changed: ["b"],
    unchanged: [],
    removed: ["a"],
    refused: [],
  });
  expect(idsOf((await admin<Entity[]>("GET", "torch-service")).body)).toEqual(["a", "b"]);

  const merged = await admin<Entity[]>("PUT", "torch-service/import", { entities, isReplace: false });
  expect(merged.status).toBe(200);
  expect(merged.body).toMatchObject([{ name: "a" }, { name: "b", baseUrl: "https://new.example.org", version: 2 }, { name: "c" }]);
  const replaced = await admin<Entity[]>("PUT", "torch-service/import", { entities, isReplace: true });
  expect(idsOf(replaced.body)).toEqual(["b", "c"]);
  expect(replaced.body[0]).toMatchObject({ version: 2 });
});

it("[ADMIN-48] an import of which a part is refused changes nothing, and names each refused one", async () => {
  const { admin } = await administrationApp();
  await admin("POST", "torch-service", service("kept"));
  const entities = [
    service("fine"),
    service("bad", "nonsense"),
    7,
    { baseUrl: "https://a.example.org" },
    service("fine"),
    { ...service("x"), hidden: true },
  ];
  const refused = await admin("PUT", "torch-service/import", { entities, isReplace: true });
  expect(refused.status).toBe(400);
  expect(refused.body.errors.map(({ path }) => path)).toEqual([
    "entities.1.baseUrl",
    "entities.2",
    "entities.3.name",
    "entities.4",
    "entities.5.hidden",
  ]);
  const preview = await admin<ImportPreview>("POST", "torch-service/import/preview", { entities, isReplace: true });
  expect(preview.body.refused.map(({ index, id }) => [index, id])).toEqual([
    [1, "bad"],
    [2, null],
    [3, null],
    [4, "fine"],
    [5, "x"],
  ]);
  expect(idsOf((await admin<Entity[]>("GET", "torch-service")).body)).toEqual(["kept"]);
});

it("a save on top of an older version is refused with the newest, one without a version is accepted", async () => {
  const { admin } = await administrationApp();
  const first = (await admin<Entity>("POST", "torch-service", service("a"))).body;
  await admin("PUT", "torch-service", { ...first, baseUrl: "https://other.example.org" });
  const stale = await admin("PUT", "torch-service", { ...first, baseUrl: "https://mine.example.org" });
  expect([stale.status, stale.body.errors[0]?.code, stale.body.errors[0]?.message]).toEqual([
    409,
    "stale-version",
    "'a' was changed by somebody else since version 1; the newest is 2.",
  ]);
  expect((await admin<Entity>("PUT", "torch-service", service("a", "https://mine.example.org"))).body.version).toBe(3);
});

it("every change keeps who, when, before and after; a state is restored, also of what is deleted", async () => {
  const { admin } = await administrationApp();
  const first = (await admin<Entity>("POST", "torch-service", service("a"))).body;
  await admin("PUT", "torch-service", service("a", "https://b.example.org"));
  await admin("PUT", "torch-service", service("a", "https://b.example.org"));
  await admin("DELETE", "torch-service/a");
  const { body: revisions } = await admin<Revision[]>("GET", "torch-service/a/revisions");
  expect(revisions.map(({ action, by }) => [action, by])).toEqual([
    ["delete", "root"],
    ["edit", "root"],
    ["create", "root"],
  ]);
  const edit = (await admin<RevisionDetails>("GET", `torch-service/a/revisions/${revisions[1]?.revision}`)).body;
  expect([edit.before, edit.after]).toEqual([first, { ...first, baseUrl: "https://b.example.org", version: 2 }]);
  expect(edit.atMs).toBeGreaterThan(Date.now() - 60_000);

  const restored = await admin<Entity>("PUT", `torch-service/a/revisions/${revisions[2]?.revision}/restore`);
  expect(restored.body).toEqual({ ...first, version: 1 });
  expect((await admin("GET", "torch-service/never/revisions")).status).toBe(404);
  expect((await admin("GET", "torch-service/b/revisions/1")).status).toBe(404);
});

it("[ENTITY-04] secrets are in no answer, list, import or revision, and stay when their mask comes back", async () => {
  const { admin, gateway } = await administrationApp();
  const air = {
    ...bodyOf("datasets/external"),
    keystoreCredential: { path: "air.p12", type: "PKCS12", password: "top-secret-password" },
    apiKeyCredential: { headerName: "X-Key", key: "top-secret-key" },
  };
  const masked = {
    keystoreCredential: { path: "air.p12", password: "********" },
    apiKeyCredential: { headerName: "X-Key", key: "********" },
  };
  const created = await admin<Entity>("POST", "datasets/external", air);
  expect(created.body).toMatchObject(masked);
  const edited = await admin<Entity>("PUT", "datasets/external", { ...created.body, description: "Jets." });
  expect(edited.body).toMatchObject({ ...masked, version: 2, description: "Jets." });
  const imported = await admin<Entity[]>("PUT", "datasets/external/import", { entities: [edited.body], isReplace: true });
  expect(imported.body).toEqual([edited.body]);
  const listed = await admin<Entity[]>("GET", "datasets/external");
  const { pool } = gateway.database;
  const { rows } = await pool.query("select before::text || after::text as text from entity_revisions where type = 'datasets/external'");
  const refused = await admin("PUT", "datasets/external", {
    ...edited.body,
    apiKeyCredential: { headerName: "X-Key", key: "top-secret\n" },
  });
  expect(refused.status).toBe(400);
  expect(JSON.stringify([created, edited, imported, listed, rows, refused])).not.toMatch(/top-secret|v1\./);
  expect(gateway.logged()).not.toContain("top-secret");
  const kept = await pool.query<{ body: object }>("select body from entities where type = 'datasets/external'");
  expect(JSON.stringify(kept.rows)).not.toContain("top-secret");
});

it("[NOTICEADM-03] a notice gets its id and the time of its creation from the portal, and keeps both", async () => {
  const { admin } = await administrationApp();
  const draft = { faIcon: "bullhorn", title: "Works", message: "On **Sunday**.", roles: [{ roleName: "reader" }] };
  const { body: notice } = await admin<Entity>("POST", "notices", { ...draft, id: "mine", createdDateMs: 1 });
  expect(notice).toMatchObject({ ...draft, id: expect.stringMatching(/^[\da-f-]{36}$/), createdDateMs: expect.any(Number) });
  expect(notice["createdDateMs"]).toBeGreaterThan(Date.now() - 60_000);
  const { body: edited } = await admin<Entity>("PUT", "notices", { ...notice, title: "Done", createdDateMs: 1 });
  expect(edited).toEqual({ ...notice, title: "Done", version: 2 });
});

it("[ENTITY-10] one configuration is enabled at a time", async () => {
  const { admin } = await administrationApp();
  expect((await admin<Entity>("POST", "config", { name: "one" })).body.enabled).toBe(true);
  expect((await admin<Entity>("POST", "config", { name: "two" })).body.enabled).toBe(false);
  await admin("PUT", "config/two/enable");
  const { body } = await admin<Entity[]>("GET", "config");
  expect(body.map(({ name, enabled }) => [name, enabled])).toEqual([
    ["one", false],
    ["two", true],
  ]);
  const both = {
    entities: [
      { name: "one", enabled: true },
      { name: "two", enabled: true },
    ],
    isReplace: true,
  };
  expect((await admin("PUT", "config/import", both)).body.errors[0]?.code).toBe("conflict");
});

it("a dataset that another links to is not deleted, and the refusal says by what", async () => {
  const { admin } = await administrationApp();
  await admin("POST", "datasets/internal", buildDataset({ id: "target" }));
  const linkedDatasets = [{ datasetCategory: "Tests", datasetId: "target", display: "More", filters: [] }];
  await admin("POST", "datasets/internal", buildDataset({ id: "source", linkedDatasets }));
  const refused = await admin("DELETE", "datasets/internal/target");
  expect([refused.status, refused.body.errors]).toEqual([
    409,
    [{ code: "in-use", message: "'target' is still used by the dataset 'source'." }],
  ]);
  const bulk = await admin<{ changed: string[]; refused: { id: string }[] }>("PUT", "datasets/internal/bulk", {
    ids: ["target", "source", "nobody"],
    action: "delete",
  });
  expect([bulk.body.changed, bulk.body.refused.map(({ id }) => id)]).toEqual([["source"], ["target", "nobody"]]);
});

it("unknown fields, nonsense in the portal's own fields and addresses of the portal's machine are refused by name", async () => {
  const { admin } = await administrationApp();
  const paths = async (type: string, body: unknown) => (await admin("POST", type, body)).body.errors.map(({ path }) => path);
  expect(await paths("torch-service", { ...service("a"), admin: true })).toEqual(["admin"]);
  expect(await paths("torch-service", { ...service("a"), version: "1" })).toEqual(["version"]);
  expect(await paths("torch-service", { ...service("a"), enabled: "yes" })).toEqual(["enabled"]);
  expect(await paths("torch-service", service("a", "http://169.254.169.254/latest"))).toEqual(["baseUrl"]);
  expect(await paths("config", { name: "a", prestoURL: "http://127.0.0.1:8080", graphiteEnabled: true })).toEqual(["graphiteUrl"]);
  expect(await paths("config", { name: "a", graphiteUrl: "[::1]:2003" })).toEqual(["graphiteUrl"]);
  expect(await paths("ecosystems", { name: "a", roles: [{ roleName: "reader", extra: 1 }] })).toEqual(["roles.0.extra"]);
  const jolt = (spec: unknown) => ({ name: "a", joltSpec: [{ operation: "shift", spec }] });
  expect(await paths("joltSpecifications", jolt({ a: { b: 7 } }))).toEqual(["joltSpec.0.spec.a.b"]);
  expect(await paths("joltSpecifications", { name: "a", joltSpec: [{ operation: "explode" }] })).toEqual(["joltSpec.0.operation"]);
  expect(await paths("docs", { ...bodyOf("docs"), id: "a/b" })).toEqual(["id"]);
});

it("a filter without an id is given one, as an editor that strips nested ids needs it", async () => {
  const { admin } = await administrationApp();
  const filter = { name: "id", display: "Id", description: "", required: false, type: "integer", value: "", preFilled: false };
  const dataset = buildDataset();
  const filterSupport = {
    ...dataset.filterSupport,
    staticFilters: [
      { ...filter, operator: ">" },
      { ...filter, operator: "<" },
    ],
  };
  const { body } = await admin<Entity>("POST", "datasets/internal", { ...dataset, filterSupport });
  expect(body).toMatchObject({ filterSupport: { staticFilters: [{ id: "id" }, { id: "id-2" }] } });
});

it("fields stand in the order of their type, and a Jolt specification keeps the order of its keys, in its revisions, too", async () => {
  const { admin } = await administrationApp();
  const { body: saved } = await admin<Entity>("POST", "datasets/internal", buildDataset());
  expect(Object.keys(saved).slice(2, 5)).toEqual(["id", "category", "description"]);
  const spec = { zebra: "z", a: "first", "tag-*": "tags", bb: { y: "y", x: "x" } };
  const example = { ...bodyOf("joltSpecifications"), joltSpec: [{ operation: "shift", spec }] };
  const { body: jolt } = await admin<Entity>("POST", "joltSpecifications", example);
  const [revision] = (await admin<Revision[]>("GET", "joltSpecifications/flatten/revisions")).body;
  const details = (await admin<RevisionDetails>("GET", `joltSpecifications/flatten/revisions/${revision?.revision}`)).body;
  const [listed] = (await admin<Entity[]>("GET", "joltSpecifications")).body;
  for (const one of [jolt, listed, details.after]) expect(JSON.stringify(one?.["joltSpec"])).toBe(JSON.stringify(example.joltSpec));
});

it("the JSON schema of a type names its fields", async () => {
  const { admin } = await administrationApp();
  const { body } = await admin<Record<string, unknown>>("GET", "torch-service/schema");
  expect(body).toMatchObject({ type: "object", properties: { name: { type: "string" }, baseUrl: { type: "string" } } });
});
