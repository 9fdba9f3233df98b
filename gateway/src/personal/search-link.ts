import type { DatasetRef } from "@fairway/contract/datasets";
import { addressedFilterOf, type Filter, filter } from "@fairway/contract/filters";
import type { SavedQuery } from "@fairway/contract/saved-searches";
import { addressedColumns, type AddressedSummaries, type SearchAddressParts } from "@fairway/contract/search-address";
import type { SortKey } from "@fairway/contract/search";
import type { SummaryDraft } from "@fairway/contract/summaries";
import { newSearchPath } from "./search-path.ts";

const maxCharacters = 8_000;

interface LinkOptions {
  /** The column to order by instead of the saved order. */
  readonly newestFirst?: string | null;
  /** Is drawn, if the address has room for it. */
  readonly summary?: SummaryDraft | null;
  /** The box of a map's cell, which saved searches do not have. */
  readonly within?: readonly number[] | undefined;
}

/** The path of a saved search's results within the web app, with its relative time range. Null if an address cannot hold the search. */
export function searchLink(
  dataset: DatasetRef,
  query: SavedQuery,
  { newestFirst = null, summary = null, within }: LinkOptions = {},
): string | null {
  const { datasetCategory, datasetId } = dataset;
  const { timeRange, geospatial, columns } = query;
  const view = summary === null ? query.view : "graphs";
  const [west = 0, south = 0, east = 0, north = 0] = within ?? [];
  const filters = readFilters(query);
  if (filters === null) return null;
  const sort: SortKey[] = newestFirst === null ? (query.sort ?? []) : [{ column: newestFirst, direction: "desc" }];
  const parts: SearchAddressParts & AddressedSummaries = {
    c: datasetCategory,
    d: datasetId,
    ...(timeRange === undefined
      ? {}
      : timeRange.last === undefined
        ? { t: [secondOf(timeRange.start), secondOf(timeRange.end)] }
        : { l: timeRange.last }),
    ...(geospatial === undefined ? {} : { a: geospatial.polygons }),
    ...(within === undefined ? {} : { w: [west, south, east, north] }),
    ...(filters.length === 0 ? {} : { f: filters.map(addressedFilterOf) }),
    ...(sort.length === 0 ? {} : { o: sort.map(({ column, direction }): [string, SortKey["direction"]] => [column, direction]) }),
    ...(view === undefined || view === "table" ? {} : { m: view }),
    ...(columns === undefined ? {} : { v: columns }),
    ...addressedColumns(query),
    ...(summary === null ? {} : { g: [summary] }),
  };
  const link = newSearchPath(parts);
  if (link.length <= maxCharacters && filters.length <= 100) return link;
  return summary === null ? null : searchLink(dataset, query, { newestFirst, within });
}

/** Null if one of them is of no known form: the search cannot run, and an address without it would find more rows. */
function readFilters(query: SavedQuery): Filter[] | null {
  const read = query.filters.map((one) => filter.safeParse(one));
  return read.every(({ success }) => success) ? read.flatMap(({ data }) => data ?? []) : null;
}

const secondOf = (iso: string | undefined): number | null => (iso === undefined ? null : Math.floor(Date.parse(iso) / 1_000));
