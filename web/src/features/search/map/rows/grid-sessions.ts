import { grids } from "@fairway/contract/grid";
import { callText } from "#lib/gateway/call.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { GridSession } from "./grid-session.ts";
import { parseGrid } from "./parse-grid.ts";

/** Sessions by search. Each belongs to one run, and stays while other views are shown. */
const sessions = new Map<string, { readonly run: number; readonly session: GridSession }>();

/** The session of a search's current run. */
export function gridSessionOf({ id, run }: SearchRecord): GridSession {
  const known = sessions.get(id);
  if (known?.run === run) return known.session;
  known?.session.close();
  const session = new GridSession(async (request, signal) => {
    const record = findRecord(id);
    if (record === undefined) throw new Error("The search was closed.");
    const { category, datasetId } = record.datasetDescription;
    // A grid has one view, of whole cells: a chosen cell is seen among the others.
    const body = countDataOf({ ...record, filters: withoutCell(record.filters) });
    const params = { category: category.id, datasetId };
    return parseGrid(await callText(grids.run, { params, body: { ...body, ...request } }, { signal }));
  }, currentLimits);
  sessions.set(id, { run, session });
  return session;
}

useOpenSearches.subscribe(({ records }) => {
  for (const [id, { session }] of sessions) {
    if (records.some((record) => record.id === id)) continue;
    session.close();
    sessions.delete(id);
  }
});
