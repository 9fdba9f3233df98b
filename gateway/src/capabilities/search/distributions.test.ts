import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import type { ErrorBody } from "@fairway/contract/errors";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type DatasetApp, addDataset, buildFilter, buildFilterSupport, datasetApp, buildColumn } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [buildColumn("id", "integer"), buildColumn("name", "STRING"), buildColumn("at", "TIMESTAMP_MILLS")];
const timed = buildFilterSupport({ supportsTimeRange: true });

beforeAll(async () => {
  app = await datasetApp({});
  await app.bench.prepare(`copy (select i as id, ['alpha', 'beta', 'gamma'][1 + i % 3] as name,
    timestamp '2020-01-01' + to_days(i::integer) as at from range(90) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  const base = { category: "Tests", schema: { columns }, temporalField: "at", filterSupport: timed };
  await addDataset(app, { ...base, id: "open" });
  await addDataset(app, { ...base, id: "timeless", temporalField: null, filterSupport: buildFilterSupport({}) });
  await app.bench.prepare(`copy (select i as id, 'alpha' as name, timestamp '2020-01-01' as at from range(600_000) t(i))
    to 'FOLDER/many.parquet' (format parquet)`);
  await addDataset(app, { ...base, id: "many", source: { kind: "files", glob: "many.parquet", format: "parquet" } });
  await addDataset(app, { ...base, id: "secret", roles: ["spy"] });
  const ownFilters = [buildFilter("name", { value: "beta", operator: "<>", preFilled: true })];
  await addDataset(app, { ...base, id: "narrowed", filterSupport: { ...timed, preFilledFilters: ownFilters } });
  await app.bench.prepare(`copy (select i as id, if(i = 0, 'beta', 'alpha') as name, timestamp '2020-01-01' + to_days(7 * i::integer) as at
    from range(9) t(i)) to 'FOLDER/weekly.parquet' (format parquet)`);
  const weekly = { kind: "files", glob: "weekly.parquet", format: "parquet" } as const;
  await addDataset(app, { ...base, id: "weekly", source: weekly, filterSupport: { ...timed, preFilledFilters: ownFilters } });
  const few = { ...timed, supportsAdvancedFiltering: false, staticFilters: [buildFilter("id", { type: "integer", required: true })] };
  await addDataset(app, { ...base, id: "few", filterSupport: few });
});
afterAll(() => app.close());

const overTime = (dataset: string, body: unknown = {}, roles: readonly string[] = []) =>
  app.call<TimeDistribution & ErrorBody>(roles, "POST", `/datasets/Tests/${dataset}/distribution/time`, body);
const rowsOf = async (...parameters: Parameters<typeof overTime>) =>
  (await overTime(...parameters)).body.buckets.reduce((sum, { rows }) => sum + rows, 0);

describe("a distribution over time", () => {
  it("covers the rows of the search, restricted by the dataset's own filters", async () => {
    const timeRange = { start: "2020-01-01T00:00:00Z", end: "2020-01-06T23:59:59Z" };
    await expect(overTime("open", { timeRange })).resolves.toMatchObject({
      status: 200,
      body: { unit: "day", size: 1, buckets: Array.from({ length: 6 }, () => ({ rows: 1 })) },
    });
    // The rest of a range that is open.
    const [first, second] = await Promise.all(
      [{ end: timeRange.end }, { start: "2020-01-07T00:00:00Z" }].map((open) => rowsOf("open", { timeRange: open })),
    );
    expect([first, second]).toEqual([6, 84]);
    await expect(rowsOf("open", { filters: [{ name: "name", operator: "=", value: "beta" }] })).resolves.toBe(30);
    await expect(rowsOf("narrowed")).resolves.toBe(60);
    await expect(rowsOf("secret", {}, ["spy"])).resolves.toBe(90);
  });

  describe("by day", () => {
    const january = { byDay: true, timeRange: { start: "2019-12-26T00:00:00Z", end: "2020-02-05T23:59:59.999Z" } };

    it("has the days with rows and those between, restricted by the dataset's own filters", async () => {
      const { status, body } = await overTime("weekly", january);
      expect([status, body.unit, body.size]).toEqual([200, "day", 1]);
      expect(body.buckets.map(({ rows }) => rows).join("")).toBe("1000000".repeat(4) + "1");
      expect(body.buckets[0]?.startMs).toBe(Date.parse("2020-01-08T00:00:00Z"));
    });

    it("takes 120 days at most, and a range with both ends", async () => {
      const until = (end: string) => overTime("weekly", { byDay: true, timeRange: { start: "2020-01-01T12:00:00Z", end } });
      await expect(until("2020-04-29T23:59:59Z")).resolves.toMatchObject({ status: 200 });
      const refused = {
        status: 400,
        body: { errors: [{ message: expect.stringContaining("both ends, over at most 120 days") as string, path: "timeRange" }] },
      };
      await expect(until("2020-04-30T00:00:00Z")).resolves.toMatchObject(refused);
      await expect(overTime("weekly", { byDay: true })).resolves.toMatchObject(refused);
      await expect(overTime("weekly", { byDay: true, timeRange: { start: "2020-01-01T00:00:00Z" } })).resolves.toMatchObject(refused);
      await expect(overTime("weekly", { byDay: true, timeRange: { end: "2020-01-01T00:00:00Z" } })).resolves.toMatchObject(refused);
    });

    it("ends with an error where it takes too long", async () => {
      const timeouts = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort());
      await expect(overTime("weekly", january)).resolves.toMatchObject({ status: 504, body: { errors: [{ code: "timed-out" }] } });
      timeouts.mockRestore();
      await expect(overTime("weekly", january)).resolves.toMatchObject({ status: 200 });
    });
  });

  it.each([
    ["dataset without a temporal field", "timeless", {}, 400, "cannot be counted over time"],
    ["search with an unknown operator", "open", { filters: [{ name: "id", operator: "~", value: "1" }] }, 400, "no operator '~'"],
    ["search without its required filter", "few", {}, 400, "id"],
    ["dataset the user may not read", "secret", {}, 404, "no such dataset"],
  ])("is refused for a %s", async (_what, dataset, body, status, message) => {
    const response = await overTime(dataset, body);
    expect([response.status, response.body.errors[0]?.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

const ofColumns = (dataset: string, body: unknown, roles: readonly string[] = []) =>
  app.call<ColumnDistributions & ErrorBody>(roles, "POST", `/datasets/Tests/${dataset}/distribution/columns`, body);

describe("distributions of columns", () => {
  it("cover the rows of the search in one call, in the dataset's order, restricted by the dataset's own filters", async () => {
    const timeRange = { start: "2020-01-01T00:00:00Z", end: "2020-01-10T00:00:00Z" };
    const { status, body } = await ofColumns("open", { columns: ["at", "name", "id", "id"], timeRange });
    expect([status, body.rows, body.countedRows, body.columns.map(({ name }) => name)]).toEqual([200, 10, 10, ["id", "name", "at"]]);
    const [id, name, at] = body.columns;
    expect(id).toMatchObject({ min: 0, max: 9, distinct: 10, empty: 0, isApproximate: false });
    expect(id?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(10);
    expect(name?.top).toEqual([
      { value: "alpha", rows: 4 },
      { value: "beta", rows: 3 },
      { value: "gamma", rows: 3 },
    ]);
    expect(at).toMatchObject({ min: Date.parse(timeRange.start), max: Date.parse(timeRange.end) });
    await expect(ofColumns("narrowed", { columns: ["name"] })).resolves.toMatchObject({ body: { rows: 60, columns: [{ distinct: 2 }] } });
  });

  it("count a sample of very many rows", async () => {
    const { body } = await ofColumns("many", { columns: ["id"] });
    expect([body.rows, body.countedRows, body.columns[0]?.isApproximate]).toEqual([600_000, 500_000, true]);
    expect(body.columns[0]).toMatchObject({ min: 0, max: 599_999 });
    expect(body.columns[0]?.histogram.reduce((sum, { rows }) => sum + rows, 0)).toBe(500_000);
  });

  it.each([
    ["missing column", "open", { columns: ["nobody"] }, 400, "no column 'nobody'"],
    ["call without columns", "open", { columns: [] }, 400, "columns"],
    [
      "search with an unknown operator",
      "open",
      { columns: ["id"], filters: [{ name: "id", operator: "~", value: "1" }] },
      400,
      "no operator '~'",
    ],
    ["search without its required filter", "few", { columns: ["id"] }, 400, "id"],
    ["dataset the user may not read", "secret", { columns: ["id"] }, 404, "no such dataset"],
  ])("are refused for a %s", async (_what, dataset, body, status, message) => {
    const response = await ofColumns(dataset, body);
    expect([response.status, response.body.errors[0]?.message]).toEqual([status, expect.stringContaining(message)]);
  });
});
