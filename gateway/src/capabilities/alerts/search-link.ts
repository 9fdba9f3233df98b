import type { Operator } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { SavedQuery } from "@fairway/contract/saved-searches";
import type { SearchAddressParts } from "@fairway/contract/search-address";
import type { SortKey } from "@fairway/contract/search";
import { newSearchPath } from "#personal/search-path.ts";

/** The page that opens the address says if it does not know the operator. */
type Condition = NonNullable<SearchAddressParts["f"]>[number];

const maxCharacters = 8_000;

/**
 * The path of a saved search's results within the web app, with its relative time range. `newestFirst`: the column to order by
 * instead of the saved order. Null if an address cannot hold the search.
 */
export function searchLink({ datasetCategory, datasetId }: DatasetRef, query: SavedQuery, newestFirst: string | null): string | null {
  const { timeRange, geospatial, filters, columns, view } = query;
  const sort: SortKey[] = newestFirst === null ? (query.sort ?? []) : [{ column: newestFirst, direction: "desc" }];
  const parts: SearchAddressParts = {
    c: datasetCategory,
    d: datasetId,
    ...(timeRange === undefined
      ? {}
      : timeRange.last === undefined
        ? { t: [secondOf(timeRange.start), secondOf(timeRange.end)] }
        : { l: timeRange.last }),
    ...(geospatial === undefined ? {} : { a: geospatial.polygons }),
    ...(filters.length === 0 ? {} : { f: filters.map(({ name, operator, value }): Condition => [name, operator as Operator, value]) }),
    ...(sort.length === 0 ? {} : { o: sort.map(({ column, direction }): [string, SortKey["direction"]] => [column, direction]) }),
    ...(view === undefined || view === "table" ? {} : { m: view }),
    ...(columns === undefined ? {} : { v: columns }),
  };
  const link = newSearchPath(parts);
  return link.length > maxCharacters || filters.length > 100 ? null : link;
}

const secondOf = (iso: string | undefined): number | null => (iso === undefined ? null : Math.floor(Date.parse(iso) / 1_000));
