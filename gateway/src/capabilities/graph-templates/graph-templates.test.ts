import { describe, expect, it } from "vitest";
import { type OnClose, identityApp, someAccounts } from "#testing/identity-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openGraphTemplates } from "./capability.ts";

const path = "/favorite/graphTemplates";
const storms = { datasetCategory: "nature", datasetId: "storms" };
const templateJson = '{"graphs":[{"column":"wind"}]}';
const draft = (templateName: string, overrides: object = {}) => ({ ...storms, templateName, templateJson, ...overrides });

/** Signs in Ada and Grace. No user can read the category `secret`. */
async function openApp(onClose?: OnClose) {
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: someAccounts,
    capabilities: ({ db }) => [openGraphTemplates({ db, canRead: async (_, { datasetCategory }) => datasetCategory !== "secret" })],
  });
  const clientOf = (token: string) => {
    return {
      list: async () => (await gateway.call("GET", path, { token })).body,
      save: (template: unknown) => gateway.call("POST", path, { token, body: template }),
      remove: (template: unknown) => gateway.call("DELETE", path, { token, body: template }),
    };
  };
  return { gateway, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["graph_templates"]);

describe("graph templates", () => {
  it("[SAVED-13][SAVED-14] are saved, and listed with id and time", async () => {
    const { ada } = shared();
    expect((await ada.save(draft("Wind"))).status).toBe(201);
    await ada.save(draft("Gusts"));
    const row = { ...storms, id: expect.any(String), templateJson, createdDateMs: expect.any(Number) };
    expect(await ada.list()).toEqual([
      { ...row, templateName: "Gusts" },
      { ...row, templateName: "Wind" },
    ]);
  });

  it("[SAVED-15] are deleted by a DELETE with a body", async () => {
    const { ada } = shared();
    for (const name of ["Wind", "Gusts"]) await ada.save(draft(name));
    expect(await ada.remove(draft("Wind"))).toMatchObject({ status: 204, body: undefined });
    expect(await ada.list()).toMatchObject([{ templateName: "Gusts" }]);
    expect((await ada.remove(draft("Wind"))).status).toBe(404);
  });

  it("[SAVED-16] are private to the user who saved them", async () => {
    const { ada, grace } = shared();
    await ada.save(draft("Wind"));
    expect(await grace.list()).toEqual([]);
    expect((await grace.remove(draft("Wind"))).status).toBe(404);
    expect((await grace.save(draft("wind"))).status).toBe(201);
    expect(await ada.list()).toMatchObject([{ templateName: "Wind" }]);
  });

  it("[SAVED-07] refuse blank, long and taken names, templates that are not JSON objects, and datasets the user may not use", async () => {
    const { ada } = shared();
    await ada.save(draft("Wind"));
    expect(await ada.save(draft(" WIND "))).toMatchObject({
      status: 409,
      body: { errors: [{ code: "name-taken", path: "templateName" }] },
    });
    for (const name of ["", " ", "x".repeat(101), "a\0b"]) expect((await ada.save(draft(name))).status).toBe(400);
    for (const json of ["", "[]", "null", "7", "{", `{"a":"${"x".repeat(200_000)}"}`]) {
      expect(await ada.save(draft("New", { templateJson: json }))).toMatchObject({
        status: 400,
        body: { errors: [{ path: "templateJson" }] },
      });
    }
    expect((await ada.save(draft("New", { datasetCategory: "secret" }))).status).toBe(404);
    expect(await ada.list()).toHaveLength(1);
  });

  it("are limited to 500 per user", async () => {
    const { gateway, ada } = shared();
    await gateway.database.pool.query(
      `insert into graph_templates (id, user_id, category, dataset_id, name, name_key, template)
       select 't' || n, users.id, 'nature', 'storms', 'T' || n, 't' || n, '{}' from users, generate_series(1, 500) n where username = 'ada'`,
    );
    expect(await ada.save(draft("One overrides"))).toMatchObject({ status: 409, body: { errors: [{ code: "conflict" }] } });
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = shared();
    for (const method of ["GET", "POST", "DELETE"] as const) {
      expect((await gateway.call(method, path, { token: "nobody", ...(method === "GET" ? {} : { body: draft("x") }) })).status).toBe(401);
    }
  });
});
