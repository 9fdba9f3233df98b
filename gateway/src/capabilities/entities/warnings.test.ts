import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Entity, ImportPreview } from "@fairway/contract/entities";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DataWarnings } from "#capabilities/dataset-administration/data-warnings.ts";
import { keystoreWarnings } from "#capabilities/dataset-administration/keystore-warnings.ts";
import { type EngineBench, engineBench } from "#query/duckdb/test-files.ts";
import { noServer } from "#query/presto/no-server.ts";
import { EngineRegistry, openedEngine } from "#query/engines.ts";
import { Keystores } from "#query/rest/keystore.ts";
import { type AdministrationApp, administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { noEngine } from "#testing/no-engine.ts";

let bench: EngineBench;
let keystoreFolder: string;
let data: DataWarnings;

beforeAll(async () => {
  bench = await engineBench();
  keystoreFolder = await mkdtemp(path.join(tmpdir(), "fairway-keystores-"));
  data = new DataWarnings(
    new EngineRegistry(
      { files: openedEngine(bench.engine), tables: openedEngine(noServer), rest: openedEngine(noEngine) },
      { error: () => {} },
    ),
  );
  await bench.prepare(`copy (select i as id, 'row ' || i as name from range(3) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
});
afterAll(async () => {
  data.close();
  await bench.close();
  await rm(keystoreFolder, { recursive: true });
});

const openApp = (): Promise<AdministrationApp> =>
  administrationApp(undefined, { data: data.check, keystore: keystoreWarnings(new Keystores(keystoreFolder)) });
const integer = (name: string) => ({ name, type: "integer" as const, description: "", combined: null });
const files = (glob: string) => ({ kind: "files" as const, glob, format: "parquet" as const });
const codesOf = ({ warnings = [] }: Entity) => warnings.map(({ code, path: at }) => [code, at]);

const brokenDatasets = [
  { what: "without matching files", overrides: { source: files("nowhere/*.parquet") }, warning: ["data-missing", "source.glob"] },
  {
    what: "without a described column",
    overrides: { schema: { columns: [integer("id"), integer("other")] } },
    warning: ["column-missing", "schema.columns.1.name"],
  },
  {
    what: "with a column of another type",
    overrides: { schema: { columns: [integer("name")] } },
    warning: ["column-type", "schema.columns.0.type"],
  },
  { what: "with invalid Parquet files", overrides: { source: files("broken.parquet") }, warning: ["data-unreadable", "source"] },
  { what: "of a missing engine", overrides: { source: { kind: "table" as const, name: "a.b.c" } }, warning: ["no-engine", "source"] },
  { what: "with a missing role", overrides: { roles: ["reader", "ghost"] }, warning: ["unknown-role", "roles.1"] },
  {
    what: "with a link to a missing dataset",
    overrides: { linkedDatasets: [{ datasetCategory: "Tests", datasetId: "gone", display: "Gone", filters: [] }] },
    warning: ["missing-dataset", "linkedDatasets.0"],
  },
];

it("[ENTITY-03] stores an internal dataset that does not work, with warnings in every response", async () => {
  const { admin } = await openApp();
  await writeFile(path.join(bench.folder, "broken.parquet"), "PAR1 and no more");
  for (const { what, overrides, warning } of brokenDatasets) expect([what, await warnedOf(admin, overrides)]).toEqual([what, [warning]]);
});

/** Saves the dataset in every way and returns its warnings, after checking that they are the same each time. */
async function warnedOf(admin: AdministrationApp["admin"], overrides: object) {
  const created = await admin<Entity>("POST", "datasets/internal", { ...buildDataset({ id: "warned" }), ...overrides });
  const edited = await admin<Entity>("PUT", "datasets/internal", { ...created.body, description: "Changed." });
  const disabled = await admin<Entity>("PUT", "datasets/internal/warned/disable");
  const enabled = await admin<Entity>("PUT", "datasets/internal/warned/enable");
  expect([created, edited, disabled, enabled].map(({ status }) => status)).toEqual([201, 200, 200, 200]);
  const current = await admin<Entity>("GET", "datasets/internal/warned/current");
  const list = await admin<Entity[]>("GET", "datasets/internal");
  for (const { warnings } of [edited.body, disabled.body, enabled.body, current.body, ...list.body]) {
    expect(warnings).toEqual(created.body.warnings);
  }
  const { body: preview } = await admin<ImportPreview>("POST", "datasets/internal/import/preview", {
    entities: [buildDataset({ id: "fresh" }), { ...edited.body, description: "Imported." }],
    isReplace: false,
  });
  expect(preview).toMatchObject({ added: ["fresh"], changed: ["warned"], warned: [{ id: "warned", warnings: created.body.warnings }] });
  expect((await admin("DELETE", "datasets/internal/warned")).status).toBe(204);
  return codesOf(created.body);
}

it("ignores warnings in requests, and stores none in revisions", async () => {
  const { admin } = await openApp();
  const sent = { ...buildDataset({ id: "fine", roles: ["reader", "*"] }), warnings: [{ code: "made-up", message: "Made up." }] };
  const created = await admin<Entity>("POST", "datasets/internal", sent);
  expect([created.status, Object.hasOwn(created.body, "warnings")]).toEqual([201, false]);
  const warned = await admin<Entity>("PUT", "datasets/internal", { ...created.body, roles: ["ghost"] });
  expect(warned.body.warnings).toEqual([
    {
      code: "unknown-role",
      message: "There is no role 'ghost'. Nobody can use this as long as none of its roles exists.",
      path: "roles.0",
    },
  ]);
  const { body: revisions } = await admin<{ revision: number }[]>("GET", "datasets/internal/fine/revisions");
  const { body: details } = await admin<{ after: object }>("GET", `datasets/internal/fine/revisions/${revisions[0]?.revision}`);
  expect(Object.hasOwn(details.after, "warnings")).toBe(false);
  await admin("DELETE", "datasets/internal/fine");
});

it("removes warnings with their cause: when files appear or roles are created", async () => {
  const { admin } = await openApp();
  await admin("POST", "datasets/internal", buildDataset({ id: "early", roles: ["night"], source: files("later.parquet") }));
  const current = async () => codesOf((await admin<Entity>("GET", "datasets/internal/early/current")).body);
  expect(await current()).toEqual([
    ["unknown-role", "roles.0"],
    ["data-missing", "source.glob"],
  ]);
  await admin("POST", "roles", { name: "night" });
  await bench.prepare(`copy (select 1 as id) to 'FOLDER/later.parquet' (format parquet)`);
  expect(await current()).toEqual([]);
  await rm(path.join(bench.folder, "later.parquet"));
  expect(await current()).toEqual([["data-missing", "source.glob"]]);
  await admin("DELETE", "datasets/internal/early");
});

const withMissingReferences: [string, object, string[][]][] = [
  ["ecosystems", { name: "coast", roles: [{ roleName: "ghost" }] }, [["unknown-role", "roles.0.roleName"]]],
  [
    "filesets",
    { id: "maps", allowedRoles: [{ roleName: "reader" }, { roleName: "ghost" }] },
    [["unknown-role", "allowedRoles.1.roleName"]],
  ],
  [
    "datasets/external",
    {
      name: "air",
      baseRoute: "https://air.example.org",
      keystoreCredential: { path: "air.pem", type: "PEM" },
      roles: [{ roleName: "ghost" }],
    },
    [
      ["unknown-role", "roles.0.roleName"],
      ["keystore-missing", "keystoreCredential.path"],
    ],
  ],
  [
    "notices",
    { faIcon: "bell", title: "T", message: "M", severity: "info", roles: [{ roleName: "ghost" }], startMs: null, endMs: null },
    [["unknown-role", "roles.0.roleName"]],
  ],
];

it("warns of missing references in every type", async () => {
  const { admin } = await openApp();
  for (const [type, body, warnings] of withMissingReferences) {
    const { status, body: created } = await admin<Entity>("POST", type, body);
    expect([type, status, codesOf(created)]).toEqual([type, 201, warnings]);
  }
});

it("[ENTITY-21] returns the current state of an entity, and 404 for a missing one", async () => {
  const { admin } = await openApp();
  await admin("POST", "docs", { id: "schema", name: "Guide", category: "Help", description: "" });
  expect((await admin<Entity>("GET", "docs/schema/current")).body).toMatchObject({ id: "schema", name: "Guide", version: 1 });
  expect((await admin("GET", "docs/gone/current")).status).toBe(404);
});
