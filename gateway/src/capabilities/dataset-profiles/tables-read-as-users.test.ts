import { expect, it, onTestFinished } from "vitest";
import { buildDataset } from "#testing/dataset-app.ts";
import { demoGateway } from "#testing/demo-gateway.ts";

it.each([
  [true, 400],
  [false, 202],
])("presto.asUser %s: the profile of a dataset over a table is answered with %i, and that of files is computed", async (asUser, status) => {
  const gateway = await demoGateway({ FAIRWAY_SETTINGS: JSON.stringify({ presto: { asUser } }) });
  onTestFinished(() => gateway.close());
  const headers = { authorization: `Bearer ${await gateway.token()}` };
  const post = async (path: string, payload?: object) => {
    const response = await gateway.app.inject({
      method: "POST",
      url: `/api/admin/datasets/internal${path}`,
      headers,
      ...(payload && { payload }),
    });
    return response.statusCode;
  };
  const table = buildDataset({ id: "table", source: { kind: "table", name: "lake.sales.orders" } });
  expect([await post("", table), await post("", buildDataset({ id: "files" }))]).toEqual([201, 201]);
  expect([await post("/table/profile"), await post("/files/profile")]).toEqual([status, 202]);
  const read = await gateway.app.inject({ url: "/api/datasets/Tests/table/profile", headers });
  expect(read.json()).toMatchObject({ state: expect.stringMatching(asUser ? /^none$/ : /^(?:running|failed)$/), profile: null });
});
