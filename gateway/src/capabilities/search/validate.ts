import { type Ring, parseRing } from "@fairway/contract/areas";
import { type Column, type ColumnType, type Operator, isTimestamp, operator, operatorsOf } from "@fairway/contract/columns";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import type { ErrorCode, ErrorItem } from "@fairway/contract/errors";
import { parseFilterValue } from "@fairway/contract/filter-values";
import type { Limits } from "@fairway/contract/limits";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { SearchData, SearchFilter } from "@fairway/contract/search";
import { Refusal } from "#http/refusal.ts";
import { type Condition, EngineFailed, type OrderKey, type SearchQuery } from "#query/engine.ts";
import type { SearchableDataset } from "./searchable.ts";

export type SearchLimits = Pick<Limits, "pagingMaxRows" | "unpagedMaxRows" | "filtersPerSearch" | "polygonVertices">;

/** A search that fits its dataset. */
export interface ValidSearch {
  readonly query: SearchQuery;
  /** The caller asked for this page, so that rows beyond it are no surprise. */
  readonly paged: boolean;
}

/** Collects everything that is wrong with a search, each with its place in the body. */
class Problems {
  readonly #items: ErrorItem[] = [];

  add(code: ErrorCode, message: string, path?: string): undefined {
    this.#items.push({ code, message, ...(path === undefined ? {} : { path }) });
    return undefined;
  }

  throwAny(): void {
    const [first, ...others] = this.#items;
    if (first !== undefined) throw Refusal.of([first, ...others.slice(0, 9)]);
  }
}

/** Checks a search against its dataset. Refuses what does not fit, naming each thing; nothing is ignored or guessed. */
export function validateSearch(dataset: SearchableDataset, data: SearchData, limits: SearchLimits): ValidSearch {
  const problems = new Problems();
  if (data.columns !== undefined) problems.add("not-supported", "'columns' is for path calls only.", "columns");
  const area = validArea(dataset, data, limits, problems);
  const timeRange = validTimeRange(dataset, data, problems);
  const conditions = validFilters(dataset, data.filters, limits, problems);
  const sort = validSort(dataset, data.sort ?? [], problems);
  const page = validPaging(dataset, data, limits, problems);
  problems.throwAny();
  requireFilters(dataset, data);
  return {
    query: { timeRange, area, conditions: [...preFilledConditions(dataset), ...conditions], sort, ...page },
    paged: data.paging !== undefined,
  };
}

/** A column whose values may be suggested, and the range to find them in. */
export function validateSuggestion(dataset: SearchableDataset, name: string, data: Pick<SearchData, "timeRange">) {
  const problems = new Problems();
  const column = plainColumn(dataset, name, "column", problems);
  if (column !== undefined && !isOffered(dataset, name)) {
    problems.add("not-supported", `This dataset cannot be filtered by '${name}'.`, "column");
  }
  if (column !== undefined && column.type !== "STRING" && column.type !== "integer") {
    problems.add("not-supported", `Values of ${column.type}, which '${name}' is, are not suggested.`, "column");
  }
  const timeRange = validTimeRange(dataset, data, problems);
  problems.throwAny();
  return { timeRange, conditions: preFilledConditions(dataset) };
}

/** The conditions that the dataset itself sets. */
export function preFilledConditions({ queryable, filterSupport }: SearchableDataset): Condition[] {
  return filterSupport.preFilledFilters.map((filter) => preFilledCondition(queryable.columns, filter));
}

function preFilledCondition(columns: readonly Pick<Column, "name" | "type">[], filter: FieldFilter): Condition {
  const column = columns.find(({ name }) => name === filter.name);
  const parsed = column === undefined ? { problem: "names no column" } : parseFilterValue(column.type, filter.value);
  if (column === undefined || "problem" in parsed) {
    throw new EngineFailed("failed", "The dataset's own filters do not fit its columns.", { cause: filter });
  }
  return { column: column.name, type: column.type, operator: filter.operator, value: parsed.value };
}

function validTimeRange(
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
  const [startMs, endMs] = [Date.parse(data.timeRange.start), Date.parse(data.timeRange.end)];
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
  // Counted before it is read: how far corners cross each other is asked of every pair of them.
  const corners = geospatial.polygons.reduce((sum, text) => sum + text.split(",").length, 0);
  if (corners > limits.polygonVertices + geospatial.polygons.length) {
    problems.add("invalid-value", `An area may have ${limits.polygonVertices} corners, not ${corners}.`, "geospatial.polygons");
    return null;
  }
  return { ...queryable.location, rings: geospatial.polygons.map((text, index) => validRing(text, index, problems)) };
}

/** Empty where there is a problem: the search is refused then. */
function validRing(text: string, index: number, problems: Problems): Ring {
  const parsed = parseRing(text);
  if ("ring" in parsed) return parsed.ring;
  problems.add("invalid-value", `The polygon ${index + 1} ${parsed.problem}.`, `geospatial.polygons.${index}`);
  return [];
}

function validFilters(dataset: SearchableDataset, filters: readonly SearchFilter[], limits: SearchLimits, problems: Problems): Condition[] {
  if (filters.length > limits.filtersPerSearch) {
    problems.add("invalid-request", `A search may carry ${limits.filtersPerSearch} filters, not ${filters.length}.`, "filters");
    return [];
  }
  return filters.flatMap((filter, index) => validFilter(dataset, filter, `filters.${index}`, problems) ?? []);
}

function validFilter(dataset: SearchableDataset, filter: SearchFilter, path: string, problems: Problems): Condition | undefined {
  if (dataset.parameters !== null) return validParameter(dataset.parameters, filter, path, problems);
  const column = plainColumn(dataset, filter.name, `${path}.name`, problems);
  const asked = validOperator(filter.operator, `${path}.operator`, problems);
  if (column === undefined) return undefined;
  if (!isOffered(dataset, column.name)) {
    return problems.add("not-supported", `This dataset cannot be filtered by '${column.name}'.`, `${path}.name`);
  }
  const value = parseFilterValue(column.type, filter.value);
  if ("problem" in value) {
    problems.add("invalid-value", `${quoted(filter.value)} ${value.problem}, but '${column.name}' is ${column.type}.`, `${path}.value`);
  }
  if (asked !== undefined && !operatorsOf(column.type).includes(asked)) {
    return problems.add("unknown-operator", `'${asked}' cannot compare ${column.type}, which '${column.name}' is.`, `${path}.operator`);
  }
  return asked === undefined || "problem" in value
    ? undefined
    : { column: column.name, type: column.type, operator: asked, value: value.value };
}

/** A filter that the upstream declares, with an operator that it declares. */
function validParameter(parameters: readonly FieldFilter[], filter: SearchFilter, path: string, problems: Problems): Condition | undefined {
  const parameter = parameters.find(({ name }) => name === filter.name);
  const asked = validOperator(filter.operator, `${path}.operator`, problems);
  if (parameter === undefined) return problems.add("unknown-column", `This dataset has no filter ${quoted(filter.name)}.`, `${path}.name`);
  const { name, type, operators = [] } = parameter;
  if (asked !== undefined && !operators.includes(asked)) {
    const known = operators.join(" ");
    return problems.add("unknown-operator", `'${asked}' is none of the operators of '${name}': ${known}.`, `${path}.operator`);
  }
  const columnType = type === "number" ? "decimal" : type;
  const value = parseNumberExactly(columnType, filter.value);
  if ("problem" in value) {
    return problems.add("invalid-value", `${quoted(filter.value)} ${value.problem}, as '${name}' has to be.`, `${path}.value`);
  }
  return asked === undefined ? undefined : { column: name, type: columnType, operator: asked, value: value.value };
}

/** A whole number stays whole, however large. */
function parseNumberExactly(type: ColumnType, value: FilterValue): ReturnType<typeof parseFilterValue> {
  const whole = type === "decimal" ? parseFilterValue("integer", value) : undefined;
  return whole !== undefined && "value" in whole ? whole : parseFilterValue(type, value);
}

function validOperator(asked: string, path: string, problems: Problems): Operator | undefined {
  const parsed = operator.safeParse(asked);
  if (parsed.success) return parsed.data;
  return problems.add("unknown-operator", `There is no operator ${quoted(asked)}; there are ${operator.options.join(" ")}.`, path);
}

/** A column with values of its own. */
function plainColumn({ columns }: SearchableDataset, name: string, path: string, problems: Problems): Column | undefined {
  const column = columns.find((one) => one.name === name);
  if (column === undefined) return problems.add("unknown-column", `This dataset has no column ${quoted(name)}.`, path);
  if (column.combined === null) return column;
  const parts = column.combined.fields.map(quoted).join(" and ");
  return problems.add("not-supported", `${quoted(name)} combines ${parts} and has no value of its own.`, path);
}

/** The column that a call's path names. */
export function requireColumn(dataset: SearchableDataset, name: string): Column {
  const problems = new Problems();
  const column = plainColumn(dataset, name, "column", problems);
  problems.throwAny();
  if (column === undefined) throw new Error("a column is missing without a problem");
  return column;
}

/** Without advanced filtering only the offered filters are taken. */
function isOffered({ filterSupport }: SearchableDataset, name: string): boolean {
  const { supportsAdvancedFiltering, staticFilters, additionalFilters } = filterSupport;
  return supportsAdvancedFiltering || [...staticFilters, ...additionalFilters].some((filter) => filter.name === name);
}

function validSort(dataset: SearchableDataset, sort: readonly OrderKey[], problems: Problems): OrderKey[] {
  return sort.flatMap(({ column: name, direction }, index) => {
    const path = `sort.${index}.column`;
    const column = plainColumn(dataset, name, path, problems);
    if (column === undefined) return [];
    const again = sort.slice(0, index).some((earlier) => earlier.column === name);
    if (again) problems.add("invalid-request", `The search sorts by '${name}' twice.`, path);
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
  if (!pages) problems.add("not-supported", "This dataset does not page: leave 'paging' out.", "paging");
  if (paging.max > limits.pagingMaxRows) {
    problems.add("invalid-request", `One page holds at most ${limits.pagingMaxRows} rows, not ${paging.max}.`, "paging.max");
  }
  return { offset: paging.offset, limit: paging.max };
}

function requireFilters({ filterSupport }: SearchableDataset, data: SearchData): void {
  const area = data.geospatial !== undefined;
  const hint = missingFilterHint(filterSupport, { filters: data.filters, timeRange: data.timeRange !== undefined, area });
  if (hint !== null) throw new Refusal("missing-filter", hint, { path: "filters" });
}

/** What was sent, short enough for a message. */
export function quoted(value: string | number | boolean): string {
  const text = String(value);
  const short = text.length > 100 ? `${text.slice(0, 100)}…` : text;
  return `'${short.replaceAll(/[\p{Cc}\p{Cs}]/gu, "�")}'`;
}
