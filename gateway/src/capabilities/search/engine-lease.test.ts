import { defaultLimits } from "@fairway/contract/limits";
import { searchData } from "@fairway/contract/search";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { datasetService } from "#capabilities/datasets/service.ts";
import type { StreamedAnswer } from "#http/handlers.ts";
import { EngineFailed } from "#query/engine.ts";
import { type DatasetApp, addDataset, datasetApp } from "#testing/dataset-app.ts";
import { type SearchService, searchService } from "./service.ts";
import { someUser } from "#testing/some-user.ts";
import { testMasterKey } from "#testing/test-master-key.ts";

const user = someUser();
const at = { category: "Tests", datasetId: "rows" };
const { signal } = new AbortController();

let app: DatasetApp;
let search: SearchService;
let datasets: ReturnType<typeof datasetService>;
let leases = 0;
let failure: EngineFailed | undefined;
beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare("copy (select i as id from range(100_000) t(i)) to 'FOLDER/rows.parquet' (format parquet)");
  await addDataset(app);
  const lease = () => {
    if (failure !== undefined) return Promise.reject(failure);
    leases += 1;
    return Promise.resolve({ engine: app.bench.engine, release: () => void (leases -= 1) });
  };
  datasets = datasetService({ entities: app.entities, engines: { lease }, masterKey: testMasterKey, categories: [] });
  search = searchService({ datasets, limits: { ...defaultLimits, pagingMaxRows: 100_000 } });
});
afterAll(() => app.close());
beforeEach(() => (failure = undefined));

const expectAllReleased = () => expect.poll(() => leases).toBe(0);

async function textOf({ chunks }: StreamedAnswer): Promise<string> {
  let text = "";
  for await (const chunk of chunks) text += chunk.toString();
  return text;
}

it("keeps the engine leased until a search's rows have been read", async () => {
  const response = await search.run(user, at, searchData.parse({ paging: { offset: 0, max: 100_000 } }), "json", signal);
  await new Promise((resolve) => setImmediate(resolve));
  expect(leases).toBe(1);
  expect((JSON.parse(await textOf(response)) as { results: unknown[] }).results.length).toBeGreaterThan(10_000);
  await expectAllReleased();
});

it.each(["json", "arrow"] as const)("releases the engine when a search as %s is aborted", async (format) => {
  const disconnect = new AbortController();
  await search.run(user, at, searchData.parse({ paging: { offset: 0, max: 100_000 } }), format, disconnect.signal);
  expect(leases).toBe(1);
  disconnect.abort();
  await expectAllReleased();
});

it("releases the engine after aggregates, descriptions and refusals", async () => {
  await search.aggregate(user, at, { aggregationType: "count", column: "*" }, searchData.parse({}), signal);
  await datasets.describe(user, "Tests", "rows", signal);
  const unknown = searchData.parse({ filters: [{ name: "none", operator: "=", value: 1 }] });
  await expect(search.run(user, at, unknown, "json", signal)).rejects.toMatchObject({ code: "unknown-column" });
  await expectAllReleased();
});

it("fails calls on datasets whose engine cannot be opened, but still lists these datasets", async () => {
  failure = new EngineFailed("not-ready", "The engine 'files' cannot be opened now. Tell an administrator.");
  await expect(search.run(user, at, searchData.parse({}), "json", signal)).rejects.toBe(failure);
  await expect(datasets.describe(user, "Tests", "rows", signal)).rejects.toBe(failure);
  expect(await datasets.accessible(user)).toMatchObject([{ id: "Tests", datasets: [{ datasetId: "rows" }] }]);
  expect(await datasets.canRead(user, { datasetCategory: "Tests", datasetId: "rows" })).toBe(true);
});
