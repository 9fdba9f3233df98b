import { graphableColumns } from "#features/search/graphs/model/graph-validity.ts";
import { canPage } from "#parts/open-searches/search-api.ts";
import { phaseOf, type SearchRecord, type ViewMode } from "#parts/search-model/search-record.ts";

/** The views that a search offers, in the order of the switch. */
export function viewsOf({ isSample, datasetDescription }: SearchRecord): readonly ViewMode[] {
  const hasMap = !isSample && datasetDescription.mapSupport !== null;
  const hasGraphs = !isSample && graphableColumns(datasetDescription).length > 0;
  return [...(hasMap ? (["map"] as const) : []), "raw", "table", ...(hasGraphs ? (["graphs"] as const) : [])];
}

/** The view that is shown: the record's, or the table where an address asks for one that is not offered. */
export const viewOf = (record: SearchRecord): ViewMode => (viewsOf(record).includes(record.viewMode) ? record.viewMode : "table");

/** Rows are paged in the views that show rows. */
export const isPaged = (view: ViewMode): boolean => view === "table" || view === "raw";

/** Load More is on offer: the dataset pages, there is more, and a view of rows is shown. */
export const offersMore = (record: SearchRecord): boolean =>
  record.results !== null && canPage(record) && !record.allLoaded && isPaged(viewOf(record));

/** Rows there are in all, where that is known. */
export function knownTotal(record: SearchRecord): number | null {
  if (record.totalResultCount !== null && record.totalResultCount >= 0) return record.totalResultCount;
  return record.allLoaded && !record.truncated && record.results !== null ? record.results.length : null;
}

/** Why there are no rows to show. `nothing`: none came and none are on their way. */
export type BlankState = "empty" | "failed" | "cancelled" | "nothing";

/** Null while rows are shown or on their way. */
export function blankStateOf(record: SearchRecord): BlankState | null {
  switch (phaseOf(record)) {
    case "searching":
      return null;
    case "results":
      return record.results?.length === 0 ? "empty" : null;
    case "failed":
      return "failed";
    case "cancelled":
      return "cancelled";
    case "new":
      return "nothing";
    default:
      return null;
  }
}
