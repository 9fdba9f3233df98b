import { distributions } from "@fairway/contract/distributions";
import { grids } from "@fairway/contract/grid";
import { call, callText } from "#lib/gateway/call.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { FramesSession } from "./frames-session.ts";
import { parseGrid } from "./parse-grid.ts";

/** A session that plays the rows of a search as it is now. */
export function framesSessionOf(record: SearchRecord): FramesSession {
  const { category, datasetId } = record.datasetDescription;
  const params = { category: category.id, datasetId };
  const search = countDataOf({ ...record, filters: withoutCell(record.filters) });
  return new FramesSession(
    {
      overTime: (within, signal) => call(distributions.overTime, { params, body: { ...search, within } }, { signal }),
      grid: async (request, signal) => parseGrid(await callText(grids.run, { params, body: { ...search, ...request } }, { signal })),
    },
    currentLimits,
  );
}
