import { type Column, type ColumnType, isDay, type Operator, operator, operatorsOf } from "@fairway/contract/columns";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { parseFilterValue } from "@fairway/contract/filter-values";
import {
  alternativesName,
  calendarPart,
  calendarRanges,
  filterLimits,
  type MoreOperator,
  moreOperator,
  moreOperatorsOf,
} from "@fairway/contract/filters";
import type { Limits } from "@fairway/contract/limits";
import type { SearchFilter } from "@fairway/contract/search";
import type {
  AlternativesCondition,
  CalendarCondition,
  ComparisonCondition,
  Condition,
  ListCondition,
  Operand,
  PlainCondition,
  RangeCondition,
} from "#query/engine.ts";
import { furtherOf } from "#query/own-conditions.ts";
import { zoneNamed } from "#query/sql/zone-offsets.ts";
import { Problems, quoted } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";

export type FilterLimits = Pick<Limits, "filtersPerSearch" | "filterListValues">;

/** Validates filters, reporting problems at `path`. `alsoAllowed`: a column to allow even if the dataset does not offer it. */
export function validFilters(
  dataset: SearchableDataset,
  filters: readonly SearchFilter[],
  limits: FilterLimits,
  problems: Problems,
  alsoAllowed?: string,
  path = "filters",
): Condition[] {
  const count = countOfFilters(filters);
  if (count > limits.filtersPerSearch) {
    problems.add("invalid-request", `A search can have at most ${limits.filtersPerSearch} filters, not ${count}.`, path);
    return [];
  }
  const listValues = filters.reduce((sum, filter) => sum + listValuesOf(filter), 0);
  if (listValues > filterLimits.listValues) {
    const most = filterLimits.listValues.toLocaleString("en-US");
    const found = listValues.toLocaleString("en-US");
    problems.add("invalid-request", `The lists of a search can have at most ${most} values together, not ${found}.`, path);
    return [];
  }
  return filters.flatMap((filter, index) => {
    const at = problems.within(`${path}.${index}`);
    const condition =
      filter.operator === "any"
        ? validAlternatives(dataset, filter, limits, alsoAllowed, at)
        : validFilter(dataset, filter, limits, alsoAllowed, at);
    return condition ?? [];
  });
}

type Sent = SearchFilter["value"];

/** Filters within alternatives count as filters themselves. */
export const countOfFilters = (filters: readonly SearchFilter[]): number => filters.reduce((sum, filter) => sum + countOf(filter), 0);

const countOf = ({ operator: name, value }: SearchFilter): number =>
  name === "any" && Array.isArray(value) ? value.reduce((sum: number, list) => sum + (Array.isArray(list) ? list.length : 1), 0) : 1;

function listValuesOf({ value }: Pick<SearchFilter, "value">): number {
  if (!Array.isArray(value)) return 0;
  return value.reduce(
    (sum: number, one) => sum + (Array.isArray(one) ? one.reduce((inner, filter) => inner + listValuesOf(filter), 0) : 1),
    0,
  );
}

function validAlternatives(
  dataset: SearchableDataset,
  { name, value }: SearchFilter,
  limits: FilterLimits,
  alsoAllowed: string | undefined,
  problems: Problems,
): AlternativesCondition | undefined {
  if (dataset.parameters !== null) {
    return problems.add("not-supported", "This dataset takes no alternatives: its service combines all filters.", "operator");
  }
  if (name !== alternativesName) return problems.add("invalid-request", `'any' takes the name '${alternativesName}'.`, "name");
  const { alternatives, filtersPerAlternative } = filterLimits;
  const lists: unknown[] = Array.isArray(value) ? value : [];
  if (!Array.isArray(value) || lists.some((list) => !Array.isArray(list))) {
    return problems.add("invalid-request", "'any' takes lists of filters.", "value");
  }
  if (lists.length < alternatives.least || lists.length > alternatives.most) {
    const message = `'any' takes ${alternatives.least} to ${alternatives.most} lists of filters, not ${lists.length}.`;
    return problems.add("invalid-request", message, "value");
  }
  const valid = value.map((list, index): PlainCondition[] => {
    if (!Array.isArray(list)) return [];
    const path = `value.${index}`;
    if (list.length === 0 || list.length > filtersPerAlternative) {
      problems.add("invalid-request", `An alternative has 1 to ${filtersPerAlternative} filters, not ${list.length}.`, path);
      return [];
    }
    return list.flatMap((filter, at) => {
      const inner = problems.within(`${path}.${at}`);
      if (filter.operator === "any") return inner.add("invalid-request", "Alternatives hold no further alternatives.", "operator") ?? [];
      return validFilter(dataset, filter, limits, alsoAllowed, inner) ?? [];
    });
  });
  return { operator: "any", lists: valid };
}

function validFilter(
  dataset: SearchableDataset,
  filter: SearchFilter,
  limits: FilterLimits,
  alsoAllowed: string | undefined,
  problems: Problems,
): PlainCondition | undefined {
  if (dataset.parameters !== null) return validParameter(dataset.parameters, filter, limits, problems);
  const column = plainColumn(dataset, filter.name, "name", problems);
  const requested = validOperator(filter.operator, "operator", problems);
  if (column === undefined) return undefined;
  if (column.name !== alsoAllowed && !isOffered(dataset, column.name)) {
    return problems.add("not-supported", `This dataset cannot be filtered by '${column.name}'.`, "name");
  }
  const subject: Subject = {
    name: column.name,
    type: column.type,
    requires: `but '${column.name}' is ${column.type}`,
    ...(isDay(column) ? { day: true } : {}),
  };
  if (requested !== undefined && !isOneOf(operator.options, requested))
    return validFurther(subject, requested, filter.value, limits, problems);
  const { value: sent } = filter;
  if (sent === null) return emptyCondition(column, requested, problems);
  if (typeof sent === "object") return oneValue(filter.operator, problems);
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

const oneValue = (name: string, problems: Problems): undefined =>
  problems.add("invalid-request", `${quoted(name)} takes one value.`, "value");

/** A column, or a parameter of an upstream, with what its values have to be. */
interface Subject {
  readonly name: string;
  readonly type: ColumnType;
  /** Ends a sentence on a value that it cannot hold. */
  readonly requires: string;
  readonly day?: true;
  /** Numbers of an upstream are sent with all their digits. */
  readonly parse?: typeof parseFilterValue;
}

/** Validates a filter with an operator other than those that compare with one value. */
function validFurther(
  subject: Subject,
  requested: Exclude<MoreOperator, "any">,
  sent: Sent,
  limits: FilterLimits,
  problems: Problems,
): PlainCondition | undefined {
  const { name: column, type, day } = subject;
  if (!moreOperatorsOf(type).includes(requested)) {
    return problems.add("unknown-operator", `'${requested}' cannot filter ${type}, which '${column}' is.`, "operator");
  }
  const further = day === true ? ({ day } as const) : {};
  switch (requested) {
    case "in":
    case "not in": {
      const list = validList(subject, requested, sent, limits, problems);
      return list && { column, type, operator: requested, ...list, ...further };
    }
    case "between":
    case "not between": {
      const range = validRange(subject, requested, sent, problems);
      return range && { column, type, operator: requested, ...range, ...further };
    }
    case "contains":
    case "not contains":
    case "starts with":
    case "not starts with": {
      const value = validText(subject, requested, sent, problems);
      return value === undefined ? undefined : { column, type, operator: requested, value };
    }
    case "when":
    case "not when": {
      const calendar = validCalendar(requested, sent, problems);
      return calendar && { column, type, operator: requested, ...calendar };
    }
    default:
      return requested satisfies never;
  }
}

function validList(
  subject: Subject,
  requested: MoreOperator,
  sent: Sent,
  { filterListValues }: FilterLimits,
  problems: Problems,
): Pick<ListCondition, "values" | "empty"> | undefined {
  if (!isScalarList(sent) || sent.length === 0) return problems.add("invalid-request", `'${requested}' takes a list of values.`, "value");
  if (sent.length > filterListValues) {
    const message = `A list can have at most ${filterListValues.toLocaleString("en-US")} values, not ${sent.length.toLocaleString("en-US")}.`;
    return problems.add("invalid-request", message, "value");
  }
  const values = sent.map((value, index) => (value === null ? null : validOperand(subject, value, `value.${index}`, problems)));
  return values.includes(undefined)
    ? undefined
    : { values: values.filter((value) => value !== null && value !== undefined), empty: values.includes(null) };
}

function validRange(
  subject: Subject,
  requested: MoreOperator,
  sent: Sent,
  problems: Problems,
): Pick<RangeCondition, "low" | "high"> | undefined {
  const [first, last] = isScalarList(sent) ? sent : [];
  if (!isScalarList(sent) || sent.length !== 2 || first === undefined || last === undefined) {
    return problems.add("invalid-request", `'${requested}' takes two values, the lower one first.`, "value");
  }
  const ends = [first, last].map((value, index) => {
    if (value !== null) return validOperand(subject, value, `value.${index}`, problems);
    return problems.add("invalid-request", `'${requested}' takes no null.`, `value.${index}`);
  });
  const [low, high] = ends;
  if (low === undefined || high === undefined) return undefined;
  if (isReversed(low, high)) {
    return problems.add(
      "reversed-range",
      `${quoted(String(first))} is above ${quoted(String(last))}: send the lower value first.`,
      "value",
    );
  }
  return { low, high };
}

/** Texts are ordered by code point, as engines order them. */
function isReversed({ value: low }: Operand, { value: high }: Operand): boolean {
  if (typeof low === "string" && typeof high === "string") return Buffer.compare(Buffer.from(low), Buffer.from(high)) > 0;
  return low > high;
}

function validText(subject: Subject, requested: MoreOperator, sent: Sent, problems: Problems): string | undefined {
  if (sent === null || typeof sent === "object") return problems.add("invalid-request", `'${requested}' takes a text.`, "value");
  if (sent === "") return problems.add("invalid-request", `'${requested}' takes a text that is not empty.`, "value");
  const operand = validOperand(subject, sent, "value", problems);
  return typeof operand?.value === "string" ? operand.value : undefined;
}

function validCalendar(
  requested: MoreOperator,
  sent: Sent,
  problems: Problems,
): Pick<CalendarCondition, "part" | "zone" | "numbers"> | undefined {
  if (sent === null || typeof sent !== "object" || Array.isArray(sent)) {
    return problems.add("invalid-request", `'${requested}' takes {part, zone, in}.`, "value");
  }
  const part = calendarPart.safeParse(sent.part);
  if (!part.success) {
    problems.add("invalid-value", `There is no part ${quoted(sent.part)}. Use one of: ${calendarPart.options.join(", ")}.`, "value.part");
  }
  const zone = sent.zone.length > filterLimits.zoneCharacters ? undefined : zoneNamed(sent.zone);
  if (zone === undefined) {
    problems.add("invalid-value", `${quoted(sent.zone)} is not a time zone; name one such as America/New_York.`, "value.zone");
  }
  if (sent.in.length === 0) return problems.add("invalid-request", `'${requested}' takes at least one number.`, "value.in");
  if (!part.success || zone === undefined) return undefined;
  const [first, last] = calendarRanges[part.data];
  const wrong = sent.in.findIndex((number) => !Number.isInteger(number) || number < first || number > last);
  if (wrong >= 0) {
    const message = `${quoted(sent.in[wrong] ?? "")} is no ${part.data}, which is a whole number from ${first} to ${last}.`;
    return problems.add("invalid-value", message, `value.in.${wrong}`);
  }
  return { part: part.data, zone, numbers: [...new Set(sent.in)] };
}

function validOperand(
  { type, day, requires, parse = parseFilterValue, name }: Subject,
  sent: FilterValue,
  path: string,
  problems: Problems,
): Operand | undefined {
  const parsed = parse(type, sent);
  if ("problem" in parsed) return problems.add("invalid-value", `${quoted(sent)} ${parsed.problem}, ${requires}.`, path);
  const { digits } = furtherOf({ name, type, ...(day === true ? { day } : {}) }, sent);
  return { value: parsed.value, ...(digits === undefined ? {} : { digits }) };
}

const isScalarList = (sent: Sent): sent is (FilterValue | null)[] => Array.isArray(sent) && !sent.some((one) => Array.isArray(one));

/** The condition of a filter on null. */
function emptyCondition(
  { name, type }: Pick<Column, "name" | "type">,
  requested: Operator | undefined,
  problems: Problems,
): ComparisonCondition | undefined {
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
function validParameter(
  parameters: readonly FieldFilter[],
  filter: SearchFilter,
  limits: FilterLimits,
  problems: Problems,
): PlainCondition | undefined {
  const parameter = parameters.find(({ name }) => name === filter.name);
  const requested = validOperator(filter.operator, "operator", problems);
  if (parameter === undefined) return problems.add("unknown-column", `This dataset has no filter ${quoted(filter.name)}.`, "name");
  const { name, type, operators = [], moreOperators = [] } = parameter;
  const known: readonly string[] = [...operators, ...moreOperators];
  if (requested !== undefined && !known.includes(requested)) {
    const message = `'${requested}' is not an operator of '${name}'. Use one of: ${operatorList(operators, moreOperators)}.`;
    return problems.add("unknown-operator", message, "operator");
  }
  const columnType = type === "number" ? "decimal" : type;
  if (requested !== undefined && !isOneOf(operator.options, requested)) {
    const subject = { name, type: columnType, requires: `as '${name}' requires`, parse: parseNumberExactly };
    if (isScalarList(filter.value) && filter.value.includes(null)) {
      return problems.add("not-supported", `This dataset cannot find rows without a value in '${name}'.`, "value");
    }
    return validFurther(subject, requested, filter.value, limits, problems);
  }
  if (filter.value === null) {
    return problems.add("not-supported", `This dataset cannot find rows without a value in '${name}'.`, "value");
  }
  if (typeof filter.value === "object") return oneValue(filter.operator, problems);
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

const ofColumns = moreOperator.exclude(["any"]).options;

/** `any` is of no column. */
function validOperator(requested: string, path: string, problems: Problems): Operator | Exclude<MoreOperator, "any"> | undefined {
  if (isOneOf(operator.options, requested)) return requested;
  if (isOneOf(ofColumns, requested)) return requested;
  const known = operatorList(operator.options, moreOperator.options);
  return problems.add("unknown-operator", `There is no operator ${quoted(requested)}. Use one of: ${known}.`, path);
}

/** `= <> < <= > >=`, then the others with commas, because some are of two words. */
const operatorList = (operators: readonly string[], further: readonly string[]): string =>
  [...(operators.length === 0 ? [] : [operators.join(" ")]), ...further].join(", ");

const isOneOf = <Option extends string>(options: readonly Option[], text: string): text is Option =>
  options.some((option) => option === text);

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
