import { boardPanel } from "@fairway/contract/boards";
import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import type { ColumnProfile, Suggestions } from "@fairway/contract/column-values";
import type { ColumnDistributions, TimeDistribution } from "@fairway/contract/distributions";
import { type AddressedFilter, addressedFilter, addressedFilterOf, type Filter, filterOfAddress } from "@fairway/contract/filters";
import { parseSavedQuery } from "@fairway/contract/saved-searches";
import type { RowCount, SearchAnswer } from "@fairway/contract/search";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { shownRows } from "#testing/arrow-table.ts";
import { type DatasetApp, addDataset, datasetApp } from "#testing/dataset-app.ts";
import { everyForm, filterForms, filteredDataset, filteredRows } from "#testing/filter-forms.ts";

let app: DatasetApp;
beforeAll(async () => {
  app = await datasetApp();
  await app.bench.prepare(`copy (${filteredRows}) to 'FOLDER/rows.parquet' (format parquet)`);
  await addDataset(app, filteredDataset);
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
  profile: async (filters) => (await post<ColumnProfile>("columns/id/profile", { filters })).rows,
  suggest: async (filters) => {
    const body = { contains: "", search: { filters: [...filters, { name: "name", operator: "<>", value: null }] } };
    const { values } = await post<Suggestions>("columns/name/suggest", body);
    const empty = { search: { filters: [...filters, { name: "name", operator: "=", value: null }] }, measures: [{ aggregation: "count" }] };
    return sum(values.map(({ rows }) => rows)) + Number((await post<BreakdownAnswer>("breakdown", empty)).cells[0]?.values[0]);
  },
  "search as Arrow": async (filters) => {
    const body = { ...all, filters };
    const accept = "application/vnd.apache.arrow.stream";
    const { status, bytes } = await app.call([], "POST", "/datasets/Tests/rows/search", body, accept);
    expect(status).toBe(200);
    return shownRows([bytes]).length;
  },
  "an address": async (filters) => {
    const entries = JSON.parse(JSON.stringify(filters.map(addressedFilterOf))) as AddressedFilter[];
    return (
      (await post<RowCount>("rowCount", { filters: entries.map((entry) => filterOfAddress(addressedFilter.parse(entry))) })).rows ?? -1
    );
  },
  "a saved search": async (filters) => {
    const read = parseSavedQuery(JSON.stringify({ filters }));
    return (await post<RowCount>("rowCount", { filters: "query" in read ? read.query.filters : [] })).rows ?? -1;
  },
  "the panel of a board": async (filters) => {
    const shown = {
      id: "count",
      kind: "number",
      title: "Rows",
      place: { x: 0, y: 0, w: 3, h: 4 },
      value: { aggregation: "count", column: "*" },
    };
    const read = boardPanel.parse({ ...shown, dataset: { datasetCategory: "Tests", datasetId: "rows" }, query: { filters } });
    return (await post<RowCount>("rowCount", { filters: "query" in read ? read.query.filters : [] })).rows ?? -1;
  },
  "search/last": async (filters) => (await post<SearchAnswer>("search/last", { filters })).results.length,
};

describe.each(Object.entries(calls))("%s", (_, count) => {
  it("finds the rows of every form of filter", async () => {
    const found = await Promise.all(filterForms.map(async ([filter]) => [filter, await count([filter])] as const));
    expect(found).toEqual(filterForms);
    expect(await count(everyForm.filters)).toBe(everyForm.rows);
  });
});
