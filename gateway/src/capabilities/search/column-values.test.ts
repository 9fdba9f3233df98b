import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { ErrorBody } from "@fairway/contract/errors";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { EngineFailed } from "#query/engine.ts";
import { type DatasetApp, addDataset, buildFilter, buildFilterSupport, datasetApp, buildColumn } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("real", "decimal"),
  buildColumn("at", "TIMESTAMP_MILLS"),
];
const place = buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["real", "id"], joinedBy: ", " } });
const timed = buildFilterSupport({ supportsTimeRange: true });

beforeAll(async () => {
  // No test waits for this timeout: those of timeouts end them themselves.
  app = await datasetApp({ limits: { suggestionTimeoutMs: 600_000, suggestionRows: 4, engineSlots: 1 } });
  await app.bench.prepare(`copy (select i as id, if(i < 4, 'rare', 'common') as name, 1.5 as real, timestamp '2020-01-01' as at
    from range(9) t(i)) to 'FOLDER/late.parquet' (format parquet)`);
  await app.bench.prepare(`copy (select i as id, ['alpha', 'beta', 'gamma'][1 + i % 3] as name, i / 4 as real,
    timestamp '2020-01-01' + to_seconds(i) as at from range(9) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  const base = { category: "Tests", schema: { columns: [...columns, place] }, temporalField: "at", filterSupport: timed };
  await addDataset(app, { ...base, id: "open" });
  await addDataset(app, { ...base, id: "secret", roles: ["spy"] });
  const ownFilters = [buildFilter("name", { value: "beta", operator: "<>", preFilled: true })];
  await addDataset(app, { ...base, id: "narrowed", filterSupport: { ...timed, preFilledFilters: ownFilters } });
  const few = { ...timed, supportsAdvancedFiltering: false, staticFilters: [buildFilter("id", { type: "integer", required: true })] };
  await addDataset(app, { ...base, id: "few", filterSupport: few });
  const source = { kind: "files", glob: "late.parquet", format: "parquet" } as const;
  await addDataset(app, { ...base, id: "late", source, schema: { columns } });
});
afterAll(() => app.close());

const suggest = (dataset: string, column: string, body: unknown = { contains: "" }, roles: readonly string[] = []) =>
  app.call<Suggestions & ErrorBody>(roles, "POST", `/datasets/Tests/${dataset}/columns/${column}/suggest`, body);
const profile = (dataset: string, column: string, body: unknown = {}, roles: readonly string[] = []) =>
  app.call<ColumnProfile & ErrorBody>(roles, "POST", `/datasets/Tests/${dataset}/columns/${column}/profile`, body);
const valuesOf = async (...parameters: Parameters<typeof suggest>) => (await suggest(...parameters)).body.values.map(({ value }) => value);

describe("suggestions", () => {
  it("are restricted to the time range", async () => {
    const timeRange = { start: "2020-01-01T00:00:00Z", end: "2020-01-01T00:00:01Z" };
    await expect(valuesOf("open", "name")).resolves.toEqual(["alpha", "beta", "gamma"]);
    await expect(valuesOf("open", "name", { contains: "", timeRange })).resolves.toEqual(["alpha", "beta"]);
  });

  it("are those of the rows that the rest of the search keeps, with their exact counts", async () => {
    const filters = [
      { name: "id", operator: ">=", value: "3" },
      { name: "name", operator: "<>", value: "beta" },
    ];
    await expect(suggest("open", "name", { contains: "", filters })).resolves.toMatchObject({
      status: 200,
      body: {
        values: [
          { value: "alpha", rows: 2 },
          { value: "gamma", rows: 2 },
        ],
        complete: true,
      },
    });
    await expect(valuesOf("open", "name", { contains: "", filters: [{ name: "id", operator: ">", value: "99" }] })).resolves.toEqual([]);
    await expect(valuesOf("narrowed", "name", { contains: "", filters: filters.slice(0, 1) })).resolves.toEqual(["alpha", "gamma"]);
  });

  it("are found before a required filter has its value", async () => {
    await expect(suggest("few", "id", { contains: "" })).resolves.toMatchObject({ status: 200, body: { complete: true } });
  });

  it("contain nothing that the dataset's own filters exclude", async () => {
    await expect(valuesOf("narrowed", "name")).resolves.toEqual(["alpha", "gamma"]);
  });

  it("count every row that has the value, in the order of these counts", async () => {
    await expect(suggest("late", "name")).resolves.toMatchObject({
      status: 200,
      body: {
        values: [
          { value: "common", rows: 5 },
          { value: "rare", rows: 4 },
        ],
        complete: true,
      },
    });
  });

  it("are those of the first rows, marked as incomplete, if counting every row takes too long or too much memory", async () => {
    const ofFirstRows = { status: 200, body: { values: [{ value: "rare", rows: 4 }], complete: false } };
    const timeouts = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort());
    await expect(suggest("late", "name")).resolves.toMatchObject(ofFirstRows);
    timeouts.mockRestore();
    const counting = vi.spyOn(app.bench.engine, "suggest").mockRejectedValueOnce(new EngineFailed("out-of-memory", "Too many values."));
    await expect(suggest("late", "name")).resolves.toMatchObject(ofFirstRows);
    counting.mockRestore();
  });

  it("have no numbers but exact ones where they are asked for a whole search", async () => {
    const search = { filters: [{ name: "id", operator: "in", value: [0, 1, 2, 3, 4] }] };
    const counted = {
      values: [
        { value: "rare", rows: 4 },
        { value: "common", rows: 1 },
      ],
      complete: true,
    };
    await expect(suggest("late", "name", { contains: "", search })).resolves.toMatchObject({ status: 200, body: counted });
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort());
    onTestFinished(() => void vi.restoreAllMocks());
    const ofPart = { values: [], complete: false, sampled: ["rare"] };
    await expect(suggest("late", "name", { contains: "", search })).resolves.toMatchObject({ status: 200, body: ofPart });
    const { status } = await suggest("late", "name", { contains: "", search, timeRange: { start: "2020-01-01T00:00:00Z" } });
    expect(status).toBe(400);
  });

  it("are empty after both timeouts and with a busy engine", async () => {
    const nothing = { status: 200, body: { values: [], complete: false } };
    const timeouts = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(AbortSignal.abort()).mockReturnValueOnce(AbortSignal.abort());
    await expect(suggest("open", "name")).resolves.toMatchObject(nothing);
    timeouts.mockRestore();
    const busy = vi.spyOn(app.bench.engine, "suggest").mockRejectedValueOnce(new EngineFailed("busy", "Busy."));
    await expect(suggest("open", "name")).resolves.toMatchObject(nothing);
    expect(busy).toHaveBeenCalledTimes(1);
    busy.mockRestore();
    await expect(valuesOf("open", "name")).resolves.toEqual(["alpha", "beta", "gamma"]);
  });

  it.each([
    ["missing column", "open", "nobody", {}, 400, "no column 'nobody'"],
    ["combined column", "open", "place", {}, 400, "has no value of its own"],
    ["type without suggestions", "open", "real", {}, 400, "no values are suggested"],
    ["column without an offered filter", "few", "name", {}, 400, "cannot be filtered by 'name'"],
    ["reversed range", "open", "name", { timeRange: { start: "2021-01-01T00:00:00Z", end: "2020-01-01T00:00:00Z" } }, 400, "ends before"],
    ["text that is too long", "open", "name", { contains: "x".repeat(201) }, 400, "contains"],
    ["filter with an unknown operator", "open", "name", { filters: [{ name: "id", operator: "~", value: "1" }] }, 400, "no operator '~'"],
    [
      "area of a dataset without a location",
      "open",
      "name",
      { geospatial: { polygons: ["0 0, 1 0, 1 1, 0 0"], antimeridianPolygons: false } },
      400,
      "by area",
    ],
    ["dataset the user may not read", "secret", "name", {}, 404, "no such dataset"],
  ])("are refused for a %s", async (_what, dataset, column, overrides, status, message) => {
    const response = await suggest(dataset, column, { contains: "", ...overrides });
    expect([response.status, response.body.errors[0]?.message]).toEqual([status, expect.stringContaining(message)]);
  });
});

describe("a column's profile", () => {
  it("covers the rows of the search, restricted by the dataset's own filters", async () => {
    const filters = [{ name: "id", operator: "<", value: "6" }];
    await expect(profile("open", "name", { filters })).resolves.toMatchObject({
      status: 200,
      body: { rows: 6, empty: 0, distinct: 3, min: "alpha", max: "gamma", top: [{ value: "alpha", rows: 2 }, {}, {}] },
    });
    await expect(profile("narrowed", "name", { filters })).resolves.toMatchObject({ body: { rows: 4, distinct: 2 } });
  });

  it.each([
    ["missing column", "open", "nobody", {}, 400, "no column 'nobody'"],
    ["combined column", "open", "place", {}, 400, "has no value of its own"],
    ["search with an unknown operator", "open", "id", { filters: [{ name: "id", operator: "~", value: "1" }] }, 400, "no operator '~'"],
    ["search without its required filter", "few", "id", {}, 400, "id"],
    ["dataset the user may not read", "secret", "name", {}, 404, "no such dataset"],
  ])("is refused for a %s", async (_what, dataset, column, body, status, message) => {
    const response = await profile(dataset, column, body);
    expect([response.status, response.body.errors[0]?.message]).toEqual([status, expect.stringContaining(message)]);
  });
});
