import type { DatasetRef } from "@fairway/contract/datasets";
import { describe, expect, it } from "vitest";
import { type OnClose, identityApp, someAccounts } from "#testing/identity-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openFavorites } from "./capability.ts";

const quakes = { datasetCategory: "nature", datasetId: "earthquakes" };
const storms = { datasetCategory: "nature", datasetId: "storms" };
const sameIdElsewhere = { datasetCategory: "insurance", datasetId: "storms" };

/** Signs in Ada and Grace. No user can read the category `secret`. */
async function openApp(onClose?: OnClose) {
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: someAccounts,
    capabilities: ({ db }) => [openFavorites({ db, canRead: async (_, { datasetCategory }) => datasetCategory !== "secret" })],
  });
  const clientOf = (token: string) => {
    const path = "/favorite/datasets";
    return {
      list: async () => (await gateway.call<DatasetRef[]>("GET", path, { token })).body,
      add: (dataset: unknown) => gateway.call("POST", path, { token, body: dataset }),
      remove: (dataset: unknown) => gateway.call("DELETE", path, { token, body: dataset }),
    };
  };
  return { gateway, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["favorite_datasets"]);

describe("favorite datasets", () => {
  it("[PICKER-09] [PICKER-10] are listed by category and id, in the order they were added", async () => {
    const { ada } = shared();
    expect(await ada.list()).toEqual([]);
    for (const dataset of [storms, quakes, sameIdElsewhere]) {
      expect(await ada.add(dataset)).toMatchObject({ status: 201, body: dataset });
    }
    expect(await ada.list()).toEqual([storms, quakes, sameIdElsewhere]);
  });

  it("[PICKER-11] are removed one at a time by a DELETE with a body", async () => {
    const { ada } = shared();
    for (const dataset of [storms, quakes, sameIdElsewhere]) await ada.add(dataset);
    expect(await ada.remove(storms)).toMatchObject({ status: 204, body: undefined });
    expect(await ada.list()).toEqual([quakes, sameIdElsewhere]);
  });

  it("are added and removed idempotently, also concurrently", async () => {
    const { ada } = shared();
    const added = await Promise.all([ada.add(storms), ada.add(storms), ada.add(storms)]);
    expect(added.map(({ status }) => status)).toEqual([201, 201, 201]);
    await ada.add(quakes);
    await ada.add(storms);
    expect(await ada.list()).toEqual([storms, quakes]);
    await ada.remove(storms);
    expect((await ada.remove(storms)).status).toBe(204);
    expect(await ada.list()).toEqual([quakes]);
  });

  it("are private to each user", async () => {
    const { ada, grace } = shared();
    await ada.add(storms);
    expect(await grace.list()).toEqual([]);
    await grace.remove(storms);
    expect(await ada.list()).toEqual([storms]);
  });

  it("refuse a dataset the user may not read with 404, like a missing one", async () => {
    const { ada } = shared();
    const refused = await ada.add({ datasetCategory: "secret", datasetId: "plans" });
    expect(refused).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
    expect(await ada.list()).toEqual([]);
  });

  it("can be removed when the user has lost access to the dataset", async () => {
    const { gateway, ada } = shared();
    await gateway.database.pool.query(
      "insert into favorite_datasets (user_id, category, dataset_id) select id, 'secret', 'plans' from users where username = 'ada'",
    );
    expect(await ada.list()).toEqual([{ datasetCategory: "secret", datasetId: "plans" }]);
    expect((await ada.remove({ datasetCategory: "secret", datasetId: "plans" })).status).toBe(204);
    expect(await ada.list()).toEqual([]);
  });

  it("refuse bodies that are incomplete or cannot be stored with 400", async () => {
    const { ada } = shared();
    for (const body of [
      {},
      { datasetCategory: "nature" },
      { ...storms, datasetId: 7 },
      { ...storms, datasetId: "st\0rms" },
      { ...storms, datasetId: "s".repeat(1_001) },
    ]) {
      expect((await ada.add(body)).status).toBe(400);
      expect((await ada.remove(body)).status).toBe(400);
    }
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = shared();
    for (const method of ["GET", "POST", "DELETE"] as const) {
      const response = await gateway.call(method, "/favorite/datasets", { token: "nobody", ...(method === "GET" ? {} : { body: storms }) });
      expect(response.status).toBe(401);
    }
  });
});
