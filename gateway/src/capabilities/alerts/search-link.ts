import { randomUUID } from "node:crypto";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { SavedQuery } from "@fairway/contract/saved-searches";

const maxCharacters = 8_000;

/**
 * The path of a saved search's results within the web app, with its relative time range. `newestFirst`: the column to order by
 * instead of the saved order. Null if an address cannot hold the search.
 */
export function searchLink({ datasetCategory, datasetId }: DatasetRef, query: SavedQuery, newestFirst: string | null): string | null {
  const { timeRange, geospatial, filters, columns, view } = query;
  const sort = newestFirst === null ? (query.sort ?? []) : [{ column: newestFirst, direction: "desc" }];
  const parts = {
    c: datasetCategory,
    d: datasetId,
    ...(timeRange === undefined
      ? {}
      : timeRange.last === undefined
        ? { t: [secondOf(timeRange.start), secondOf(timeRange.end)] }
        : { l: timeRange.last }),
    ...(geospatial === undefined ? {} : { a: geospatial.polygons }),
    ...(filters.length === 0 ? {} : { f: filters.map(({ name, operator, value }) => [name, operator, value]) }),
    ...(sort.length === 0 ? {} : { o: sort.map(({ column, direction }) => [column, direction]) }),
    ...(view === undefined || view === "table" ? {} : { m: view }),
    ...(columns === undefined ? {} : { v: columns }),
  };
  const link = `/search/${randomUUID()}#1.${Buffer.from(JSON.stringify(parts)).toString("base64url")}`;
  return link.length > maxCharacters || filters.length > 100 ? null : link;
}

const secondOf = (iso: string | undefined): number | null => (iso === undefined ? null : Math.floor(Date.parse(iso) / 1_000));
