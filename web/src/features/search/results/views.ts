import type { ViewMode } from "@fairway/contract/search-address";
import { graphableColumns } from "#features/search/graphs/model/graph-validity.ts";
import { countingProblem } from "#features/search/map/model/countable.ts";
import { canSummarize, hasSummaries } from "#features/search/summaries/model/new-summary.ts";
import { canPage } from "#parts/open-searches/search-api.ts";
import { phaseOf, type SearchRecord } from "#parts/search-model/search-record.ts";

/** The views that a search offers, in the order of the switch. */
export function viewsOf({ isSample, datasetDescription }: SearchRecord): readonly ViewMode[] {
  const hasMap = !isSample && datasetDescription.mapSupport !== null;
  const hasGraphs = !isSample && graphableColumns(datasetDescription).length > 0;
  return [...(hasMap ? (["map"] as const) : []), "raw", "table", ...(hasGraphs ? (["graphs"] as const) : [])];
}

/** Whether the map can show all rows, but no items: it is no view of the switch, but opened by an action. */
export const offersRowsOnMap = ({ isSample, datasetDescription }: SearchRecord): boolean =>
  !isSample && datasetDescription.mapSupport === null && countingProblem(datasetDescription) === null;

/** The current view: the record's, or the table if that view is not available. */
export const viewOf = (record: SearchRecord): ViewMode =>
  viewsOf(record).includes(record.viewMode) || (record.viewMode === "map" && offersRowsOnMap(record)) ? record.viewMode : "table";

/** Whether summaries are drawn in a dialog over the results: the dataset can be summarized, but has nothing for the graphs view. */
export const summarizesInDialog = (record: SearchRecord): boolean => canSummarize(record) && !viewsOf(record).includes("graphs");

/** Whether that dialog is open. The record's view says so, and with it the address. */
export const isSummaryDialogOpen = (record: SearchRecord): boolean =>
  record.viewMode === "graphs" && summarizesInDialog(record) && hasSummaries(record);

/** Whether the view shows rows page by page. */
export const isPaged = (view: ViewMode): boolean => view === "table" || view === "raw";

/** Whether Load More is offered: the dataset pages, has more rows, and a paged view is shown. */
export const offersMore = (record: SearchRecord): boolean =>
  record.results !== null && canPage(record) && !record.allLoaded && isPaged(viewOf(record));

/** Total number of rows, if known. */
export function knownTotal(record: SearchRecord): number | null {
  if (record.totalResultCount !== null && record.totalResultCount >= 0) return record.totalResultCount;
  return record.allLoaded && !record.truncated && record.results !== null ? record.results.length : null;
}

/** Why there are no rows to show. `nothing`: none are loaded and none are loading. */
export type BlankState = "empty" | "failed" | "cancelled" | "nothing";

/** Null while rows are shown or loading. */
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
