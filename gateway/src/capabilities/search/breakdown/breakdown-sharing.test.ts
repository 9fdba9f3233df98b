import { request } from "node:http";
import type { AddressInfo } from "node:net";
import type { BreakdownAnswer, BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type DatasetApp, addDataset, buildColumn, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
let origin: string;
beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(
    "copy (select i as n, i || repeat('x', 300) || i as name from range(200_000) t(i)) to 'FOLDER/rows.parquet' (format parquet)",
  );
  const columns = [buildColumn("n", "integer"), buildColumn("name", "STRING")];
  await addDataset(app, { id: "rows", schema: { columns } });
  await addDataset(app, { id: "other", schema: { columns } });
  await app.app.listen({ host: "127.0.0.1", port: 0 });
  origin = `http://127.0.0.1:${(app.app.server.address() as AddressInfo).port}`;
});
afterAll(() => app.close());
beforeEach(() => vi.restoreAllMocks());

const path = "/datasets/Tests/rows/breakdown";
const quick: BreakdownRequestDraft = {
  search: {},
  by: [{ kind: "value", column: "n", top: { count: 1 } }],
  measures: [{ aggregation: "count" }],
};
/** Hundreds of comparisons of long texts for every row. */
const slow: BreakdownRequestDraft = {
  search: {},
  by: [
    {
      kind: "groups",
      groups: Array.from({ length: 200 }, (_, group) => ({
        label: `group ${group}`,
        filters: [0, 1].map((part) => ({ name: "name", operator: "not contains", value: `y${group} ${part}` })),
      })),
    },
  ],
  measures: [{ aggregation: "count" }],
};

/** A call over a connection of its own, which `leave` closes. */
function calling(body: object): { leave: () => void } {
  const token = Buffer.from(JSON.stringify([])).toString("base64url");
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const sent = request(`${origin}${path}`, { method: "POST", headers, agent: false });
  sent.on("error", () => undefined);
  sent.end(JSON.stringify(body));
  return { leave: () => void sent.destroy() };
}

describe("a breakdown that several ask for at the same time", () => {
  it("is one query, whose answer all of them get", async () => {
    const breakdown = vi.spyOn(app.bench.engine, "breakdown");
    const ask = () => app.call<BreakdownAnswer>([], "POST", path, quick);
    const [one, other] = await Promise.all([ask(), ask()]);
    expect([one.status, other.body, breakdown.mock.calls.length]).toEqual([200, one.body, 1]);
  });

  it("goes on until the last of them has closed the connection, which ends the engine's query", async () => {
    const state = vi.spyOn(app.bench.engine, "state");
    const breakdown = vi.spyOn(app.bench.engine, "breakdown");
    const [first, last] = [calling(slow), calling(slow)];
    await expect.poll(() => state.mock.calls.length).toBe(2);
    await Promise.all(state.mock.results.map(({ value }) => value as unknown));
    await expect.poll(() => app.bench.engine.metrics.running).toBe(1);
    expect(breakdown).toHaveBeenCalledOnce();
    const { signal } = breakdown.mock.calls[0]?.[2] ?? {};
    first.leave();
    const health = await app.call<BreakdownAnswer>([], "POST", path, quick);
    expect([health.status, signal?.aborted, app.bench.engine.metrics.running]).toEqual([200, false, 1]);
    last.leave();
    await expect.poll(() => app.bench.engine.metrics, { timeout: 10_000 }).toEqual({ running: 0, waiting: 0 });
    expect(signal?.aborted).toBe(true);
  });
});

it("a breakdown is answered to API keys that reach its dataset, and to no others", async () => {
  const reach = {
    apiKeyId: "k",
    apiKeyName: "key",
    datasets: [{ datasetCategory: "Tests", datasetId: "rows" }],
    filesets: [],
    ecosystems: [],
  };
  const ask = (id: string) => app.call({ roles: [], reach }, "POST", `/datasets/Tests/${id}/breakdown`, quick);
  expect([(await ask("rows")).status, (await ask("other")).status]).toEqual([200, 404]);
});
