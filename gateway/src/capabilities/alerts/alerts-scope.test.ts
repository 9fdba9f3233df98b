import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { internalDatasets } from "#entities/entity-types.ts";
import { beforeAll, describe, expect, it } from "vitest";
import { addDataset, buildColumn, buildFilterSupport } from "#testing/dataset-app.ts";
import { alertsApp } from "#testing/alerts-app.ts";
import { above, eventsOf, patience, receiver } from "#testing/webhook-receiver.ts";

const app = await alertsApp();

const access: DatasetAccess = {
  rules: [
    {
      name: "Range",
      grants: [
        { roles: ["low"], rows: { filters: [{ name: "id", operator: "<", value: 12 }] } },
        { roles: ["high"], rows: { filters: [{ name: "id", operator: ">=", value: 12 }] } },
      ],
    },
  ],
  columns: [{ names: ["name"], roles: ["reader"], others: "withheld" }],
};

beforeAll(async () => {
  await app.pool.query("insert into roles (id, name) select name, name from unnest(array['low', 'high', 'reader']) as name");
  const schema = { columns: [buildColumn("id", "integer"), buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_MILLS")] };
  const filterSupport = buildFilterSupport({ supportsTimeRange: true });
  await addDataset(app.base, { id: "ruled", schema, temporalField: "at", filterSupport, access });
});

describe("an alert on a dataset with rules", () => {
  it("forgets what it knew once its owner sees something else, so that no message compares two views", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low", "high"]);
    await app.writeRows(40);
    const { id } = await app.create(gateway, "ada", { condition: { kind: "changed", percent: 10 } }, "ruled");
    expect((await app.find(gateway, "ada", id)).seen).toMatchObject({ rows: 40 });
    await app.setRoles("ada", ["low"]);
    await app.check(id);
    expect(await app.messages(gateway, "ada")).toEqual([]);
    expect((await app.find(gateway, "ada", id)).seen).toMatchObject({ rows: 12 });
    await app.writeRows(6);
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([expect.stringContaining("6 rows, 50% fewer than 12")]);
  });

  it("reports as new what appeared in the new view only", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    const { id } = await app.create(gateway, "ada", { condition: { kind: "new-rows" } }, "ruled");
    await app.writeRows(20);
    await app.setRoles("ada", ["low", "high"]);
    await app.check(id);
    expect(await app.messages(gateway, "ada")).toEqual([]);
    await app.writeRows(23);
    await app.check(id);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([expect.stringContaining("3 new rows")]);
  });

  it("withholds figures of before in its answer, its history and its messages, at every gateway", async () => {
    const [one, other] = [await app.open(), await app.open()];
    await app.setRoles("ada", ["low", "high"]);
    await app.writeRows(40);
    const { id } = await app.create(one, "ada", above, "ruled");
    expect((await app.messages(other, "ada")).map(({ title }) => title)).toEqual([expect.stringContaining("40 rows")]);
    await app.setRoles("ada", ["low"]);
    for (const gateway of [one, other]) {
      expect(await app.messages(gateway, "ada")).toEqual([]);
      expect(await app.find(gateway, "ada", id)).toMatchObject({ seen: null, state: "new" });
      expect((await app.history(gateway, "ada", id)).checks.map(({ seen }) => seen)).toEqual([null]);
    }
    await app.check(id);
    expect((await app.history(one, "ada", id)).checks.map(({ seen }) => seen?.rows)).toEqual([12, undefined]);
    await app.setRoles("ada", ["low", "high"]);
    expect((await app.history(one, "ada", id)).checks.map(({ seen }) => seen?.rows)).toEqual([undefined, 40]);
  });

  it("pauses while its owner holds no grant of a rule, also if it is on few rows", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    const { id } = await app.create(gateway, "ada", { condition: { kind: "below", rows: 3 } }, "ruled");
    const figure = { kind: "measure", measure: { aggregation: "count", column: "*" }, operator: "<", value: 3 } as const;
    const measured = await app.create(gateway, "ada", { condition: figure }, "ruled");
    await app.setRoles("ada", []);
    for (const one of [id, measured.id]) {
      await app.check(one);
      expect(await app.find(gateway, "ada", one)).toMatchObject({
        state: "paused",
        pausedBy: "portal",
        reason: "Your roles give you no rows of this dataset.",
      });
    }
    await app.setRoles("ada", ["low"]);
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "ok", seen: { rows: 10 } });
  });

  it("pauses like an invalid search if its search names a withheld column", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low", "reader"]);
    const query = { filters: [{ name: "name", operator: "=", value: "row 1" }] };
    const { id } = await app.create(gateway, "ada", above, "ruled", query);
    await app.setRoles("ada", ["low"]);
    await app.check(id);
    expect(await app.find(gateway, "ada", id)).toMatchObject({ state: "paused", reason: "This dataset has no column 'name'." });
  });

  it("sends no message of another view to its webhook, however late it retries", async () => {
    const { posts, answers, url } = await receiver();
    const gateway = await app.open();
    await app.setRoles("ada", ["low", "high"]);
    const { id } = await app.create(gateway, "ada", { ...above, webhookUrl: url }, "ruled");
    answers.push("hang");
    await app.writeRows(40);
    await app.pool.query("update alerts set next_check_at = now()");
    await expect.poll(() => posts.length, patience).toBe(1);
    await app.setRoles("ada", ["low"]);
    // The message that hangs is left to the next gateway.
    await gateway.close();
    expect((await app.pool.query("select from alert_deliveries")).rowCount).toBe(1);
    const next = await app.open();
    await expect.poll(async () => (await app.pool.query("select from alert_deliveries")).rowCount, patience).toBe(0);
    expect(posts).toHaveLength(1);
    await app.writeRows(11);
    await app.check(id);
    await expect.poll(() => posts.length, patience).toBe(2);
    expect(eventsOf(posts)[1]?.data).toMatchObject({ rows: 11 });
    expect(await app.messages(next, "ada")).toHaveLength(1);
  });

  it("treats what was stored before there were keys as of everything", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    await app.writeRows(12);
    const ruled = await app.create(gateway, "ada", above, "ruled");
    const free = await app.create(gateway, "ada", above);
    for (const table of ["alerts", "alert_checks", "notifications"]) await app.pool.query(`update ${table} set scope_keys = null`);
    expect((await app.messages(gateway, "ada")).map(({ title }) => title)).toEqual([`${free.draft.name}: 12 rows`]);
    expect((await app.find(gateway, "ada", free.id)).seen).toMatchObject({ rows: 12 });
    expect((await app.find(gateway, "ada", ruled.id)).seen).toBeNull();
  });

  it("follows its rules when these change", async () => {
    const gateway = await app.open();
    await app.setRoles("ada", ["low"]);
    await app.writeRows(40);
    const { id } = await app.create(gateway, "ada", above, "ruled");
    expect((await app.find(gateway, "ada", id)).seen).toMatchObject({ rows: 12 });
    const { body } = await app.base.entities.get(internalDatasets, "ruled");
    await app.base.entities.replace(internalDatasets, "ruled", { ...body, access: { rules: [] } });
    try {
      expect((await app.find(gateway, "ada", id)).seen).toBeNull();
    } finally {
      await app.base.entities.replace(internalDatasets, "ruled", body);
    }
  });
});
