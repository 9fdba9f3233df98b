import type { DatasetAccess } from "@fairway/contract/dataset-access";
import type { Entity, ImportPreview, Revision, RevisionDetails } from "@fairway/contract/entities";
import { beforeEach, expect, it } from "vitest";
import { administrationApp } from "#testing/administration-app.ts";
import { buildDataset } from "#testing/dataset-app.ts";
import { exampleOf } from "#testing/entity-example.ts";
import { sharedApp } from "#testing/shared-app.ts";

const openApp = sharedApp((onClose) => administrationApp(undefined, {}, { onClose }), ["entities", "entity_revisions"]);

const path = "datasets/internal";
const access: DatasetAccess = {
  rules: [{ name: "Own", grants: [{ roles: ["north"], rows: { filters: [{ name: "id", operator: "=", value: 1 }] } }] }],
  columns: [{ names: ["id"], roles: ["hr"], others: "withheld" }],
};
const dataset = (fields: object = {}) => ({ ...buildDataset({ description: "Ruled.", ...fields }) });

beforeEach(async () => {
  const { admin } = openApp();
  for (const name of ["north", "hr", "other"]) await admin("POST", "roles", { name });
  return async () => {
    await openApp().gateway.database.db.deleteFrom("entities").execute();
    for (const { id, name } of (await admin<Entity[]>("GET", "roles")).body)
      if (["north", "hr", "other"].includes(String(name))) await admin("DELETE", `roles/${String(id)}`);
  };
});

const stored = async () => (await openApp().admin<Entity>("GET", `${path}/rows/current`)).body;

it("a dataset that is sent without rules keeps them, and null removes them", async () => {
  const { admin } = openApp();
  expect((await admin<Entity>("POST", path, dataset({ access }))).body["access"]).toEqual(access);
  expect((await admin<Entity>("PUT", path, dataset({ description: "Edited." }))).body).toMatchObject({ access, description: "Edited." });
  for (const isReplace of [false, true]) {
    const sent = { entities: [dataset({ description: `Imported ${isReplace}.` })], isReplace };
    expect((await admin<ImportPreview>("POST", `${path}/import/preview`, sent)).body).toMatchObject({
      changed: ["rows"],
      noted: [{ id: "rows", notes: ["keeps its access rules"] }],
    });
    await admin("PUT", `${path}/import`, sent);
    expect(await stored()).toMatchObject({ access, description: `Imported ${isReplace}.` });
  }
  const removing = { entities: [dataset({ access: null })], isReplace: false };
  expect((await admin<ImportPreview>("POST", `${path}/import/preview`, removing)).body.noted).toEqual([
    { id: "rows", notes: ["changes who sees it"] },
  ]);
  await admin("PUT", `${path}/import`, removing);
  expect((await stored())["access"]).toBeNull();
  expect((await admin<ImportPreview>("POST", `${path}/import/preview`, removing)).body).not.toHaveProperty("noted");
});

it("a restored revision without rules keeps those of now, and one with others brings them back, with both recorded", async () => {
  const { admin } = openApp();
  const revisions = async () => (await admin<Revision[]>("GET", `${path}/rows/revisions`)).body;
  const details = async (revision = 0) => (await admin<RevisionDetails>("GET", `${path}/rows/revisions/${revision}`)).body;
  await admin("POST", path, dataset());
  await admin("PUT", path, dataset({ access }));
  await admin("PUT", path, dataset({ access: { rules: [] } }));
  const [emptied, ruled, created] = await revisions();
  expect(await details(emptied?.revision)).toMatchObject({ before: { access }, after: { access: { rules: [] } } });
  expect((await details(created?.revision)).notes).toEqual(["keeps its access rules"]);
  expect((await details(ruled?.revision)).notes).toEqual(["changes who sees it"]);

  await admin("PUT", `${path}/rows/revisions/${created?.revision}/restore`);
  expect((await stored())["access"]).toEqual({ rules: [] });
  await admin("PUT", `${path}/rows/revisions/${ruled?.revision}/restore`);
  expect((await stored())["access"]).toEqual(access);
  await admin("DELETE", `${path}/rows`);
  const [deleted] = await revisions();
  expect((await details(deleted?.revision)).before).toMatchObject({ access, source: { kind: "files" } });
  await admin("PUT", `${path}/rows/revisions/${deleted?.revision}/restore`);
  expect(await stored()).toMatchObject({ access, source: { kind: "files" } });
});

it.each([{}, { rules: [] }])("rules that withhold nothing are kept as they are sent: %j", async (empty) => {
  await openApp().admin("POST", path, dataset({ access: empty }));
  expect((await stored())["access"]).toEqual(empty);
});

it("a role that rules name is neither renamed nor deleted, also not by an import", async () => {
  const { admin } = openApp();
  await admin("POST", path, dataset({ access }));
  const roles = (await admin<Entity[]>("GET", "roles")).body;
  const roleOf = (name: string) => roles.find((role) => role["name"] === name);
  for (const name of ["north", "hr"]) {
    const id = String(roleOf(name)?.["id"]);
    const refusals = [
      await admin("PUT", "roles", { id, name: "renamed" }),
      await admin("DELETE", `roles/${id}`),
      await admin("PUT", "roles/import", { entities: roles.filter((role) => role["id"] !== id), isReplace: true }),
    ];
    for (const { status, body } of refusals) {
      expect([status, body.errors[0]?.code, body.errors[0]?.message]).toEqual([
        409,
        "in-use",
        expect.stringContaining("'rows' of datasets/internal"),
      ]);
    }
  }
  expect((await admin("DELETE", `roles/${String(roleOf("other")?.["id"])}`)).status).toBe(204);
});

it("an external service takes no rules, in words that say why", async () => {
  const { admin } = openApp();
  const service = exampleOf("datasets/external", "Air");
  const refused = await admin("POST", "datasets/external", { ...service, access });
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [
      {
        code: "invalid-request",
        message: "'access': The rows of an external service are not filtered here: the portal would have to read all of them. Use 'roles'.",
        path: "access",
      },
    ],
  ]);
});
