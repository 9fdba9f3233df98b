import type { DatasetAccess } from "@fairway/contract/dataset-access";
import { beforeAll, expect, it } from "vitest";
import type { QueryEngine } from "#query/engine.ts";
import { addDataset, buildColumn } from "#testing/dataset-app.ts";
import { count, mailParts, subscriptionsApp } from "#testing/subscriptions-app.ts";

const app = await subscriptionsApp();
const dataset = { datasetCategory: "Tests", datasetId: "ruled" };
const textOf = (index: number) => mailParts(app.received[index] ?? { from: "", to: [], content: "" }).get("text/plain") ?? "";

beforeAll(async () => {
  await app.pool.query("insert into roles (id, name) values ('low', 'low'), ('high', 'high')");
  const access: DatasetAccess = {
    rules: [
      {
        name: "Range",
        grants: [
          { roles: ["low"], rows: { filters: [{ name: "id", operator: "<", value: 7 }] } },
          { roles: ["high"], rows: { filters: [{ name: "id", operator: ">=", value: 7 }] } },
        ],
      },
    ],
  };
  const schema = { columns: [buildColumn("id", "integer"), buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_MILLS")] };
  await addDataset(app.base, { id: "ruled", schema, temporalField: "at", access });
});

it("each person gets the rows that they see, of one board", async () => {
  const gateway = await app.open();
  await app.setRoles("ada", ["low"]);
  await app.setRoles("bob", ["high"]);
  const boardId = await app.saveBoard(gateway, "bob", [{ ...count, title: "Count", dataset }], { sharedWithRoles: ["*"] });
  for (const person of ["ada", "bob"] as const) await app.run((await app.create(gateway, person, { boardId })).id);
  expect(app.received.map(({ to }) => to)).toEqual([["ada@example.org"], ["bob@example.org"]]);
  expect([textOf(0), textOf(1)]).toEqual([expect.stringContaining("Count\r\n7\r\n"), expect.stringContaining("Count\r\n23\r\n")]);
});

it("what was gathered under other roles is not sent", async () => {
  let gate: Promise<void> = Promise.resolve();
  let searches = 0;
  const gateway = await app.open({
    engine: (real): QueryEngine => ({
      ...real,
      features: real.features,
      supportsSort: real.supportsSort,
      aggregate: async (...parameters) => {
        const values = await real.aggregate(...parameters);
        searches += 1;
        await gate;
        return values;
      },
    }),
  });
  await app.setRoles("ada", ["low", "high"]);
  const boardId = await app.saveBoard(gateway, "ada", [{ ...count, title: "Count", dataset }]);
  const { id } = await app.create(gateway, "ada", { boardId });
  let release = () => {};
  gate = new Promise((resolve) => (release = resolve));
  const ran = app.run(id);
  await expect.poll(() => searches).toBe(1);
  await app.setRoles("ada", ["low"]);
  release();
  await ran;
  expect(app.received).toHaveLength(1);
  expect(textOf(0)).toContain("Count\r\n7\r\n");
});
