import { mapResults, maxIntervalMs, maxTrackValues } from "@fairway/contract/map-results";
import { call, callText } from "#lib/gateway/call.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { type RowsResponse, parseRows } from "#parts/open-searches/search-api.ts";
import { canPage } from "#parts/open-searches/search-api.ts";
import { withoutCell } from "#parts/search-model/cell-filter.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchDefinition } from "#parts/search-model/search-record.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { pathDataOf } from "./path-model.ts";
import type { PathCalls, PathPlan } from "./path-loading.ts";
import type { TracksView } from "./tracks-view.ts";

const paramsOf = ({ datasetDescription: { category, datasetId } }: SearchDefinition) => ({ category: category.id, datasetId });

/** The newest row of every item. Rejects with GatewayError, UnreadableResponse or the signal's reason. */
export async function fetchItems(search: SearchDefinition, signal: AbortSignal): Promise<RowsResponse> {
  return parseRows(await callText(mapResults.last, { params: paramsOf(search), body: countDataOf(search) }, { signal }));
}

/** Points of the thinned paths of all items, with the values of some columns, refined in a view. Rejects like `fetchItems`. */
export async function fetchTracks(
  search: SearchDefinition,
  signal: AbortSignal,
  values: readonly string[] = [],
  view: TracksView | null = null,
): Promise<RowsResponse> {
  // A cell does not narrow tracks: between two of their positions they would be cut.
  const body = {
    ...countDataOf({ ...search, filters: withoutCell(search.filters) }),
    ...(values.length === 0 ? {} : { values: [...values] }),
    ...(view === null ? {} : { level: view.level, within: [...view.within] }),
  };
  return parseRows(await callText(mapResults.tracks, { params: paramsOf(search), body }, { signal }));
}

/** Most rows of one item that its details step through. */
const maxItemRows = 1_000;

/** Rows of one item over a time with every plain column, thinned to at most about a thousand. Rejects like `fetchItems`. */
export async function fetchItemRows(
  search: SearchDefinition,
  item: Pick<MapItem, "group">,
  fields: MapFields,
  { spanMs, signal }: { spanMs: number; signal: AbortSignal },
): Promise<RowsResponse> {
  const { pathMinimumIntervalMs, pathPointsPerCall } = currentLimits();
  const max = Math.min(pathPointsPerCall, maxItemRows + 1);
  const request = {
    fields,
    columns: search.datasetDescription.schema.columns.filter(({ combined }) => combined === null).map(({ name }) => name),
    minimumIntervalMs: Math.min(maxIntervalMs, Math.max(pathMinimumIntervalMs, Math.ceil(spanMs / (max - 1)))),
    paging: canPage(search) ? { offset: 0, max } : undefined,
  };
  return parseRows(await callText(mapResults.path, { params: paramsOf(search), body: pathDataOf(search, item, request) }, { signal }));
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
    thinned: async (signal) => {
      const {
        columns: _,
        minimumIntervalMs: _interval,
        ...body
      } = pathDataOf({ ...search, filters: withoutCell(search.filters) }, item, request);
      const values = columns.slice(0, maxTrackValues);
      const draft = { ...body, ...(values.length === 0 ? {} : { values }) };
      return parseRows(await callText(mapResults.tracks, { params, body: draft }, { signal })).rows;
    },
    count: async (signal) =>
      (await call(mapResults.countPath, { params, body: pathDataOf(search, item, request) }, { signal })).totalResults,
    page: async (paging, signal) =>
      parseRows(await callText(mapResults.path, { params, body: pathDataOf(search, item, { ...request, paging }) }, { signal })),
  };
}
