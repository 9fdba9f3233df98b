import { type GridAnswer, type GridRequestDraft, grids } from "@fairway/contract/grid";
import { callText } from "#lib/gateway/call.ts";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { parseGrid } from "./parse-grid.ts";

/** Asks for a grid. Rejects with GatewayError, UnreadableResponse or the signal's reason. */
export type AskGrid = (request: Omit<GridRequestDraft, "filters">, signal: AbortSignal) => Promise<GridAnswer>;

/** The search whose rows are counted. A grid has one view, of whole cells: a chosen cell is seen among the others. */
export const countedSearch = (record: SearchRecord) => countDataOf({ ...record, filters: withoutCell(record.filters) });

/** Counts the rows of a search by place. */
export function askGridOf(record: SearchRecord): AskGrid {
  const { category, datasetId } = record.datasetDescription;
  const params = { category: category.id, datasetId };
  return async (request, signal) =>
    parseGrid(await callText(grids.run, { params, body: { ...countedSearch(record), ...request } }, { signal }));
}
