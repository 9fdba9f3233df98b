import { isNumeric } from "@fairway/contract/columns";
import { cellsOfBox } from "@fairway/contract/grid-cells";
import type { Limits } from "@fairway/contract/limits";
import { type PathData, type TracksData, trackPoints } from "@fairway/contract/map-results";
import type { SearchData } from "@fairway/contract/search";
import { Refusal } from "#http/refusal.ts";
import type { MapQueries, PathRequest, SearchQuery, TracksRequest } from "#query/engine.ts";
import { Problems } from "./problems.ts";
import type { MapFields, SearchableDataset } from "#query/searchable-dataset.ts";
import { type Narrowing, type SearchLimits, refuseColumns, requireFilters, validNarrowing, validSort } from "./validate.ts";
import { plainColumn } from "./validate-filters.ts";
import { requireLevel, validView } from "./validate-view.ts";

export type MapLimits = SearchLimits & Pick<Limits, "mapItems" | "pathPointsPerCall" | "pathCallsWithoutWarning" | "pathMinimumIntervalMs">;

/** The map fields and queries of a dataset. Refuses if the dataset or its engine has no map. */
export function requireMap({ map, engine: { maps } }: SearchableDataset): { readonly map: MapFields; readonly maps: MapQueries } {
  if (map === null || maps === undefined) throw new Refusal("not-supported", "The results of this dataset cannot be shown on a map.");
  return { map, maps };
}

export function validateLast(dataset: SearchableDataset, data: SearchData, limits: MapLimits): Omit<SearchQuery, "offset"> {
  const problems = new Problems();
  refuseColumns(data, problems);
  if (data.paging !== undefined) problems.add("not-supported", "The last rows are not paged: omit 'paging'.", "paging");
  const narrowing = validNarrowing(dataset, data, limits, problems);
  const sort = validSort(dataset, data.sort ?? [], problems);
  requireFilters(dataset, data, problems);
  problems.throwAny();
  return { ...narrowing, sort, limit: limits.mapItems };
}

export function validateTracks(
  dataset: SearchableDataset,
  map: MapFields,
  { values, level, within, ...data }: TracksData,
  limits: MapLimits,
): { readonly tracks: TracksRequest; readonly query: Narrowing } {
  const problems = new Problems();
  refuseColumns(data, problems);
  if (data.paging !== undefined) problems.add("not-supported", "Tracks are not paged: omit 'paging'.", "paging");
  if (data.sort !== undefined) problems.add("not-supported", "Tracks cannot be sorted: omit 'sort'.", "sort");
  if (within !== undefined && level === undefined) problems.add("not-supported", "Tracks are whole: omit 'within'.", "within");
  const refined = validRefinement(dataset, map, { level, within }, problems);
  const columns = values === undefined ? undefined : uniqueColumns(dataset, values, { owner: "tracks ask", path: "values" }, problems);
  const query = validNarrowing(dataset, data, limits, problems);
  requireFilters(dataset, data, problems);
  problems.throwAny();
  const points = limits.pathPointsPerCall * limits.pathCallsWithoutWarning;
  const details = { ...(columns === undefined ? {} : { values: columns }), ...(refined === undefined ? {} : { refined }) };
  return { tracks: { item: map.item, time: map.time, location: map.location, points, perTrack: trackPoints, ...details }, query };
}

/** The cells of the view in which tracks are refined. */
function validRefinement(
  { queryable }: SearchableDataset,
  { location }: MapFields,
  { level, within }: Pick<TracksData, "level" | "within">,
  problems: Problems,
): TracksRequest["refined"] {
  if (level === undefined) return undefined;
  const isLevel = requireLevel(level, problems);
  if (within === undefined) {
    return problems.add("invalid-request", "A level refines the tracks of a view: send 'within' as well.", "level");
  }
  const isNumber = (name: string) => queryable.columns.some((column) => column.name === name && isNumeric(column.type));
  if (!isNumber(location.latitude) || !isNumber(location.longitude)) {
    return problems.add("not-supported", "This dataset cannot be narrowed to a view.", "within");
  }
  const view = validView(within, problems);
  return view === undefined || !isLevel ? undefined : { level, cells: cellsOfBox(view, level) };
}

export interface ValidPath {
  readonly path: PathRequest & { readonly columns: readonly string[] };
  readonly query: Omit<SearchQuery, "sort">;
  /** Whether the client requested a page, so that `truncated` need not be reported. */
  readonly paged: boolean;
}

export function validatePath(dataset: SearchableDataset, map: MapFields, data: PathData, limits: MapLimits): ValidPath {
  const problems = new Problems();
  const narrowing = validItem(dataset, map, data, limits, problems);
  const columns = validColumns(dataset, data.columns, problems);
  if (data.sort !== undefined) problems.add("not-supported", "The points of a path are in time order: omit 'sort'.", "sort");
  const { offset, max } = data.paging ?? { offset: 0, max: limits.pathPointsPerCall };
  if (max > limits.pathPointsPerCall) {
    problems.add("invalid-request", `A page of a path can have at most ${limits.pathPointsPerCall} points, not ${max}.`, "paging.max");
  }
  requireFilters(dataset, data, problems);
  problems.throwAny();
  const intervalMs = data.minimumIntervalMs ?? limits.pathMinimumIntervalMs;
  return {
    path: { time: map.time, location: map.location, intervalMs, columns },
    query: { ...narrowing, offset, limit: max },
    paged: data.paging !== undefined,
  };
}

/** Requires a filter for one item, as the paths of several items would be joined into one line. Filtering by the item is always allowed. */
function validItem(dataset: SearchableDataset, { item }: MapFields, data: SearchData, limits: MapLimits, problems: Problems): Narrowing {
  if (!data.filters.some(({ name, operator }) => name === item && operator === "=")) {
    problems.add("missing-filter", `A path belongs to one item: filter '${item}' with '=' by the item's value.`, "filters");
  }
  return validNarrowing(dataset, data, limits, problems, item);
}

function validColumns(dataset: SearchableDataset, names: readonly string[] | undefined, problems: Problems): string[] {
  if (names === undefined) return dataset.queryable.columns.map(({ name }) => name);
  if (names.length > dataset.queryable.columns.length) {
    problems.add("invalid-request", `This dataset has ${dataset.queryable.columns.length} columns, not ${names.length}.`, "columns");
    return [];
  }
  return uniqueColumns(dataset, names, { owner: "path asks", path: "columns" }, problems);
}

function uniqueColumns(
  dataset: SearchableDataset,
  names: readonly string[],
  { owner, path }: { readonly owner: string; readonly path: string },
  problems: Problems,
): string[] {
  return names.flatMap((name, index) => {
    const column = plainColumn(dataset, name, `${path}.${index}`, problems);
    if (names.indexOf(name) < index) problems.add("invalid-request", `The ${owner} for '${name}' twice.`, `${path}.${index}`);
    return column === undefined ? [] : [column.name];
  });
}
