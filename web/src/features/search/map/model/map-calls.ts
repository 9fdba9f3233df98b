import { mapResults } from "@fairway/contract/map-results";
import { call, callText } from "#lib/call.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { type RowsAnswer, rowsOfAnswer } from "#parts/open-searches/search-api.ts";
import { canPage } from "#parts/open-searches/search-api.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { pathDataOf } from "./path-model.ts";
import type { PathCalls, PathPlan } from "./path-loading.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchDefinition) => ({ category: category.id, datasetId });

/** The newest row of every item. Rejects with GatewayError, UnreadableAnswer or the signal's reason. */
export async function fetchItems(asked: SearchDefinition, signal: AbortSignal): Promise<RowsAnswer> {
  return rowsOfAnswer(await callText(mapResults.last, { params: paramsOf(asked), body: countDataOf(asked) }, { signal }));
}

/** By how many calls paths are asked for. */
export function pathPlan(asked: SearchDefinition): PathPlan {
  const { pathPointsPerCall, pathCallsWithoutWarning } = currentLimits();
  return { pointsPerCall: pathPointsPerCall, callsWithoutWarning: pathCallsWithoutWarning, canPage: canPage(asked) };
}

/** How the path of an item is asked for. `columns`: what its layers read. */
export function pathCalls(asked: SearchDefinition, item: Pick<MapItem, "group">, fields: MapFields, columns: readonly string[]): PathCalls {
  const params = paramsOf(asked);
  const wanted = { fields, columns, minimumIntervalMs: currentLimits().pathMinimumIntervalMs };
  return {
    count: async (signal) => (await call(mapResults.countPath, { params, body: pathDataOf(asked, item, wanted) }, { signal })).totalResults,
    page: async (paging, signal) =>
      rowsOfAnswer(await callText(mapResults.path, { params, body: pathDataOf(asked, item, { ...wanted, paging }) }, { signal })),
  };
}
