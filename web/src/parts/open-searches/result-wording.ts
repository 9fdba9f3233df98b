import type { SearchRecord } from "#parts/search-model/search-record.ts";

const counted = (count: number): string => count.toLocaleString("en-US");

type Told = Pick<SearchRecord, "isSample" | "searchError" | "results" | "totalResultCount"> & {
  /** Of the map that is shown; null elsewhere. */
  readonly items?: number | null;
};

/** The line under the title of a results page. */
export function resultsSubtitle({ isSample, searchError, results, totalResultCount: total, items = null }: Told): string {
  if (searchError !== null && results === null) return "error performing search";
  const rows = results?.length ?? null;
  if (isSample) return rows === null ? "sample" : `${counted(rows)} sample ${rows === 1 ? "row" : "rows"}`;
  if (total === null) return "unknown total result count";
  if (total < 0) return "loading result count...";
  const noun = total === 1 ? "result" : "results";
  if (items !== null) return `${counted(items)} ${items === 1 ? "item" : "items"} of ${counted(total)} ${noun}`;
  return rows === null || rows === 0 ? `${counted(total)} ${noun}` : `1 – ${counted(rows)} of ${counted(total)} ${noun}`;
}

/** `25 rows loaded`. */
export const rowsLoaded = (count: number): string => `${counted(count)} ${count === 1 ? "row" : "rows"} loaded`;

/** Where the server cut an answer that is not paged. */
export const cutNotice = (rows: number): string => `The answer was cut at ${counted(rows)} rows. Narrow the filters to see the rest.`;
