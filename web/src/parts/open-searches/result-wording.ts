import { formatCount, pluralize } from "@fairway/contract/counts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

type SubtitleInput = Pick<SearchRecord, "isSample" | "searchError" | "results" | "totalResultCount"> & {
  /** Items on the map when it is shown; null for other views. */
  readonly items?: number | null;
  /** Whether the view shows all results rather than the loaded rows. */
  readonly coversAll?: boolean;
};

/** The line under the title of a results page. */
export function resultsSubtitle(input: SubtitleInput): string {
  const { isSample, searchError, results, totalResultCount: total, items = null, coversAll = false } = input;
  if (searchError !== null && results === null) return "error performing search";
  const rows = results?.length ?? null;
  if (isSample) return rows === null ? "sample" : pluralize(rows, "sample row");
  if (total === null) return "unknown total result count";
  if (total < 0) return "loading result count...";
  if (items !== null) return `${pluralize(items, "item")} of ${pluralize(total, "result")}`;
  return rows === null || rows === 0 || coversAll
    ? pluralize(total, "result")
    : `1 – ${formatCount(rows)} of ${pluralize(total, "result")}`;
}

/** The same while the map shows all rows. `placed`: those with a location. */
export const rowsOnMapText = ({ rows, placed }: { readonly rows: number; readonly placed: number }): string =>
  placed === rows ? `${pluralize(rows, "row")}, all on the map` : `${formatCount(placed)} of ${pluralize(rows, "row")} on the map`;

/** `25 rows loaded`. */
export const rowsLoaded = (count: number): string => `${pluralize(count, "row")} loaded`;

/** Shown when the server truncated an unpaged response. */
export const cutNotice = (rows: number): string =>
  `The results were cut off at ${formatCount(rows)} rows. Narrow the filters to see the rest.`;
