import { mapResults } from "@fairway/contract/map-results";
import { call, callText } from "#lib/call.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { type RowsResponse, parseRows } from "#parts/open-searches/search-api.ts";
import { canPage } from "#parts/open-searches/search-api.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { pathDataOf } from "./path-model.ts";
import type { PathCalls, PathPlan } from "./path-loading.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchDefinition) => ({ category: category.id, datasetId });

/** The newest row of every item. Rejects with GatewayError, UnreadableResponse or the signal's reason. */
export async function fetchItems(search: SearchDefinition, signal: AbortSignal): Promise<RowsResponse> {
  return parseRows(await callText(mapResults.last, { params: paramsOf(search), body: countDataOf(search) }, { signal }));
}

/** How paths of the search are split into calls. */
export function pathPlan(search: SearchDefinition): PathPlan {
  const { pathPointsPerCall, pathCallsWithoutWarning } = currentLimits();
  return { pointsPerCall: pathPointsPerCall, callsWithoutWarning: pathCallsWithoutWarning, canPage: canPage(search) };
}

/** The calls that load the path of an item. `columns`: what its layers read. */
export function pathCalls(
  search: SearchDefinition,
  item: Pick<MapItem, "group">,
  fields: MapFields,
  columns: readonly string[],
): PathCalls {
  const params = paramsOf(search);
  const request = { fields, columns, minimumIntervalMs: currentLimits().pathMinimumIntervalMs };
  return {
    count: async (signal) =>
      (await call(mapResults.countPath, { params, body: pathDataOf(search, item, request) }, { signal })).totalResults,
    page: async (paging, signal) =>
      parseRows(await callText(mapResults.path, { params, body: pathDataOf(search, item, { ...request, paging }) }, { signal })),
  };
}
