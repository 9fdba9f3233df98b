import { type ColumnsPreference, columnsKey, preferenceLimits, type Preference } from "@fairway/contract/preferences";
import { describe, expect, it } from "vitest";
import { type OnClose, identityApp, someAccounts } from "#testing/identity-app.ts";
import { sharedApp } from "#testing/shared-app.ts";
import { adaAndGrace } from "#testing/signed-in.ts";
import { openPreferences } from "./capability.ts";

const storms = columnsKey({ datasetCategory: "nature", datasetId: "storms" });
const quakes = columnsKey({ datasetCategory: "nature", datasetId: "quakes" });
const zone = (name: "utc" | "local") => ({ kind: "zone", zone: name });
const columns: ColumnsPreference = { kind: "columns", order: ["name", "wind"], hidden: ["wind"], pinned: [], widths: { name: 120 } };

/** Signs in Ada and Grace. No user can read the category `secret`. */
async function openApp(onClose?: OnClose) {
  const gateway = await identityApp({
    ...(onClose && { onClose }),
    accounts: someAccounts,
    capabilities: ({ db }) => [openPreferences({ db, canRead: async (_, { datasetCategory }) => datasetCategory !== "secret" })],
  });
  const pathOf = (key: string) => `/preferences/${encodeURIComponent(key)}`;
  const clientOf = (token: string) => ({
    list: async () => (await gateway.call<Preference[]>("GET", "/preferences", { token })).body,
    save: (key: string, value: unknown) => gateway.call("PUT", pathOf(key), { token, body: { value } }),
    remove: (key: string) => gateway.call("DELETE", pathOf(key), { token }),
  });
  return { gateway, ...(await adaAndGrace(gateway, clientOf)) };
}

const shared = sharedApp(openApp, ["preferences"]);

describe("preferences", () => {
  it("are one entry for the zone and one for each dataset, of which the last write wins", async () => {
    const { ada } = shared();
    expect(await ada.list()).toEqual([]);
    expect(await ada.save("zone", zone("local"))).toMatchObject({ status: 200, body: { key: "zone", value: zone("local") } });
    expect((await ada.save(storms, columns)).status).toBe(200);
    expect((await ada.save(quakes, { ...columns, order: ["magnitude"] })).status).toBe(200);
    expect((await ada.save(storms, { ...columns, hidden: [] })).status).toBe(200);
    expect(await ada.list()).toEqual([
      { key: quakes, value: { ...columns, order: ["magnitude"] } },
      { key: storms, value: { ...columns, hidden: [] } },
      { key: "zone", value: zone("local") },
    ]);
  });

  it("keep columns of any name, also those that objects have", async () => {
    const { ada } = shared();
    const names = ["__proto__", "constructor", "toString"];
    const widths = '{"__proto__":110,"constructor":120,"toString":130}';
    const value = { ...columns, order: names, widths: JSON.parse(widths) as Record<string, number> };
    const saved = await ada.save(storms, value);
    expect([saved.status, JSON.stringify(saved.body)]).toEqual([200, expect.stringContaining(`"widths":${widths}`)]);
    const [entry] = await ada.list();
    if (entry?.value.kind !== "columns") throw new Error("the columns were not kept");
    expect(new Map(Object.entries(entry.value.widths))).toEqual(new Map(names.map((name, index) => [name, 110 + 10 * index])));
  });

  it("are removed one at a time; one that is not there is refused", async () => {
    const { ada } = shared();
    await ada.save("zone", zone("local"));
    await ada.save(storms, columns);
    expect((await ada.remove(storms)).status).toBe(204);
    expect(await ada.list()).toEqual([{ key: "zone", value: zone("local") }]);
    expect(await ada.remove(storms)).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
  });

  it("are private to each user", async () => {
    const { ada, grace } = shared();
    await ada.save("zone", zone("local"));
    expect(await grace.list()).toEqual([]);
    expect((await grace.remove("zone")).status).toBe(404);
    await grace.save("zone", zone("utc"));
    expect(await ada.list()).toEqual([{ key: "zone", value: zone("local") }]);
  });

  it("keep datasets apart whose names contain the separator", async () => {
    const { ada } = shared();
    const keys = [columnsKey({ datasetCategory: "a:b", datasetId: "c" }), columnsKey({ datasetCategory: "a", datasetId: "b:c" })];
    for (const [index, key] of keys.entries()) expect((await ada.save(key, { ...columns, order: [String(index)] })).status).toBe(200);
    expect(await ada.list()).toEqual(
      expect.arrayContaining(keys.map((key, index) => ({ key, value: { ...columns, order: [String(index)] } }))),
    );
  });

  it("refuse keys and values that are none", async () => {
    const { ada } = shared();
    for (const key of [
      "theme",
      "columns",
      "columns:nature",
      "columns::storms",
      "columns:a:b:c",
      "columns:%zz:b",
      `columns:a:${"b".repeat(500)}`,
    ]) {
      expect([key, (await ada.save(key, columns)).status]).toEqual([key, 400]);
    }
    for (const [key, value] of [
      ["zone", "utc"],
      ["zone", { kind: "zone", zone: "Europe/Berlin" }],
      ["zone", columns],
      [storms, zone("utc")],
      [storms, { ...columns, order: [7] }],
      [storms, { ...columns, order: ["na\0me"] }],
      [storms, { ...columns, widths: { name: -1 } }],
      [storms, { ...columns, widths: { name: 1e9 } }],
      [storms, null],
      [storms, undefined],
    ] as const) {
      expect([key, value, (await ada.save(key, value)).status]).toEqual([key, value, 400]);
    }
    expect(await ada.list()).toEqual([]);
  });

  it("refuse columns of a dataset that the user cannot read like those of a missing one, but let old ones go", async () => {
    const { ada, gateway } = shared();
    const secret = columnsKey({ datasetCategory: "secret", datasetId: "plans" });
    expect(await ada.save(secret, columns)).toMatchObject({ status: 404, body: { errors: [{ code: "not-found" }] } });
    await gateway.database.pool.query("insert into preferences (user_id, key, value) select id, $1, $2 from users where username = 'ada'", [
      secret,
      JSON.stringify(columns),
    ]);
    expect((await ada.remove(secret)).status).toBe(204);
  });

  it("hold up to 100,000 bytes each", async () => {
    const { ada } = shared();
    const empty = JSON.stringify({ kind: "columns", order: [""], hidden: [], pinned: [], widths: {} }).length;
    const ofBytes = (bytes: number) => ({ kind: "columns", order: ["ö".repeat((bytes - empty) / 2)], hidden: [], pinned: [], widths: {} });
    const largest = preferenceLimits.valueBytes - (empty % 2);
    expect((await ada.save(storms, ofBytes(largest))).status).toBe(200);
    expect(await ada.save(storms, ofBytes(largest + 2))).toMatchObject({
      status: 413,
      body: { errors: [{ code: "too-large", path: "value" }] },
    });
    expect(await ada.list()).toEqual([{ key: storms, value: ofBytes(largest) }]);
  });

  it("are at most 500, also when calls arrive together; the others can still be changed", async () => {
    const { ada, gateway } = shared();
    await gateway.database.pool.query(
      `insert into preferences (user_id, key, value)
       select id, 'columns:old:' || n, $1 from users, generate_series(1, $2::int) n where username = 'ada'`,
      [JSON.stringify(columns), preferenceLimits.perUser - 5],
    );
    const statuses = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, n) => (await ada.save(columnsKey({ datasetCategory: "new", datasetId: String(n) }), columns)).status,
      ),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(5);
    expect(statuses.filter((status) => status === 409)).toHaveLength(45);
    expect(await ada.list()).toHaveLength(preferenceLimits.perUser);
    expect((await ada.save("columns:old:1", { ...columns, hidden: [] })).status).toBe(200);
    expect(await ada.save("zone", zone("local"))).toMatchObject({ status: 409, body: { errors: [{ code: "conflict" }] } });
  });

  it("[API-01] need a valid token", async () => {
    const { gateway } = shared();
    expect((await gateway.call("GET", "/preferences", { token: "nobody" })).status).toBe(401);
    expect((await gateway.call("PUT", "/preferences/zone", { token: "nobody", body: { value: zone("utc") } })).status).toBe(401);
    expect((await gateway.call("DELETE", "/preferences/zone", { token: "nobody" })).status).toBe(401);
  });
});
