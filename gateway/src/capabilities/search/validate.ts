import { type Ring, countCorners, parseRing } from "@fairway/contract/areas";
import { isTimestamp } from "@fairway/contract/columns";
import type { Limits } from "@fairway/contract/limits";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { SearchData } from "@fairway/contract/search";
import type { OrderKey, SearchQuery } from "#query/engine.ts";
import { Problems } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { viewConditions } from "./validate-view.ts";
import { isOffered, plainColumn, validFilters } from "./validate-filters.ts";

export type SearchLimits = Pick<Limits, "pagingMaxRows" | "unpagedMaxRows" | "filtersPerSearch" | "filterListValues" | "polygonVertices">;

export type Narrowing = Pick<SearchQuery, "timeRange" | "area" | "conditions">;

/** A search that is valid for its dataset. */
export interface ValidSearch {
  readonly query: SearchQuery;
  /** Whether the client requested a page, so that `truncated` need not be reported. */
  readonly paged: boolean;
}

/** Validates a search against its dataset. Refuses it with a list of all problems; nothing is ignored or guessed. */
export function validateSearch(dataset: SearchableDataset, data: SearchData, limits: SearchLimits): ValidSearch {
  const problems = new Problems();
  refuseColumns(data, problems);
  const narrowing = validNarrowing(dataset, data, limits, problems);
  const sort = validSort(dataset, data.sort ?? [], problems);
  const page = validPaging(dataset, data, limits, problems);
  problems.throwAny();
  requireFilters(dataset, data, problems);
  problems.throwAny();
  return { query: { ...narrowing, sort, ...page }, paged: data.paging !== undefined };
}

/** The conditions of a search, including those of the dataset itself. `alsoAllowed`: a column to allow filters on even if it is not offered. */
export function validNarrowing(
  dataset: SearchableDataset,
  data: SearchData,
  limits: SearchLimits,
  problems: Problems,
  alsoAllowed?: string,
): Narrowing {
  const area = validArea(dataset, data, limits, problems);
  const timeRange = validTimeRange(dataset, data, problems);
  const conditions = validFilters(dataset, data.filters, limits, problems, alsoAllowed);
  const view = viewConditions(dataset, data, problems);
  return { timeRange, area, conditions: [...dataset.queryable.ownConditions, ...conditions, ...view] };
}

export function refuseColumns({ columns }: SearchData, problems: Problems): void {
  if (columns !== undefined) problems.add("not-supported", "'columns' is for path calls only.", "columns");
}

/** Validates a request for suggestions and returns what the search keeps besides. Required filters may still be missing. */
export function validateSuggestion(
  dataset: SearchableDataset,
  name: string,
  {
    timeRange,
    geospatial,
    filters = [],
  }: Pick<SearchData, "timeRange" | "geospatial"> & { readonly filters?: SearchData["filters"] | undefined },
  limits: SearchLimits,
): Narrowing {
  const problems = new Problems();
  const column = plainColumn(dataset, name, "column", problems);
  if (column !== undefined && !isOffered(dataset, name)) {
    problems.add("not-supported", `This dataset cannot be filtered by '${name}'.`, "column");
  }
  if (column !== undefined && column.type !== "STRING" && column.type !== "integer") {
    problems.add("not-supported", `'${name}' is ${column.type}, for which no values are suggested.`, "column");
  }
  const narrowing = validNarrowing(dataset, { timeRange, geospatial, filters }, limits, problems);
  problems.throwAny();
  return narrowing;
}

export function validTimeRange(
  { queryable, filterSupport }: SearchableDataset,
  data: Pick<SearchData, "timeRange">,
  problems: Problems,
): SearchQuery["timeRange"] {
  if (data.timeRange === undefined) return null;
  const column = queryable.columns.find(({ name }) => name === queryable.temporalField);
  if (!filterSupport.supportsTimeRange || column === undefined || !isTimestamp(column.type)) {
    problems.add("not-supported", "This dataset cannot be searched by time range.", "timeRange");
    return null;
  }
  const { start, end } = data.timeRange;
  const [startMs, endMs] = [start === undefined ? -Infinity : Date.parse(start), end === undefined ? Infinity : Date.parse(end)];
  if (startMs > endMs) problems.add("reversed-range", "The time range ends before it starts.", "timeRange");
  return { column: column.name, type: column.type, startMs, endMs };
}

function validArea(
  { queryable, filterSupport }: SearchableDataset,
  { geospatial }: SearchData,
  limits: SearchLimits,
  problems: Problems,
): SearchQuery["area"] {
  if (geospatial === undefined) return null;
  if (!filterSupport.supportsGeospatial || queryable.location === null) {
    problems.add("not-supported", "This dataset cannot be searched by area.", "geospatial");
    return null;
  }
  if (geospatial.antimeridianPolygons) {
    const message = "Split a shape at the antimeridian and send its parts, with 'antimeridianPolygons' false.";
    problems.add("not-supported", message, "geospatial.antimeridianPolygons");
  }
  // Counted before parsing, because the check for crossing edges compares all pairs.
  const corners = geospatial.polygons.reduce((sum, text) => sum + countCorners(text), 0);
  if (corners > limits.polygonVertices + geospatial.polygons.length) {
    problems.add("invalid-value", `An area may have ${limits.polygonVertices} corners, not ${corners}.`, "geospatial.polygons");
    return null;
  }
  return { ...queryable.location, rings: geospatial.polygons.map((text, index) => validRing(text, index, problems)) };
}

/** Returns an empty ring on a problem; the search is refused then. */
function validRing(text: string, index: number, problems: Problems): Ring {
  const parsed = parseRing(text);
  if ("ring" in parsed) return parsed.ring;
  problems.add("invalid-value", `The polygon ${index + 1} ${parsed.problem}.`, `geospatial.polygons.${index}`);
  return [];
}

export function validSort(dataset: SearchableDataset, sort: readonly OrderKey[], problems: Problems): OrderKey[] {
  return sort.flatMap(({ column: name, direction }, index) => {
    const path = `sort.${index}.column`;
    const column = plainColumn(dataset, name, path, problems);
    if (column === undefined) return [];
    const isDuplicate = sort.slice(0, index).some((earlier) => earlier.column === name);
    if (isDuplicate) problems.add("invalid-request", `The search sorts by '${name}' twice.`, path);
    return [{ column: column.name, direction }];
  });
}

function validPaging(
  { queryable }: SearchableDataset,
  { paging }: SearchData,
  limits: SearchLimits,
  problems: Problems,
): Pick<SearchQuery, "offset" | "limit"> {
  const pages = queryable.features.has("PAGINATION");
  if (paging === undefined) return { offset: 0, limit: pages ? limits.pagingMaxRows : limits.unpagedMaxRows };
  if (!pages) problems.add("not-supported", "This dataset does not support paging: omit 'paging'.", "paging");
  if (paging.max > limits.pagingMaxRows) {
    problems.add("invalid-request", `A page can have at most ${limits.pagingMaxRows} rows, not ${paging.max}.`, "paging.max");
  }
  return { offset: paging.offset, limit: paging.max };
}

/** Reports missing required filters. */
export function requireFilters(
  { filterSupport }: SearchableDataset,
  data: Pick<SearchData, "filters" | "timeRange" | "geospatial">,
  problems: Problems,
): void {
  const area = data.geospatial !== undefined;
  const hint = missingFilterHint(filterSupport, { filters: data.filters, timeRange: data.timeRange !== undefined, area });
  if (hint !== null) problems.add("missing-filter", hint, "filters");
}
