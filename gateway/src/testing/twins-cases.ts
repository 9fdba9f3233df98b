import { type NamedDataset, rightsCases } from "./rights-cases.ts";

/** The name of a withheld column, and a part of all of its values. */
export const canary = "quagga";

export interface TwinsRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
}

export type TwinsCase = (of: NamedDataset) => TwinsRequest;

/** Every route that names a dataset, as the walk over rights calls it; besides those on things that have an id of their own. */
export function walkedCases(): Record<string, TwinsCase> {
  const cases: Record<string, TwinsCase> = {};
  for (const [name, { path: other, body, query }] of Object.entries(rightsCases)) {
    const [method = "", routePath = ""] = name.split(" ");
    // Figures of whole datasets are not shown instead of computed anew, and exports are compared by their files.
    if (/ownDatasets|\/imports|\/export$|suggestions\/:id|:datasetId\/profile|\/facts$|\/quality$/.test(routePath)) continue;
    cases[name] = (of) => {
      const names: Readonly<Record<string, string>> = {
        category: of.datasetCategory,
        datasetId: of.datasetId,
        aggregationType: "count",
        column: "name",
        id: "0",
      };
      const path = (other?.includes("nature") === true ? routePath : (other ?? routePath)).replaceAll(
        /:(\w+)/g,
        (_, parameter: string) => names[parameter] ?? "",
      );
      const sent = body?.(of, {}) ?? (method === "POST" ? {} : undefined);
      return { method, path: `${path}${query?.(of) ?? ""}`, body: sent };
    };
  }
  return cases;
}

/** A lookup by one column of a dataset. */
const lookup = (
  { datasetCategory, datasetId }: Omit<NamedDataset, "id">,
  key: { column: string; on: string },
  ...columns: { from: string; name: string }[]
) => ({ id: "l", dataset: { datasetCategory, datasetId }, match: "exact", key: [key], columns });

export const search = { filters: [] };
export const at = (of: NamedDataset, path: string) => `/datasets/${of.datasetCategory}/${of.datasetId}${path}`;
const post =
  (path: string, body: unknown, accept?: string): TwinsCase =>
  (of) => ({ method: "POST", path: at(of, path), body, ...(accept === undefined ? {} : { accept }) });
const filtered = (name: string, operator: string, value: unknown) => ({ filters: [{ name, operator, value }] });
export const breakdown = (more: object) => ({ search, measures: [{ aggregation: "count", column: "*" }], ...more });
const square = { polygons: ["-30 -40,60 -40,60 50,-30 50,-30 -40"], antimeridianPolygons: false };
export const arrow = "application/vnd.apache.arrow.stream";

/** Requests that look for what is withheld, and those whose answers are made of many rows. */
export const furtherCases: Record<string, TwinsCase> = {
  "rows as Arrow": post("/search", search, arrow),
  "rows of a time": post("/search", { ...search, timeRange: { start: "2024-01-10T00:00:00Z", end: "2024-02-01T00:00:00Z" } }),
  "rows of an area": post("/search", { ...search, geospatial: square }),
  "rows by a coarse value": post("/search", filtered("lat", "=", 3.25)),
  "rows by a stored value": post("/search", filtered("lat", "=", 3.2)),
  "rows from a coarse value on": post("/search", filtered("lat", ">=", 10.1)),
  "rows of the other region": post("/search", filtered("region", "=", "south")),
  "rows without a region": post("/search", filtered("region", "=", null)),
  "rows by a coarse value in order": post("/search", {
    ...search,
    sort: [{ column: "lat", direction: "asc" }],
    paging: { offset: 5, max: 20 },
  }),
  "rows that would overflow": post("/search", { ...search, computed: [{ name: "more", expression: "size + 1" }] }),
  "filter by a withheld column": post("/search", filtered(canary, "=", "x")),
  "filter by a withheld column in capitals": post("/search", filtered(canary.toUpperCase(), "=", "x")),
  "filter by what is computed from it": post("/search", filtered("loud", "=", "x")),
  "alternatives with a withheld column": post("/search", {
    filters: [
      { name: "*", operator: "any", value: [[{ name: canary, operator: "=", value: "x" }], [{ name: "id", operator: "=", value: 1 }]] },
    ],
  }),
  "sort by a withheld column": post("/search", { ...search, sort: [{ column: canary, direction: "asc" }] }),
  "computed from a withheld column": post("/search", { ...search, computed: [{ name: "x", expression: `upper(${canary})` }] }),
  "computed under the name of a withheld column": post("/search", { ...search, computed: [{ name: canary, expression: "id + 1" }] }),
  "lookup by a withheld column": (of) => ({
    method: "POST",
    path: at(of, "/search"),
    body: {
      ...search,
      lookups: [
        lookup({ datasetCategory: "wards", datasetId: "ward-b" }, { column: canary, on: "name" }, { from: "size", name: "theirs" }),
      ],
    },
  }),
  "lookup in it": (of) => ({
    method: "POST",
    path: "/datasets/wards/ward-b/search",
    body: {
      ...search,
      lookups: [lookup(of, { column: "id", on: "id" }, { from: "region", name: "theirs" }, { from: "lat", name: "their lat" })],
    },
  }),
  "lookup of a withheld column in it": (of) => ({
    method: "POST",
    path: "/datasets/wards/ward-b/search",
    body: {
      ...search,
      lookups: [lookup(of, { column: "id", on: "id" }, { from: canary, name: "theirs" })],
    },
  }),
  "average of a coarse column": post("/aggregate/avg/lat", search),
  "sum of a column": post("/aggregate/sum/size", search),
  "greatest of a withheld column": post(`/aggregate/max/amount`, search),
  "values of a withheld column": post(`/columns/${canary}/suggest`, { contains: "" }),
  "values of a shown column": post(`/columns/region/suggest`, { contains: "s" }),
  "statistics of a withheld column": post(`/columns/${canary}/profile`, search),
  "statistics of a coarse column": post(`/columns/lat/profile`, search),
  "distributions with a withheld column": post("/distribution/columns", { ...search, columns: ["name", canary] }),
  "distributions of coarse columns": post("/distribution/columns", { ...search, columns: ["lat", "size", "region", "at"] }),
  "distribution of time by day": post("/distribution/time", {
    ...search,
    timeRange: { start: "2024-01-01T00:00:00Z", end: "2024-02-01T00:00:00Z" },
    byDay: true,
  }),
  "path of an item": post("/search/path", { ...filtered("name", "=", "n3"), columns: ["size"] }),
  "path with a withheld column": post("/search/path", { ...filtered("name", "=", "n3"), columns: [canary] }),
  "cells of the world": post("/grid", { ...search, level: 5 }),
  "cells with a measure": post("/grid", { ...search, level: 3, measure: { aggregation: "avg", column: "size" } }),
  "cells with a withheld measure": post("/grid", { ...search, level: 3, measure: { aggregation: "avg", column: "amount" } }),
  "groups of a column": post("/breakdown", breakdown({ by: [{ kind: "value", column: "region" }] })),
  "groups of a withheld column": post("/breakdown", breakdown({ by: [{ kind: "value", column: canary }] })),
  "groups with a withheld measure": post(
    "/breakdown",
    breakdown({ by: [{ kind: "value", column: "region" }], measures: [{ aggregation: "sum", column: "amount" }] }),
  ),
  "months of a coarse column": post(
    "/breakdown",
    breakdown({ by: [{ kind: "time", unit: "month" }], measures: [{ aggregation: "avg", column: "lat" }] }),
  ),
  "graph of months": post("/aggregate", {
    search,
    aggregations: [{ aggregation: "max", column: "lat" }],
    groups: [{ id: "january", timeRange: { start: "2024-01-01T00:00:00Z", end: "2024-01-31T00:00:00Z" } }],
  }),
};
