import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import type { Filter } from "@fairway/contract/filters";
import type { RowCount, SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type DatasetApp, addDataset, buildColumn, buildFilterSupport, datasetApp } from "#testing/dataset-app.ts";

let app: DatasetApp;
beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (select i as id, ['alpha', 'beta', '100%', null][1 + i % 4] as name,
    timestamp '2020-01-01' + to_hours(7 * i) as at, i / 2 as lat, i as lng from range(40) t(i)) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, {
    schema: {
      columns: [
        buildColumn("id", "integer"),
        buildColumn("name", "STRING"),
        buildColumn("at", "TIMESTAMP_MILLS"),
        buildColumn("lat", "decimal"),
        buildColumn("lng", "decimal"),
        buildColumn("place", "STRING", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: ", " } }),
      ],
    },
    temporalField: "at",
    locationField: "place",
    mapSupport: { groupItemField: "id", itemLocationField: "place", itemTemporalField: "at" },
    filterSupport: buildFilterSupport({ supportsTimeRange: true, supportsGeospatial: true }),
  });
});
afterAll(() => app.close());

const post = async <Body>(call: string, body: object): Promise<Body> => {
  const { status, body: answer } = await app.call<Body>([], "POST", `/datasets/Tests/rows/${call}`, body);
  expect([call, status, answer]).toEqual([call, 200, expect.anything()]);
  return answer;
};
const sum = (rows: readonly number[]) => rows.reduce((total, count) => total + count, 0);
const all = { paging: { offset: 0, max: 100 } };

/** The number of rows that each call of a search finds. */
const calls: Readonly<Record<string, (filters: readonly Filter[]) => Promise<number>>> = {
  search: async (filters) => (await post<SearchAnswer>("search", { ...all, filters })).results.length,
  rowCount: async (filters) => (await post<RowCount>("rowCount", { filters })).rows ?? -1,
  "aggregate/count/*": async (filters) => Number(Object.values(await post<Record<string, number>>("aggregate/count/*", { filters }))[0]),
  breakdown: async (filters) => {
    const { cells } = await post<BreakdownAnswer>("breakdown", { search: { filters }, measures: [{ aggregation: "count" }] });
    return Number(cells[0]?.values[0]);
  },
  "the group of a breakdown": async (filters) => {
    const by = [{ kind: "groups", groups: [{ label: "one", filters }] }];
    const { cells } = await post<BreakdownAnswer>("breakdown", { search: {}, by, measures: [{ aggregation: "count" }] });
    return Number(cells[0]?.values[0]);
  },
  "the measure of a breakdown": async (filters) => {
    const { cells } = await post<BreakdownAnswer>("breakdown", { search: {}, measures: [{ aggregation: "count", where: filters }] });
    return Number(cells[0]?.values[0]);
  },
  "distribution/time": async (filters) =>
    sum((await post<TimeDistribution>("distribution/time", { filters })).buckets.map(({ rows }) => rows)),
  "distribution/columns": async (filters) => {
    return (await post<ColumnDistributions>("distribution/columns", { filters, columns: ["id"] })).rows;
  },
  "search/last": async (filters) => (await post<SearchAnswer>("search/last", { filters })).results.length,
};

const filters: readonly (readonly [Filter, number])[] = [
  [{ name: "name", operator: "in", value: ["beta", null] }, 20],
  [{ name: "name", operator: "not in", value: ["beta"] }, 30],
  [{ name: "id", operator: "between", value: [3, 9] }, 7],
  [{ name: "id", operator: "not between", value: [3, 9] }, 33],
  [{ name: "name", operator: "contains", value: "%" }, 10],
  [{ name: "name", operator: "not contains", value: "A" }, 20],
  [{ name: "name", operator: "starts with", value: "AL" }, 10],
  [{ name: "name", operator: "not starts with", value: "al" }, 30],
  [{ name: "at", operator: "when", value: { part: "dayOfWeek", zone: "UTC", in: [3] } }, 8],
  [{ name: "at", operator: "not when", value: { part: "dayOfWeek", zone: "UTC", in: [3] } }, 32],
  [
    {
      name: "*",
      operator: "any",
      value: [[{ name: "id", operator: "<", value: 2 }], [{ name: "name", operator: "=", value: "beta" }]],
    },
    11,
  ],
];

describe.each(Object.entries(calls))("%s", (_, count) => {
  it("finds the rows of every form of filter", async () => {
    const found = await Promise.all(filters.map(async ([filter]) => [filter, await count([filter])] as const));
    expect(found).toEqual(filters);
  });
});
