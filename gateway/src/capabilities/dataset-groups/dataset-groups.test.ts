import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import type { InternalDataset } from "@fairway/contract/internal-datasets";
import pino from "pino";
import { describe, expect, it } from "vitest";
import { datasetService } from "#capabilities/datasets/service.ts";
import { internalDatasets } from "#entities/entity-types.ts";
import { entityStore } from "#entities/store.ts";
import { buildDataset, buildFilterSupport } from "#testing/dataset-app.ts";
import { type OnClose, identityApp, someAccounts } from "#testing/identity-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { noEngine } from "#testing/no-engine.ts";
import { secretKey } from "#testing/secret-key.ts";
import { openDatasetGroups } from "./capability.ts";
import { testMasterKey } from "#testing/test-master-key.ts";

const idRequired = buildFilterSupport({ requiredOrFields: ["id"] });
const staticId = (required: boolean) =>
  buildFilterSupport({
    staticFilters: [
      { id: "id", name: "id", display: "Id", description: "", required, type: "integer", value: "", operator: "=", preFilled: false },
    ],
  });

const described: Partial<InternalDataset>[] = [
  { category: "nature", id: "quakes", filterSupport: idRequired },
  { category: "nature", id: "storms", filterSupport: idRequired },
  { category: "insurance", id: "claims", filterSupport: staticId(true) },
  { category: "nature", id: "open", filterSupport: staticId(false) },
  { category: "nature", id: "no-or-fields", filterSupport: buildFilterSupport({ requiredOrFields: [] }) },
  { category: "secret", id: "plans", filterSupport: idRequired, roles: ["reader"] },
];

const ref = (datasetCategory: string, datasetId: string) => ({ datasetCategory, datasetId });
const quakes = ref("nature", "quakes");
const storms = ref("nature", "storms");
const insured = ref("insurance", "claims");
const plans = ref("secret", "plans");
const path = "/datasetGroupings";

/** Signs in Ada, who can read everything, and Grace, who cannot read `secret`. */
async function openApp(onClose?: OnClose) {
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: someAccounts,
    capabilities: async ({ db }) => {
      const entities = entityStore(db, pino({ level: "silent" }), secretKey);
      for (const dataset of described) await entities.create(internalDatasets, buildDataset(dataset), { enabled: true });
      const { find } = datasetService({
        entities,
        engines: { lease: () => Promise.resolve({ engine: noEngine, release: () => {} }) },
        masterKey: testMasterKey,
        categories: [],
      });
      return [openDatasetGroups({ db, find })];
    },
  });
  const clientOf = (token: string) => {
    return {
      list: async () => (await gateway.call<DatasetGroup[]>("GET", path, { token })).body,
      create: (draft: unknown) => gateway.call("POST", path, { token, body: draft }),
      edit: (draft: unknown) => gateway.call("PUT", path, { token, body: draft }),
      remove: (name: string) => gateway.call("DELETE", `${path}/${encodeURIComponent(name)}`, { token }),
    };
  };
  return { gateway, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["dataset_groups"]);

const draft = (name: string, datasets: unknown[] = [quakes, storms], description = "Weather and worse.") => ({
  name,
  datasets,
  description,
});

describe("dataset groups", () => {
  it("[GROUPING-01] [GROUPING-02] are created with name, datasets and description and listed by name with id and user", async () => {
    const { gateway, ada } = shared();
    expect(await ada.list()).toEqual([]);
    const created = await ada.create(draft("Storms", [insured, storms]));
    expect(created).toMatchObject({
      status: 201,
      body: { name: "Storms", description: "Weather and worse.", datasets: [insured, storms] },
    });
    await ada.create(draft("hazards"));
    const { rows } = await gateway.database.pool.query("select id from users where username = 'ada'");
    const userId = rows[0]?.id;
    expect(await ada.list()).toEqual([
      { id: expect.any(String), name: "hazards", description: "Weather and worse.", userId, datasets: [quakes, storms] },
      { id: expect.any(String), name: "Storms", description: "Weather and worse.", userId, datasets: [insured, storms] },
    ]);
  });

  it("[GROUPING-03] are edited by name, keeping id and name", async () => {
    const { ada } = shared();
    await ada.create(draft("Hazards"));
    await ada.create(draft("Others"));
    const [before, others] = await ada.list();
    const changed = await ada.edit(draft("Hazards", [insured, quakes, storms], "All of it."));
    expect(changed).toMatchObject({ status: 200, body: { id: before?.id, name: "Hazards", description: "All of it." } });
    expect(await ada.list()).toEqual([{ ...before, description: "All of it.", datasets: [insured, quakes, storms] }, others]);
    expect(await ada.edit(draft("hazards"))).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
  });

  it("[GROUPING-04] are deleted by name", async () => {
    const { ada } = shared();
    await ada.create(draft("Hazards"));
    await ada.create(draft("Others"));
    expect(await ada.remove("Hazards")).toMatchObject({ status: 204, body: undefined });
    expect((await ada.list()).map(({ name }) => name)).toEqual(["Others"]);
    expect((await ada.remove("Hazards")).status).toBe(404);
  });

  it("[GROUPING-19] are private: another user cannot see, change or delete them, and may use the same name", async () => {
    const { ada, grace } = shared();
    await ada.create(draft("Hazards"));
    expect(await grace.list()).toEqual([]);
    expect((await grace.edit(draft("Hazards", [quakes, insured]))).status).toBe(404);
    expect((await grace.remove("Hazards")).status).toBe(404);
    expect((await grace.create(draft("Hazards", [quakes, insured]))).status).toBe(201);
    expect((await grace.remove("Hazards")).status).toBe(204);
    expect(await ada.list()).toMatchObject([{ name: "Hazards", datasets: [quakes, storms] }]);
  });

  it("refuse duplicate names in any case with 409, also concurrently", async () => {
    const { ada } = shared();
    const responses = await Promise.all(["Hazards", "HAZARDS", " hazards "].map((name) => ada.create(draft(name))));
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 409)).toHaveLength(2);
    expect(await ada.create(draft("hazards"))).toMatchObject({ status: 409, body: { errors: [{ code: "name-taken", path: "name" }] } });
    expect(await ada.list()).toHaveLength(1);
  });

  it("[GROUPING-07] refuse fewer than 2 datasets, not counting duplicates", async () => {
    const { ada } = shared();
    await ada.create(draft("Hazards"));
    for (const datasets of [[], [quakes], [quakes, quakes]]) {
      const refusal = { status: 400, body: { errors: [{ code: "invalid-value", path: "datasets" }] } };
      expect(await ada.create(draft("New", datasets))).toMatchObject(refusal);
      expect(await ada.edit(draft("Hazards", datasets))).toMatchObject(refusal);
    }
    expect(await ada.create(draft("Twice", [quakes, storms, quakes]))).toMatchObject({ status: 201, body: { datasets: [quakes, storms] } });
    expect((await ada.list()).map(({ name, datasets }) => [name, datasets.length])).toEqual([
      ["Hazards", 2],
      ["Twice", 2],
    ]);
  });

  it("[GROUPING-18] refuse datasets without a required field to search on, naming each, on create and edit", async () => {
    const { ada } = shared();
    await ada.create(draft("Hazards"));
    const refused = draft("Hazards", [quakes, ref("nature", "open"), ref("nature", "no-or-fields")]);
    for (const response of [await ada.create({ ...refused, name: "New" }), await ada.edit(refused)]) {
      expect(response.status).toBe(400);
      expect(response.body.errors).toEqual([
        { code: "invalid-value", message: "The dataset 'open' in 'nature' has no required field to search on.", path: "datasets.1" },
        {
          code: "invalid-value",
          message: "The dataset 'no-or-fields' in 'nature' has no required field to search on.",
          path: "datasets.2",
        },
      ]);
    }
    expect(await ada.list()).toMatchObject([{ name: "Hazards", datasets: [quakes, storms] }]);
  });

  it("treat datasets the user may not use as missing", async () => {
    const { ada, grace } = shared();
    expect((await ada.create(draft("Plans", [quakes, plans]))).status).toBe(201);
    for (const datasetId of ["plans", "nothing"]) {
      const { status, body } = await grace.create(draft("Plans", [quakes, ref("secret", datasetId)]));
      expect(status).toBe(400);
      expect(body.errors).toEqual([
        { code: "invalid-value", message: `There is no dataset '${datasetId}' in 'secret'.`, path: "datasets.1" },
      ]);
    }
    expect(await grace.list()).toEqual([]);
  });

  it("keep all their datasets when the user loses access to one", async () => {
    const { gateway, ada } = await openApp();
    await ada.create(draft("Plans", [quakes, plans]));
    await gateway.database.pool.query("delete from entities where id = 'plans'");
    expect(await ada.list()).toMatchObject([{ name: "Plans", datasets: [quakes, plans] }]);
    expect((await ada.remove("Plans")).status).toBe(204);
  });

  it.each(["Storms / quakes", "a%2Fb%00", '100 % \\ "it\'s" ?#&;', "x'; drop table dataset_groups; --", "Ærø ☂ 🌀", "__proto__"])(
    "can be addressed by a name such as %j",
    async (name) => {
      const { ada } = shared();
      await ada.create(draft("Hazards"));
      expect(await ada.create(draft(name))).toMatchObject({ status: 201, body: { name } });
      expect(await ada.edit(draft(name, [insured, quakes]))).toMatchObject({ status: 200, body: { name, datasets: [insured, quakes] } });
      expect((await ada.remove(name)).status).toBe(204);
      expect((await ada.list()).map((group) => group.name)).toEqual(["Hazards"]);
    },
  );

  it("[GROUPING-06] refuse invalid names: blank, too long, dots only, control characters", async () => {
    const { ada } = shared();
    for (const name of ["", "   ", "x".repeat(101), ".", "..", "a\nb", "a\0b", "a\ud800b", 7, null]) {
      expect(await ada.create(draft(name as string))).toMatchObject({
        status: 400,
        body: { errors: [{ path: "name" }] },
      });
    }
    expect((await ada.create(draft("🌀".repeat(50)))).status).toBe(201);
    expect((await ada.remove("🌀".repeat(50))).status).toBe(204);
  });

  it("respond to hostile names in the path with 400 or 404 and keep all groups", async () => {
    const { ada } = shared();
    await ada.create(draft("Hazards"));
    for (const name of ["%", "_", "a\0b", "' or '1'='1", "../datasetGroupings/Hazards", "x".repeat(100)]) {
      expect([400, 404]).toContain((await ada.remove(name)).status);
    }
    expect(await ada.list()).toHaveLength(1);
  });

  it("refuse bodies that are incomplete or too large with 400", async () => {
    const { ada } = shared();
    const many = Array.from({ length: 51 }, () => quakes);
    const bodies = [
      {},
      [],
      { name: "New" },
      draft("New", [quakes, "storms"]),
      draft("New", [quakes, { datasetCategory: "nature" }]),
      draft("New", many),
      draft("New", [quakes, storms], "x".repeat(1_001)),
      draft("New", [quakes, ref("na\0ture", "storms")]),
      draft("New", [quakes, storms], "a\0b"),
    ];
    for (const body of bodies) {
      expect((await ada.create(body)).status).toBe(400);
      expect((await ada.edit(body)).status).toBe(400);
    }
    expect(await ada.list()).toEqual([]);
  });

  it("are limited to 200 per user", async () => {
    const { gateway, ada, grace } = shared();
    await gateway.database.pool.query(
      `insert into dataset_groups (id, user_id, name, name_key, description, datasets)
       select 'g' || n, users.id, 'Group ' || n, 'group ' || n, '', '[]' from users, generate_series(1, 200) n where username = 'ada'`,
    );
    expect(await ada.create(draft("One more"))).toMatchObject({ status: 409, body: { errors: [{ code: "conflict" }] } });
    expect((await grace.create(draft("First"))).status).toBe(201);
    await ada.remove("Group 7");
    expect((await ada.create(draft("One more"))).status).toBe(201);
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = shared();
    for (const [method, body] of [["GET"], ["POST", draft("New")], ["PUT", draft("New")]] as const) {
      expect((await gateway.call(method, path, { token: "nobody", ...(body ? { body } : {}) })).status).toBe(401);
    }
    expect((await gateway.call("DELETE", `${path}/Hazards`, { token: "nobody" })).status).toBe(401);
  });
});
