import type { DatasetDescription, DatasetSchema } from "@fairway/contract/datasets";
import type { ErrorBody } from "@fairway/contract/errors";
import type { SearchAnswer, SearchDataDraft } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownRows, tableOf, typesOf } from "#testing/arrow-table.ts";
import {
  type DatasetResponse,
  type DatasetApp,
  addDataset,
  buildFilter,
  buildFilterSupport,
  datasetApp,
  buildColumn,
} from "#testing/dataset-app.ts";

let app: DatasetApp;
const columns = [
  buildColumn("id", "integer"),
  buildColumn("name", "STRING"),
  buildColumn("flag", "BOOLEAN"),
  buildColumn("big", "integer"),
  buildColumn("real", "decimal"),
  buildColumn("at", "TIMESTAMP_MILLS"),
  buildColumn("second", "TIMESTAMP_SECONDS"),
  buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["real", "id"], joinedBy: ", " } }),
];
const base = { category: "Tests", schema: { columns }, temporalField: "at" } as const;
const timed = buildFilterSupport({ supportsTimeRange: true });

beforeAll(async () => {
  app = await datasetApp({ limits: { unpagedMaxRows: 7, pagingMaxRows: 5, filtersPerSearch: 4, sampleRows: 3, polygonVertices: 8 } });
  // Ids 0 to 9; every third row is empty except for its id and time.
  await app.bench.prepare(`copy (
    select i as id, case when i % 3 < 2 then ['a', 'B', 'é', '😀', ''][1 + i % 5] end as name, case when i % 3 < 2 then i % 2 = 0 end as flag,
      case when i % 3 < 2 then 9007199254740991 + i end as big, case when i % 3 < 2 then i / 4 end as real,
      timestamp '2020-01-01 00:00:00.250' + to_seconds(i) as at, timestamp '2020-01-01 00:00:00.250' + to_seconds(i) as second
    from range(10) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, { ...base, id: "open", filterSupport: timed });
  await addDataset(app, { ...base, id: "plain", features: [] });
  await addDataset(app, {
    ...base,
    id: "placed",
    locationField: "place",
    filterSupport: buildFilterSupport({ supportsGeospatial: true, requiredOrFields: ["name"] }),
  });
  await addDataset(app, {
    ...base,
    id: "offered",
    filterSupport: buildFilterSupport({
      supportsAdvancedFiltering: false,
      staticFilters: [buildFilter("name", { required: true, display: "The name" })],
      additionalFilters: [buildFilter("id", { type: "number" })],
      preFilledFilters: [buildFilter("flag", { type: "BOOLEAN", value: true, preFilled: true })],
    }),
  });
  await addDataset(app, {
    ...base,
    id: "either",
    filterSupport: buildFilterSupport({ supportsTimeRange: true, requiredOrFields: ["name", "id"] }),
  });
});
afterAll(() => app.close());

const post = <Body>(id: string, body: unknown, rest = "search"): Promise<DatasetResponse<Body>> =>
  app.call<Body>([], "POST", `/datasets/Tests/${id}/${rest}`, body);
const ids = async (data: SearchDataDraft, id = "open") => {
  const { status, body } = await post<SearchAnswer>(id, data);
  expect([status, body]).toEqual([200, expect.anything()]);
  return body.results.map((row) => row["id"]);
};
const paging = { offset: 0, max: 5 };

describe("a search", () => {
  it("[SEARCH-50] [SEARCH-55] returns a page of rows in the dataset's order", async () => {
    expect(await ids({ paging: { offset: 0, max: 3 } })).toEqual([9, 8, 7]);
    expect(await ids({ paging: { offset: 8, max: 3 } })).toEqual([1, 0]);
    expect(await ids({ paging: { offset: Number.MAX_SAFE_INTEGER, max: 1 } })).toEqual([]);
  });

  it("returns plain columns only, times as numbers in their unit, integers beyond 2^53 as strings", async () => {
    const { text } = await post("open", { filters: [{ name: "id", operator: "=", value: 9 }] });
    expect(text).toBe(
      '{"results":[{"id":9,"name":"","flag":false,"big":"9007199254741000","real":2.25,"at":1577836809250,"second":1577836809}]}',
    );
  });

  it("returns at most the operator's limit of rows without paging, with truncated set if there are more", async () => {
    const plain = await post<SearchAnswer>("plain", {});
    expect([plain.body.results.length, plain.body.truncated]).toEqual([7, true]);
    const few = await post<SearchAnswer>("plain", { filters: [{ name: "id", operator: "<", value: 7 }] });
    expect([few.body.results.length, few.body.truncated]).toEqual([7, undefined]);
    const unpaged = await post<SearchAnswer>("open", {});
    expect([unpaged.body.results.length, unpaged.body.truncated]).toEqual([5, true]);
  });

  describe("as Arrow", () => {
    const arrow = "application/vnd.apache.arrow.stream";
    const accepting = (accept: string, id = "open", body: unknown = { paging }) =>
      app.call([], "POST", `/datasets/Tests/${id}/search`, body, accept);

    it("returns the same page with the types of the source, if the caller prefers it", async () => {
      const { status, contentType, bytes } = await accepting(arrow);
      expect([status, contentType]).toEqual([200, arrow]);
      const { body } = await post<SearchAnswer>("open", { paging });
      const seconds = body.results.map((row) => Object.assign(row, { second: Number(row["second"]) * 1_000 + 250 }));
      expect(shownRows(bytes)).toEqual(seconds);
      expect(typesOf(bytes)).toEqual({
        id: "Int64",
        name: "Utf8",
        flag: "Bool",
        big: "Int64",
        real: "Float64",
        at: "Timestamp<MICROSECOND, UTC>",
        second: "Timestamp<MICROSECOND, UTC>",
      });
    });

    it.each([
      ["*/*", "application/json"],
      [`application/json, ${arrow}`, "application/json"],
      [`${arrow}, application/json;q=0.9, */*;q=0.1`, arrow],
      [`${arrow};q=0.5, application/json`, "application/json"],
      ["text/csv", "application/json"],
      [`${arrow};q=`.repeat(500), "application/json"],
    ])("answers callers that accept %s with %s", async (accept, type) => {
      const { contentType } = await accepting(accept);
      expect(contentType.split(";")[0]).toBe(type);
    });

    it("says whether more rows match, and refuses in JSON", async () => {
      const metadataOf = async (data: unknown) => [
        ...(tableOf((await accepting(arrow, "plain", data)).bytes).batches.at(-1)?.metadata ?? []),
      ];
      expect(await metadataOf({})).toEqual([["hasMore", "true"]]);
      expect(await metadataOf({ filters: [{ name: "id", operator: "<", value: 7 }] })).toEqual([]);
      const refused = await accepting(arrow, "open", { filters: [{ name: "none", operator: "=", value: 1 }] });
      expect([refused.status, refused.body.errors[0]?.code]).toEqual([400, "unknown-column"]);
      const gone = await accepting(arrow, "nowhere");
      expect([gone.status, gone.body.errors[0]?.code]).toEqual([404, "not-found"]);
    });
  });

  it("returns no rows when nothing matches", async () => {
    expect((await post("open", { filters: [{ name: "name", operator: "=", value: "nobody" }] })).text).toBe('{"results":[]}');
  });

  it("sorts as requested, with empty values last and ties in the dataset's order", async () => {
    const sort = [{ column: "name", direction: "desc" }] as const;
    expect(await ids({ sort: [...sort], filters: [{ name: "id", operator: "<", value: 5 }] })).toEqual([3, 0, 1, 4, 2]);
  });

  it("[SEARCH-45] has a sample of the first stored rows, in the format of a search", async () => {
    const { body } = await app.call<SearchAnswer>([], "GET", "/datasets/Tests/open/sample");
    expect(body.results.map((row) => row["id"])).toEqual([0, 1, 2]);
    expect(Object.keys(body)).toEqual(["results"]);
  });
});

describe("filters", () => {
  const sorted = [{ column: "id", direction: "asc" }] as const;
  const found = (name: string, operator: string, value: string | number | boolean) =>
    ids({ filters: [{ name, operator, value }], sort: [...sorted] }, "plain");

  it.each([
    ["name", "=", "B", [1, 6]],
    ["name", "=", "b", []],
    // The first seven of eight, which is the limit without paging.
    ["name", "<>", "B", [0, 2, 3, 4, 5, 7, 8]],
    ["name", ">", "a", [3, 7]],
    // By code point; by UTF-16 code units the emoji would sort first.
    ["name", ">", "\uff5e", [3]],
    ["name", ">=", "a", [0, 3, 7]],
    ["name", "<", "a", [1, 4, 6, 9]],
    ["name", "<=", "a", [0, 1, 4, 6, 9]],
    ["flag", "=", true, [0, 4, 6]],
    ["flag", "=", "false", [1, 3, 7, 9]],
    ["flag", "<>", true, [1, 2, 3, 5, 7, 8, 9]],
    ["big", "=", "9007199254740994", [3]],
    ["big", "<>", "9007199254740994", [0, 1, 2, 4, 5, 6, 7]],
    ["big", ">", "9007199254740994", [4, 6, 7, 9]],
    ["big", ">=", "9007199254740994", [3, 4, 6, 7, 9]],
    ["big", "<", "9007199254740994", [0, 1]],
    ["big", "<=", 9007199254740991, [0]],
    ["real", "=", 0.75, [3]],
    ["real", "=", "1", [4]],
    ["real", "<>", 1, [0, 1, 2, 3, 5, 6, 7]],
    ["real", "<", 1, [0, 1, 3]],
    ["real", "<=", 1, [0, 1, 3, 4]],
    ["real", ">", 1, [6, 7, 9]],
    ["real", ">=", 1, [4, 6, 7, 9]],
    ["at", "=", 1577836804250, [4]],
    ["at", "=", "2020-01-01T00:00:04.250Z", [4]],
    ["at", "=", "2020-01-01T00:00:04Z", []],
    ["at", "<>", 1577836804250, [0, 1, 2, 3, 5, 6, 7]],
    ["at", "<", 1577836804250, [0, 1, 2, 3]],
    ["at", "<=", 1577836804250, [0, 1, 2, 3, 4]],
    ["at", ">", 1577836804250, [5, 6, 7, 8, 9]],
    ["at", ">=", 1577836804250, [4, 5, 6, 7, 8, 9]],
    // The value is returned as 1577836804 but stored as …04.250; filters compare the returned value.
    ["second", "=", 1577836804, [4]],
    ["second", "=", "2020-01-01T00:00:04Z", [4]],
    ["second", "=", "2020-01-01T00:00:04.250Z", []],
    ["second", "<>", "1577836804", [0, 1, 2, 3, 5, 6, 7]],
    ["second", "<", 1577836804, [0, 1, 2, 3]],
    ["second", "<=", 1577836804, [0, 1, 2, 3, 4]],
    ["second", ">", 1577836804, [5, 6, 7, 8, 9]],
    ["second", ">=", 1577836804, [4, 5, 6, 7, 8, 9]],
    ["second", ">=", "2020-01-01T00:00:04.100Z", [5, 6, 7, 8, 9]],
  ] as const)("[SEARCH-17] [SEARCH-60] %s %s %j finds %j", async (name, operator, value, expected) => {
    expect(await found(name, operator, value)).toEqual(expected);
  });

  it("[SEARCH-60] compare all digits of a decimal that is sent as a string", async () => {
    await app.bench
      .prepare(`copy (select i as id, (0.12345678901234567890::decimal(38, 20) + i * 0.00000000000000000001::decimal(38, 20)) as wide
      from range(3) t(i)) to 'FOLDER/wide.parquet' (format parquet)`);
    await addDataset(app, {
      ...base,
      id: "wide",
      temporalField: null,
      schema: { columns: [buildColumn("id", "integer"), buildColumn("wide", "decimal")] },
      source: { kind: "files", glob: "wide.parquet", format: "parquet" },
    });
    const wide = (operator: string) => ids({ filters: [{ name: "wide", operator, value: "0.12345678901234567891" }] }, "wide");
    expect([await wide("="), await wide(">"), await wide("<=")]).toEqual([[1], [2], [0, 1]]);
  });

  it("[SEARCH-60] are combined with AND, also several on one column, and with the time range", async () => {
    const filters = [
      { name: "id", operator: ">", value: 2 },
      { name: "id", operator: "<", value: 8 },
      { name: "flag", operator: "=", value: true },
    ];
    expect(await ids({ filters })).toEqual([6, 4]);
    expect(await ids({ filters, timeRange: { start: "2020-01-01T00:00:05Z", end: "2020-01-01T00:00:09Z" } })).toEqual([6]);
  });

  it("on null ask for rows without a value, or with one, and satisfy no required filter", async () => {
    const on = (name: string, operator: string) => ids({ filters: [{ name, operator, value: null }] });
    for (const name of ["name", "flag", "real", "big"]) expect([name, await on(name, "=")]).toEqual([name, [8, 5, 2]]);
    expect([await on("name", "<>"), await on("at", "=")]).toEqual([[9, 7, 6, 4, 3], []]);
    const { status, body } = await post<ErrorBody>("either", { filters: [{ name: "name", operator: "=", value: null }] });
    expect([status, body.errors[0]?.code]).toEqual([400, "missing-filter"]);
  });

  it("[SEARCH-56] include both ends of a time range", async () => {
    expect(await ids({ timeRange: { start: "2020-01-01T00:00:02.250Z", end: "2020-01-01T00:00:04.250Z" } })).toEqual([4, 3, 2]);
    expect(await ids({ timeRange: { start: "2020-01-01T00:00:02.251Z", end: "2020-01-01T00:00:04.249Z" } })).toEqual([3]);
    expect(await ids({ timeRange: { start: "2020-01-01T00:00:03.250Z", end: "2020-01-01T00:00:03.250Z" } })).toEqual([3]);
  });

  it("leave a time range open where it has no start or no end", async () => {
    expect(await ids({ timeRange: { start: "2020-01-01T00:00:08.250Z" } })).toEqual([9, 8]);
    expect(await ids({ timeRange: { end: "2020-01-01T00:00:01.250Z" } })).toEqual([1, 0]);
    expect((await post("either", { timeRange: { end: "2020-01-01T00:00:01.250Z" } })).status).toBe(200);
  });

  it.each(["'; drop table x; --", "' or '1'='1", "\\", "\0", "%", "$1", "x".repeat(100_000)])(
    "never interpret a value as SQL: %j",
    async (value) => {
      expect(await ids({ filters: [{ name: "name", operator: "=", value }] })).toEqual([]);
      expect(await ids({ paging: { offset: 0, max: 5 }, filters: [{ name: "name", operator: "<>", value }] })).toHaveLength(5);
    },
  );

  it("[SEARCH-58] include pre-filled filters, applied by the server to samples, searches and counts", async () => {
    const named = { filters: [{ name: "name", operator: "<>", value: "-" }] };
    expect(await ids(named, "offered")).toEqual([6, 4, 0]);
    expect((await post("offered", named, "aggregate/count/*")).body).toEqual({ totalResults: 3 });
    const { body } = await app.call<SearchAnswer>([], "GET", "/datasets/Tests/offered/sample");
    expect(body.results.map((row) => row["id"])).toEqual([0, 4, 6]);
  });
});

describe("aggregates", () => {
  const value = async (path: string, data: SearchDataDraft = {}) => (await post("open", data, `aggregate/${path}`)).body;

  it("[RESULT-15] return the total of the search as count over *, regardless of paging", async () => {
    expect(await value("count/*")).toEqual({ totalResults: 10 });
    expect(await value("count/%2A", { filters: [{ name: "id", operator: ">", value: 6 }], paging: { offset: 2, max: 1 } })).toEqual({
      totalResults: 3,
    });
  });

  it("count the rows of a form's filters, as null where the dataset does not count", async () => {
    const filters = [{ name: "id", operator: ">", value: 6 }];
    expect((await post("open", { filters }, "rowCount")).body).toEqual({ rows: 3 });
    expect((await post("plain", {}, "rowCount")).body).toEqual({ rows: null });
    expect((await post<ErrorBody>("open", { filters: [{ name: "none", operator: "=", value: 1 }] }, "rowCount")).body.errors[0]?.code).toBe(
      "unknown-column",
    );
  });

  it("return one key named after the aggregation", async () => {
    expect(await value("count/name")).toEqual({ "count(name)": 7 });
    expect(await value("avg/real")).toEqual({ "avg(real)": 30 / 7 / 4 });
    expect(await value("sum/id")).toEqual({ "sum(id)": 45 });
    expect(await value("sum/big")).toEqual({ "sum(big)": String(9007199254740991n * 7n + 30n) });
    expect(await value("max/big")).toEqual({ "max(big)": "9007199254741000" });
    expect(await value("min/at")).toEqual({ "min(at)": 1577836800250 });
    expect(await value("max/second")).toEqual({ "max(second)": 1577836809 });
  });

  it("are null over no rows, except for a count of 0", async () => {
    const nothing = { filters: [{ name: "id", operator: "<", value: 0 }] };
    expect(await value("avg/real", nothing)).toEqual({ "avg(real)": null });
    expect(await value("sum/id", nothing)).toEqual({ "sum(id)": null });
    expect(await value("count/name", nothing)).toEqual({ "count(name)": 0 });
    expect(await value("count/*", nothing)).toEqual({ totalResults: 0 });
  });

  it.each([
    ["median/real", "unknown-aggregation", "aggregationType"],
    ["__proto__/real", "unknown-aggregation", "aggregationType"],
    ["COUNT/*", "unknown-aggregation", "aggregationType"],
    ["avg/*", "not-supported", "column"],
    ["avg/none", "unknown-column", "column"],
    ["avg/toString", "unknown-column", "column"],
    ["avg/name", "not-supported", "column"],
    ["min/flag", "not-supported", "column"],
    ["sum/at", "not-supported", "column"],
    ["max/place", "not-supported", "column"],
    ["count/place", "not-supported", "column"],
    ["count/a%22b%00", "unknown-column", "column"],
  ])("%s is refused with %s", async (path, code, errorPath) => {
    const { status, body } = await post<ErrorBody>("open", {}, `aggregate/${path}`);
    expect([status, body.errors[0]?.code, body.errors[0]?.path]).toEqual([400, code, errorPath]);
  });

  it("are refused, like samples, if the dataset does not support them", async () => {
    expect((await post<ErrorBody>("plain", {}, "aggregate/count/*")).body.errors[0]?.code).toBe("not-supported");
    expect((await app.call([], "GET", "/datasets/Tests/plain/sample")).body.errors[0]?.code).toBe("not-supported");
    expect((await post("plain", {}, "aggregate/count/id")).body).toEqual({ "count(id)": 10 });
  });
});

describe("a search refuses, naming the path,", () => {
  const one = (name: string, operator: string, value: unknown) => ({ filters: [{ name, operator, value }] });
  const range = (start: string, end: string) => ({ timeRange: { start, end } });
  it.each<[string, string, unknown, string, string | undefined]>([
    ["an unknown column", "open", one("none", "=", 1), "unknown-column", "filters.0.name"],
    ["a column in another case", "open", one("ID", "=", 1), "unknown-column", "filters.0.name"],
    ["__proto__", "open", one("__proto__", "=", 1), "unknown-column", "filters.0.name"],
    ["constructor", "open", one("constructor", "=", 1), "unknown-column", "filters.0.name"],
    ["SQL as a name", "open", one('id" = 1 or "id', "=", 1), "unknown-column", "filters.0.name"],
    ["a name with NUL", "open", one("id\0", "=", 1), "unknown-column", "filters.0.name"],
    ["a lone surrogate as a name", "open", one("\ud83d", "=", 1), "unknown-column", "filters.0.name"],
    ["a very long name", "open", one("x".repeat(900_000), "=", 1), "unknown-column", "filters.0.name"],
    ["an empty name", "open", one("", "=", 1), "unknown-column", "filters.0.name"],
    ["a combined column", "open", one("place", "=", "1"), "not-supported", "filters.0.name"],
    ["an unknown operator", "open", one("id", "like", 1), "unknown-operator", "filters.0.operator"],
    ["an operator from a prototype", "open", one("id", "toString", 1), "unknown-operator", "filters.0.operator"],
    ["SQL as an operator", "open", one("id", "= 1 or 1 =", 1), "unknown-operator", "filters.0.operator"],
    ["an order comparison of booleans", "open", one("flag", "<", true), "unknown-operator", "filters.0.operator"],
    ["digits with letters", "open", one("id", "=", "12abc"), "invalid-value", "filters.0.value"],
    ["an empty number", "open", one("id", "=", ""), "invalid-value", "filters.0.value"],
    ["a number with a space", "open", one("id", "=", " 1"), "invalid-value", "filters.0.value"],
    ["a boolean for an integer", "open", one("id", "=", true), "invalid-value", "filters.0.value"],
    ["a fraction for an integer", "open", one("id", "=", 1.5), "invalid-value", "filters.0.value"],
    ["an integer beyond 128 bits", "open", one("id", "=", "340282366920938463463374607431768211456"), "invalid-value", "filters.0.value"],
    ["an integer that JSON rounded", "open", one("big", "=", 2 ** 53), "invalid-value", "filters.0.value"],
    ["infinity", "open", one("real", ">", "Infinity"), "invalid-value", "filters.0.value"],
    ["1e999", "open", '{"filters":[{"name":"real","operator":">","value":1e999}]}', "invalid-request", "filters.0.value"],
    ["a number for a string", "open", one("name", "=", 5), "invalid-value", "filters.0.value"],
    ["a lone surrogate", "open", one("name", "=", "\ud83d"), "invalid-value", "filters.0.value"],
    ["1 for a boolean", "open", one("flag", "=", 1), "invalid-value", "filters.0.value"],
    ["a day that does not exist", "open", one("at", "=", "2020-02-30"), "invalid-value", "filters.0.value"],
    ["a time out of range", "open", one("second", ">", "99999999999999"), "invalid-value", "filters.0.value"],
    ["no value", "open", { filters: [{ name: "id", operator: "=" }] }, "invalid-request", "filters.0.value"],
    ["an order comparison with null", "open", one("id", ">=", null), "unknown-operator", "filters.0.operator"],
    ["a list as a value", "open", one("id", "=", [1]), "invalid-request", "filters.0.value"],
    [
      "too many filters",
      "open",
      { filters: Array.from({ length: 5 }, () => ({ name: "id", operator: "=", value: 1 })) },
      "invalid-request",
      "filters",
    ],
    ["a reversed range", "open", range("2020-01-02T00:00:00Z", "2020-01-01T00:00:00Z"), "reversed-range", "timeRange"],
    ["a range without ends", "open", { timeRange: {} }, "invalid-request", "timeRange"],
    ["a range without time zone", "open", range("2020-01-01T00:00:00", "2020-01-02T00:00:00Z"), "invalid-request", "timeRange.start"],
    [
      "a range with a day that does not exist",
      "open",
      range("2020-02-30T00:00:00Z", "2021-01-01T00:00:00Z"),
      "invalid-request",
      "timeRange.start",
    ],
    ["a time range if not supported", "plain", range("2020-01-01T00:00:00Z", "2020-01-02T00:00:00Z"), "not-supported", "timeRange"],
    [
      "an area if not supported",
      "open",
      { geospatial: { polygons: ["0 0, 1 1, 1 0, 0 0"], antimeridianPolygons: false } },
      "not-supported",
      "geospatial",
    ],
    ["columns", "open", { columns: ["id"] }, "not-supported", "columns"],
    ["an empty list of columns", "open", { columns: [] }, "not-supported", "columns"],
    ["paging if not supported", "plain", { paging }, "not-supported", "paging"],
    ["too large a page", "open", { paging: { offset: 0, max: 6 } }, "invalid-request", "paging.max"],
    ["an empty page", "open", { paging: { offset: 0, max: 0 } }, "invalid-request", "paging.max"],
    ["a negative offset", "open", { paging: { offset: -1, max: 5 } }, "invalid-request", "paging.offset"],
    ["a fractional offset", "open", { paging: { offset: 0.5, max: 5 } }, "invalid-request", "paging.offset"],
    ["an offset out of range", "open", { paging: { offset: 1e300, max: 5 } }, "invalid-request", "paging.offset"],
    ["an unknown sort", "open", { sort: [{ column: "none", direction: "asc" }] }, "unknown-column", "sort.0.column"],
    ["a sort by a combined column", "open", { sort: [{ column: "place", direction: "asc" }] }, "not-supported", "sort.0.column"],
    [
      "a duplicate sort column",
      "open",
      {
        sort: [
          { column: "id", direction: "asc" },
          { column: "id", direction: "desc" },
        ],
      },
      "invalid-request",
      "sort.1.column",
    ],
    ["an unknown direction", "open", { sort: [{ column: "id", direction: "asc; drop" }] }, "invalid-request", "sort.0.direction"],
    ["a filter that is not offered", "offered", one("real", "=", 1), "not-supported", "filters.0.name"],
    ["a pre-filled filter that is sent", "offered", one("flag", "=", false), "not-supported", "filters.0.name"],
    ["a missing required filter", "offered", { filters: [{ name: "id", operator: "=", value: 1 }] }, "missing-filter", "filters"],
    ["a blank required filter", "offered", one("name", "=", " "), "missing-filter", "filters"],
    ["a search without any of the alternative required filters", "either", one("flag", "=", true), "missing-filter", "filters"],
    ["a string as the body", "open", '"x"', "invalid-request", undefined],
    ["malformed JSON", "open", "{", "malformed-json", undefined],
  ])("%s", async (_title, id, data, code, path) => {
    for (const rest of ["search", "aggregate/count/id"]) {
      const { status, body } = await post<ErrorBody>(id, data, rest);
      expect([status, body.errors[0]?.code, body.errors[0]?.path]).toEqual([400, code, path]);
      expect(JSON.stringify(body).length).toBeLessThan(1_000);
    }
  });

  it("all problems at once", async () => {
    const { body } = await post<ErrorBody>("open", {
      ...one("none", "~", 1),
      paging: { offset: 0, max: 6 },
      sort: [{ column: "none", direction: "asc" }],
    });
    expect(body.errors.map(({ path }) => path)).toEqual(["filters.0.name", "filters.0.operator", "sort.0.column", "paging.max"]);
  });

  it("missing filters with the same hint as the form", async () => {
    expect((await post<ErrorBody>("either", {})).body.errors[0]?.message).toBe(
      "To perform a search, you must add one of the following filters: Time range, name, id",
    );
    expect((await post<ErrorBody>("offered", {})).body.errors[0]?.message).toBe(
      "To perform a search, you must fill in the following filters: The name",
    );
  });

  it("neither a search with one of the alternative filters or a time range, nor a sample without any", async () => {
    expect(await ids({ filters: [{ name: "id", operator: "=", value: 3 }] }, "either")).toEqual([3]);
    expect(await ids({ timeRange: { start: "2020-01-01T00:00:00Z", end: "2020-01-01T00:00:02Z" } }, "either")).toEqual([1, 0]);
    expect((await app.call([], "GET", "/datasets/Tests/either/sample")).status).toBe(200);
  });
});

it("responds with 503 and a readable message to all calls on a dataset whose data is missing", async () => {
  await addDataset(app, { ...base, id: "gone", source: { kind: "files", glob: "gone.parquet", format: "parquet" } });
  const message = "The dataset 'gone' cannot be searched now: its data files are missing. Tell an administrator.";
  for (const response of [
    await post("gone", {}),
    await app.call([], "GET", "/datasets/Tests/gone/sample"),
    await app.call([], "GET", "/datasets/Tests/gone/describe"),
    await app.call([], "POST", "/datasets/Tests/gone/aggregate/count/*", {}),
  ]) {
    expect([response.status, JSON.parse(response.text)]).toEqual([503, { errors: [{ code: "not-ready", message }] }]);
  }
  // The schema, which administrators enter, can still be read.
  expect((await app.call([], "GET", "/datasets/Tests/gone/schema")).status).toBe(200);
});

it("whole days are found by the day, and the filters on them say so", async () => {
  const days = columns.map((one) => Object.assign({}, one, one.name === "at" ? { day: true } : {}));
  const filters = buildFilterSupport({
    supportsAdvancedFiltering: false,
    staticFilters: [buildFilter("at", { type: "TIMESTAMP_MILLS" }), buildFilter("second", { type: "TIMESTAMP_SECONDS" })],
    preFilledFilters: [buildFilter("at", { type: "TIMESTAMP_MILLS", value: "2020-01-01", operator: "=", preFilled: true })],
  });
  await addDataset(app, { ...base, id: "dated", schema: { columns: days }, filterSupport: filters });
  expect(await ids({ filters: [{ name: "at", operator: "=", value: "2020-01-01" }], paging }, "dated")).toHaveLength(5);
  expect(await ids({ filters: [{ name: "at", operator: ">", value: "2020-01-01" }], paging }, "dated")).toEqual([]);
  expect(await ids({ filters: [{ name: "second", operator: "=", value: "2020-01-01" }], paging }, "dated")).toEqual([0]);
  const { body } = await app.call<DatasetDescription>([], "GET", "/datasets/Tests/dated/describe");
  expect(body.filterSupport.staticFilters.map(({ day }) => day)).toEqual([true, undefined]);
  expect(body.filterSupport.preFilledFilters.map(({ day }) => day)).toEqual([true]);
  const schema = await app.call<DatasetSchema>([], "GET", "/datasets/Tests/dated/schema");
  expect(schema.body.columns.filter(({ day }) => day === true).map(({ name }) => name)).toEqual(["at"]);
});

describe("an area", () => {
  const area = (...polygons: string[]) => ({ geospatial: { polygons, antimeridianPolygons: false } });
  // Latitude is `real` (id / 4), longitude is `id`; rows 0, 1, 3, 4, 6, 7 and 9 have a location.
  const square = "2 -10, 5 -10, 5 10, 2 10, 2 -10";

  it("[SEARCH-57] of 'lng lat' polygons restricts pages and aggregates, is the union of its polygons, and satisfies required filters", async () => {
    const idsOf = async (...polygons: string[]) => {
      const { body } = await post<SearchAnswer>("placed", { ...area(...polygons), paging: { offset: 0, max: 5 } });
      return body.results.map(({ id }) => id);
    };
    expect(await idsOf(square)).toEqual([4, 3]);
    expect(await idsOf(square, "5.5 0, 8 0, 8 3, 5.5 3")).toEqual([7, 6, 4, 3]);
    expect(await idsOf("100 10, 110 10, 110 20")).toEqual([]);
    expect((await post("placed", area(square), "aggregate/count/*")).body).toEqual({ totalResults: 2 });
    expect((await post("placed", area(square), "aggregate/max/id")).body).toEqual({ "max(id)": 4 });
  });

  it("of longitudes that go on to 360 finds those of 360 less, and counts the rows whose coordinates are no place", async () => {
    await app.bench.prepare(
      `copy (select i as id, lat, lng from (values (1, 21, 201.2), (2, -2, 268.4), (3, 95, 201.2), (4, 21, 361), (5, null, 201.2)) as rows(i, lat, lng))
       to 'FOLDER/floats.parquet' (format parquet)`,
    );
    const fields = [buildColumn("id", "integer"), buildColumn("lat", "decimal"), buildColumn("lng", "decimal")];
    const place = buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } });
    await addDataset(app, {
      category: "Tests",
      id: "floats",
      schema: { columns: [...fields, place] },
      source: { kind: "files", glob: "floats.parquet", format: "parquet" },
      locationField: "place",
      filterSupport: buildFilterSupport({ supportsGeospatial: true }),
    });
    const west = area("-160 20, -150 20, -150 30, -160 30");
    const { body } = await post<SearchAnswer>("floats", { ...west, paging: { offset: 0, max: 5 } });
    expect(body.results).toEqual([{ id: 1, lat: 21, lng: 201.2 }]);
    expect((await post("floats", west, "rowCount")).body).toEqual({ rows: 1, outOfRange: 2 });
    const first = { ...west, filters: [{ name: "id", operator: "<", value: 4 }] };
    expect((await post("floats", first, "rowCount")).body).toEqual({ rows: 1, outOfRange: 1 });
    expect((await post("floats", {}, "rowCount")).body).toEqual({ rows: 5 });
  });

  it.each<[string, unknown, string, string]>([
    ["text", area("2 -10, five 10, 2 10"), "geospatial.polygons.0", "The polygon 1 has no 'longitude latitude' at its corner 2."],
    ["SQL", area(square, "0 0, 1 1) or (1=1, 2 0"), "geospatial.polygons.1", "The polygon 2 has no 'longitude latitude' at its corner 2."],
    ["two corners", area("2 -10, 5 10, 2 -10"), "geospatial.polygons.0", "The polygon 1 needs at least three different corners."],
    ["a bow tie", area("0 0, 9 9, 9 0, 0 9"), "geospatial.polygons.0", "The polygon 1 crosses itself."],
    ["past the pole", area("0 0, 9 99, 9 0"), "geospatial.polygons.0", "The polygon 1 has a latitude outside -90 to 90 at its corner 2."],
    [
      "round the world",
      area("0 0, 9 9, 190 0"),
      "geospatial.polygons.0",
      "The polygon 1 has a longitude outside -180 to 180 at its corner 3.",
    ],
    ["many corners", area(`${"1 1, ".repeat(9)}2 2`), "geospatial.polygons", "An area may have 8 corners, not 10."],
    [
      "the antimeridian",
      { geospatial: { polygons: [square], antimeridianPolygons: true } },
      "geospatial.antimeridianPolygons",
      "Split a shape at the antimeridian and send its parts, with 'antimeridianPolygons' false.",
    ],
  ])("is refused with its path when invalid: %s", async (_title, body, path, message) => {
    const response = await post<ErrorBody>("placed", body);
    expect(response).toMatchObject({ status: 400, body: { errors: [{ path, message }] } });
  });

  it("is refused on a dataset without a location", async () => {
    expect(await post<ErrorBody>("open", area(square))).toMatchObject({
      status: 400,
      body: { errors: [{ code: "not-supported", path: "geospatial", message: "This dataset cannot be searched by area." }] },
    });
  });
});
