import { type Column, type ColumnType, type Operator, operator, operatorsOf } from "@fairway/contract/columns";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { parseFilterValue } from "@fairway/contract/filter-values";
import type { Limits } from "@fairway/contract/limits";
import type { SearchFilter } from "@fairway/contract/search";
import type { Condition } from "#query/engine.ts";
import { furtherOf } from "#query/own-conditions.ts";
import { Problems, quoted } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

/**
 * Validates filters, reporting problems at `path`. `alsoAllowed`: a column to allow even if the dataset does not offer it.
 */
export function validFilters(
  dataset: SearchableDataset,
  filters: readonly SearchFilter[],
  limits: Pick<Limits, "filtersPerSearch">,
  problems: Problems,
  alsoAllowed?: string,
  path = "filters",
): Condition[] {
  if (filters.length > limits.filtersPerSearch) {
    problems.add("invalid-request", `A search can have at most ${limits.filtersPerSearch} filters, not ${filters.length}.`, path);
    return [];
  }
  return filters.flatMap((filter, index) => validFilter(dataset, filter, alsoAllowed, problems.within(`${path}.${index}`)) ?? []);
}

function validFilter(
  dataset: SearchableDataset,
  filter: SearchFilter,
  alsoAllowed: string | undefined,
  problems: Problems,
): Condition | undefined {
  if (dataset.parameters !== null) return validParameter(dataset.parameters, filter, problems);
  const column = plainColumn(dataset, filter.name, "name", problems);
  const requested = validOperator(filter.operator, "operator", problems);
  if (column === undefined) return undefined;
  if (column.name !== alsoAllowed && !isOffered(dataset, column.name)) {
    return problems.add("not-supported", `This dataset cannot be filtered by '${column.name}'.`, "name");
  }
  const { value: sent } = filter;
  if (sent === null) return emptyCondition(column, requested, problems);
  if (typeof sent === "object") return problems.add("invalid-request", `'${filter.operator}' takes one value.`, "value");
  const value = parseFilterValue(column.type, sent);
  if ("problem" in value) {
    problems.add("invalid-value", `${quoted(sent)} ${value.problem}, but '${column.name}' is ${column.type}.`, "value");
  }
  if (requested !== undefined && !operatorsOf(column.type).includes(requested)) {
    return problems.add("unknown-operator", `'${requested}' cannot compare ${column.type}, which '${column.name}' is.`, "operator");
  }
  return requested === undefined || "problem" in value
    ? undefined
    : { column: column.name, type: column.type, operator: requested, value: value.value, ...furtherOf(column, sent) };
}

/** The condition of a filter on null. */
function emptyCondition(
  { name, type }: Pick<Column, "name" | "type">,
  requested: Operator | undefined,
  problems: Problems,
): Condition | undefined {
  if (requested === "=" || requested === "<>") return { column: name, type, operator: requested, value: null };
  if (requested !== undefined)
    problems.add(
      "unknown-operator",
      `'${requested}' cannot compare with null: '=' finds rows without a value, '<>' finds rows with one.`,
      "operator",
    );
  return undefined;
}

/** Validates a filter against the parameters and operators that the upstream declares. */
function validParameter(parameters: readonly FieldFilter[], filter: SearchFilter, problems: Problems): Condition | undefined {
  const parameter = parameters.find(({ name }) => name === filter.name);
  const requested = validOperator(filter.operator, "operator", problems);
  if (parameter === undefined) return problems.add("unknown-column", `This dataset has no filter ${quoted(filter.name)}.`, "name");
  const { name, type, operators = [] } = parameter;
  if (requested !== undefined && !operators.includes(requested)) {
    const known = operators.join(" ");
    return problems.add("unknown-operator", `'${requested}' is not an operator of '${name}'. Use one of: ${known}.`, "operator");
  }
  if (filter.value === null) {
    return problems.add("not-supported", `This dataset cannot find rows without a value in '${name}'.`, "value");
  }
  if (typeof filter.value === "object") return problems.add("invalid-request", `'${filter.operator}' takes one value.`, "value");
  const columnType = type === "number" ? "decimal" : type;
  const value = parseNumberExactly(columnType, filter.value);
  if ("problem" in value) {
    return problems.add("invalid-value", `${quoted(filter.value)} ${value.problem}, as '${name}' requires.`, "value");
  }
  return requested === undefined ? undefined : { column: name, type: columnType, operator: requested, value: value.value };
}

/** Parses integers exactly, even beyond 2^53. */
function parseNumberExactly(type: ColumnType, value: FilterValue): ReturnType<typeof parseFilterValue> {
  const whole = type === "decimal" ? parseFilterValue("integer", value) : undefined;
  return whole !== undefined && "value" in whole ? whole : parseFilterValue(type, value);
}

function validOperator(requested: string, path: string, problems: Problems): Operator | undefined {
  const parsed = operator.safeParse(requested);
  if (parsed.success) return parsed.data;
  return problems.add("unknown-operator", `There is no operator ${quoted(requested)}. Use one of: ${operator.options.join(" ")}.`, path);
}

/** A column that is not combined. */
export function plainColumn({ columns }: SearchableDataset, name: string, path: string, problems: Problems): Column | undefined {
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined) return problems.add("unknown-column", `This dataset has no column ${quoted(name)}.`, path);
  if (column.combined === null) return column;
  const parts = column.combined.fields.map(quoted).join(" and ");
  return problems.add("not-supported", `${quoted(name)} combines ${parts} and has no value of its own.`, path);
}

/** The column named in a route's path. */
export function requireColumn(dataset: SearchableDataset, name: string): Column {
  const problems = new Problems();
  const column = plainColumn(dataset, name, "column", problems);
  problems.throwAny();
  if (column === undefined) throw new Error("validation returned neither a column nor a problem");
  return column;
}

/** Without advanced filtering, only the offered filters are allowed. */
export function isOffered({ filterSupport }: SearchableDataset, name: string): boolean {
  const { supportsAdvancedFiltering, staticFilters, additionalFilters } = filterSupport;
  return supportsAdvancedFiltering || [...staticFilters, ...additionalFilters].some((filter) => filter.name === name);
}
