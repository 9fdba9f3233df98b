import { link } from "node:fs/promises";
import type { AggregateBatchAnswer, AggregateBatchDraft } from "@fairway/contract/graphs";
import type { FieldFilter } from "@fairway/contract/datasets";
import type { ErrorBody } from "@fairway/contract/errors";
import type { CellValue } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildFilterSupport, datasetApp, buildColumn, buildFilter } from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [
  buildColumn("n", "integer"),
  buildColumn("big", "integer"),
  buildColumn("real", "decimal"),
  buildColumn("name", "STRING"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["real", "n"], joinedBy: ", " } }),
];
const filter = (name: string, value: string | number, type: FieldFilter["type"]) =>
  buildFilter(name, { type, value, operator: ">=", preFilled: true });
const base = { category: "Tests", schema: { columns }, temporalField: "at" } as const;
const timed = buildFilterSupport({ supportsTimeRange: true });

beforeAll(async () => {
  app = await datasetApp({ limits: { filtersPerSearch: 4, graphBatchValues: 60, graphBatchComparisons: 150 } });
  // One row every six minutes over two days around 1970.
  await app.bench.prepare(`copy (
    select i as n, 9007199254740991 + i as big, case when i % 10 = 3 then 'nan'::double when i % 10 = 4 then 'infinity'::double else i / 4 end as real,
      'name ' || (i % 3) as name, make_timestamp_ms(i * 360000 - 86400000) as at
    from range(480) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, { ...base, id: "open", filterSupport: timed });
  await addDataset(app, { ...base, id: "secret", roles: ["insider"], filterSupport: timed });
  await addDataset(app, { ...base, id: "uncounted", features: [], filterSupport: timed });
  await addDataset(app, { ...base, id: "timeless" });
  await app.bench.prepare(`copy (select i % 1000 as n, i as big, i / 4 as real, 'name' as name, make_timestamp_ms(i) as at
    from range(1_000_000) t(i)) to 'FOLDER/many-0.parquet' (format parquet)`);
  for (let part = 1; part < 40; part += 1) await link(`${app.bench.folder}/many-0.parquet`, `${app.bench.folder}/many-${part}.parquet`);
  await addDataset(app, {
    ...base,
    id: "many",
    source: { kind: "files", glob: "many-*.parquet", format: "parquet" },
    filterSupport: timed,
  });
  await addDataset(app, {
    ...base,
    id: "later",
    filterSupport: buildFilterSupport({ supportsTimeRange: true, preFilledFilters: [filter("n", 240, "integer")] }),
  });
  await addDataset(app, {
    ...base,
    id: "either",
    filterSupport: buildFilterSupport({ supportsTimeRange: true, requiredOrFields: ["name"] }),
  });
});
afterAll(() => app.close());

const post = <Body>(id: string, body: unknown, roles: readonly string[] | "nobody" = []) =>
  app.call<Body>(roles, "POST", `/datasets/Tests/${id}/aggregate`, body);
const values = async (body: AggregateBatchDraft, id = "open"): Promise<CellValue[][]> => {
  const response = await post<AggregateBatchAnswer>(id, body);
  expect([response.status, response.body]).toEqual([200, expect.anything()]);
  return response.body.groups.map((group) => group.values);
};
const single = async (search: object, aggregation: string, columnName: string): Promise<CellValue> => {
  const { status, body } = await app.call<Record<string, CellValue>>(
    [],
    "POST",
    `/datasets/Tests/open/aggregate/${aggregation}/${columnName}`,
    search,
  );
  expect(status).toBe(200);
  return Object.values(body)[0] ?? null;
};

const hour = (index: number) => ({
  start: new Date(index * 3_600_000).toISOString(),
  end: new Date((index + 1) * 3_600_000 - 1).toISOString(),
});
const aggregations = [
  { aggregation: "count", column: "*" },
  { aggregation: "sum", column: "big" },
  { aggregation: "avg", column: "real" },
  { aggregation: "max", column: "at" },
];
const count = [{ aggregation: "count", column: "*" }];

describe("graphs in one call", () => {
  it("[GRAPH-31] return the same values for hours as single calls, in the requested order", async () => {
    const hours = [-25, -24, -23, -1, 0, 1, 23, 24];
    const search = { filters: [{ name: "name", operator: "<>", value: "name 1" }] };
    const groups = hours.map((index) => ({ id: `h${index}`, timeRange: hour(index) }));
    const { body } = await post<AggregateBatchAnswer>("open", { search, groups, aggregations });
    expect(body.groups.map(({ id }) => id)).toEqual(groups.map(({ id }) => id));
    for (const [index, group] of groups.entries()) {
      const expected: CellValue[] = [];
      for (const one of aggregations) expected.push(await single({ ...search, timeRange: group.timeRange }, one.aggregation, one.column));
      expect([group.id, body.groups[index]?.values]).toEqual([group.id, expected]);
    }
    expect(body.groups[0]?.values).toEqual([0, null, null, null]);
    expect(body.groups[1]?.values[1]).toBe(String([0, 2, 3, 5, 6, 8, 9].reduce((sum, n) => sum + 9007199254740991n + BigInt(n), 0n)));
  });

  it("[GRAPH-31] return the same values for custom groups as single calls with their filters added", async () => {
    const search = {
      filters: [{ name: "n", operator: ">", value: 5 }],
      timeRange: { start: "1969-12-31T12:00:00Z", end: "1970-01-01T06:00:00Z" },
    };
    const parts = [[{ name: "name", operator: "=", value: "name 2" }], [{ name: "n", operator: "<", value: 0 }], []];
    const responses = await values({ search, groups: parts.map((filters, index) => ({ id: String(index), filters })), aggregations });
    for (const [index, filters] of parts.entries()) {
      const expected: CellValue[] = [];
      for (const one of aggregations)
        expected.push(await single({ ...search, filters: [...search.filters, ...filters] }, one.aggregation, one.column));
      expect(responses[index]).toEqual(expected);
    }
    expect(responses[1]).toEqual([0, null, null, null]);
  });

  it("[SEARCH-58] apply the dataset's own filters to every group", async () => {
    const groups = [
      { id: "before", timeRange: hour(-1) },
      { id: "after", timeRange: hour(0) },
    ];
    expect(await values({ search: {}, groups, aggregations: count }, "later")).toEqual([[0], [10]]);
    expect(await values({ search: {}, groups: [{ id: "all", filters: [] }], aggregations: count }, "later")).toEqual([[240]]);
  });

  it("ignore paging and sort order of the search", async () => {
    const search = { paging: { offset: 7, max: 1 }, sort: [{ column: "n", direction: "asc" as const }] };
    expect(await values({ search, groups: [{ id: "all" }], aggregations: count })).toEqual([[480]]);
  });
});

const groups = [{ id: "a" }];

describe("graphs in one call refuse, naming the path,", () => {
  it.each<[string, string, object, string, string]>([
    [
      "too many groups",
      "open",
      { groups: Array.from({ length: 10_001 }, (_, id) => ({ id: String(id) })), aggregations: count },
      "invalid-request",
      "groups",
    ],
    [
      "an unknown aggregation",
      "open",
      { groups, aggregations: [...count, { aggregation: "median", column: "n" }] },
      "unknown-aggregation",
      "aggregations.1.aggregation",
    ],
    [
      "an unknown column",
      "open",
      { groups, aggregations: [{ aggregation: "avg", column: 'x"; drop' }] },
      "unknown-column",
      "aggregations.0.column",
    ],
    [
      "a column of an unsupported type",
      "open",
      { groups, aggregations: [{ aggregation: "sum", column: "at" }] },
      "not-supported",
      "aggregations.0.column",
    ],
    [
      "a combined column",
      "open",
      { groups, aggregations: [{ aggregation: "count", column: "place" }] },
      "not-supported",
      "aggregations.0.column",
    ],
    ["a count if the dataset does not support counting", "uncounted", { groups, aggregations: count }, "not-supported", "aggregations.0"],
    ["no group", "open", { groups: [], aggregations: count }, "invalid-request", "groups"],
    ["no aggregation", "open", { groups, aggregations: [] }, "invalid-request", "aggregations"],
    ["two groups with the same id", "open", { groups: [...groups, ...groups], aggregations: count }, "invalid-request", "groups.1.id"],
    [
      "too many values",
      "open",
      { groups: Array.from({ length: 61 }, (_, id) => ({ id: String(id) })), aggregations: count },
      "invalid-request",
      "groups",
    ],
    [
      "an invalid filter of the search",
      "open",
      { search: { filters: [{ name: "none", operator: "=", value: 1 }] }, groups, aggregations: count },
      "unknown-column",
      "search.filters.0.name",
    ],
    ["columns", "open", { search: { columns: ["n"] }, groups, aggregations: count }, "not-supported", "search.columns"],
    [
      "an invalid filter of a group",
      "open",
      { groups: [...groups, { id: "b", filters: [{ name: "n", operator: "=", value: "x" }] }], aggregations: count },
      "invalid-value",
      "groups.1.filters.0.value",
    ],
    [
      "a reversed range",
      "open",
      { groups: [{ id: "b", timeRange: { start: hour(1).end, end: hour(1).start } }], aggregations: count },
      "reversed-range",
      "groups.0.timeRange",
    ],
    [
      "a time range if the dataset has no time column",
      "timeless",
      { groups: [{ id: "b", timeRange: hour(1) }], aggregations: count },
      "not-supported",
      "groups.0.timeRange",
    ],
    [
      "too many filters in total",
      "open",
      {
        search: { filters: Array.from({ length: 3 }, () => ({ name: "n", operator: ">", value: 1 })) },
        groups: [{ id: "b", filters: Array.from({ length: 2 }, () => ({ name: "n", operator: ">", value: 1 })) }],
        aggregations: count,
      },
      "invalid-request",
      "groups.0.filters",
    ],
    [
      "a group without a required filter",
      "either",
      { groups: [{ id: "a", timeRange: hour(0) }, { id: "b" }], aggregations: count },
      "missing-filter",
      "groups.1.filters",
    ],
  ])("%s", async (_, id, body, code, path) => {
    const { status, body: response } = await post<ErrorBody>(id, { search: {}, ...body });
    expect([status, response.errors[0]?.code, response.errors[0]?.path]).toEqual([400, code, path]);
  });

  it("several problems at once, at most ten", async () => {
    const invalid = Array.from({ length: 30 }, (_, id) => ({ id: String(id), filters: [{ name: "none", operator: "?", value: 1 }] }));
    const { body } = await post<ErrorBody>("open", { search: {}, groups: invalid, aggregations: count });
    expect(body.errors.map(({ path }) => path).slice(0, 3)).toEqual([
      "groups.0.filters.0.name",
      "groups.0.filters.0.operator",
      "groups.1.filters.0.name",
    ]);
    expect(body.errors).toHaveLength(10);
  });
});

it("refuses too many comparisons per row before it starts, even for few values", async () => {
  const filters = Array.from({ length: 4 }, () => ({ name: "n", operator: ">", value: 0 }));
  const groups = Array.from({ length: 10 }, (_, id) => ({ id: String(id), filters }));
  const aggregations = ["min", "max", "sum", "count"].map((aggregation) => ({ aggregation, column: "n" }));
  const response = await post<ErrorBody>("open", { search: {}, groups, aggregations });
  expect([response.status, response.body.errors[0]]).toEqual([
    413,
    {
      code: "too-large",
      message: "These groups take 160 comparisons for every row; one call may take 150. Ask for fewer groups, filters or aggregations.",
    },
  ]);
});

it("stops the query when the client disconnects", async () => {
  const disconnect = new AbortController();
  const parts = Array.from({ length: 60 }, (_, id) => ({ id: String(id), filters: [{ name: "n", operator: ">", value: id }] }));
  const address = await app.app.listen({ port: 0, host: "127.0.0.1" });
  const request = fetch(`${address}/datasets/Tests/many/aggregate`, {
    method: "POST",
    headers: { authorization: `Bearer ${Buffer.from("[]").toString("base64url")}`, "content-type": "application/json" },
    body: JSON.stringify({ search: {}, groups: parts, aggregations: [{ aggregation: "avg", column: "real" }] }),
    signal: disconnect.signal,
  });
  await expect.poll(() => app.bench.engine.metrics.running).toBe(1);
  disconnect.abort();
  await expect(request).rejects.toThrow("aborted");
  await expect.poll(() => app.bench.engine.metrics.running).toBe(0);
});

describe("graphs in one call", () => {
  it("are available only to holders of a role of the dataset", async () => {
    const body = { search: {}, groups, aggregations: count };
    expect((await post("secret", body, ["insider"])).status).toBe(200);
    expect((await post("secret", body, ["admin"])).status).toBe(404);
    expect((await post("secret", body, "nobody")).status).toBe(401);
  });
});
