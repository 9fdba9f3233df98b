import { type Column, operator } from "@fairway/contract/columns";
import type { DatasetDescription, FilterValue } from "@fairway/contract/datasets";
import { type ParsedFilters, parseFilters, type TextColumn } from "@fairway/contract/filter-text";
import { typedFilter } from "@fairway/contract/filter-typed";
import { type Filter, moreOperator, type PlainFilter } from "@fairway/contract/filters";
import {
  allowedOperators,
  alternativesFilter,
  availableFilters,
  columnFilter,
  filterableColumns,
  furtherOperators,
  isLinked,
  withoutValue,
} from "#parts/search-model/filter-list.ts";
import { type FormFilter, isCompared, settingOf, withSetting } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { canBeEmpty, filterProblem, isTimeType, readFilter, readFilterValue } from "./filter-value.ts";

/** Conditions that may be typed about one column. */
export interface TypedField extends TextColumn {
  /** Its values are whole days. */
  readonly day?: boolean | undefined;
  readonly label?: string | undefined;
  readonly description: string;
}

/** Upper bound on the length of a typed text. */
export const maxTypedCharacters = 2_000;

const isEditable = (filter: FormFilter): boolean => !filter.preFilled && !isLinked(filter) && filter.operator !== "any";

/** The filters that a new condition may set, besides a new one on any column with advanced filtering. */
const settable = (description: DatasetDescription, filters: readonly FormFilter[]): FormFilter[] => [
  ...filters.filter(isEditable),
  ...availableFilters(description, filters),
];

/** The columns that filters can be typed for, with what their filters allow. */
export function typedFields(description: DatasetDescription, filters: readonly FormFilter[]): TypedField[] {
  const schemaColumns = new Map(description.schema.columns.map((column) => [column.name, column]));
  const columns = description.filterSupport.supportsAdvancedFiltering
    ? filterableColumns(description).map((column) => columnFilter(column, []))
    : [];
  const offered = [...columns, ...settable(description, filters)];
  const names = [...new Set(offered.map(({ name }) => name))];
  const alternatives = description.moreOperators.filter((one) => one === "any");
  return names.map((name) => {
    const all = offered.filter((filter) => filter.name === name);
    const [first] = all;
    const further = moreOperator.options.filter((one) => all.some((filter) => furtherOperators(filter, description).includes(one)));
    return {
      name,
      type: first?.type ?? "STRING",
      day: first?.day,
      description: first?.description ?? "",
      label: schemaColumns.get(name)?.label,
      unit: schemaColumns.get(name)?.unit,
      operators: operator.options.filter((one) => all.some((filter) => allowedOperators(filter).includes(one))),
      moreOperators: [...further, ...alternatives],
      canBeEmpty: all.some(canBeEmpty),
    };
  });
}

/** Parses conditions such as `wind >= 64 and name is not empty`. A problem is worded for the user. */
export const parseTyped = (
  text: string,
  fields: readonly TypedField[],
  { schema }: DatasetDescription,
): ParsedFilters | { readonly problem: string } => parseFilters(text, fields, schema.columns);

type Applied = { readonly filters: readonly FormFilter[]; readonly added: readonly FormFilter[] } | { readonly problem: string };

/**
 * Adds typed filters. A field of the form that is empty and has the operator takes the value first. With `editedId`, the first one
 * replaces that filter. Values are parsed as they are sent.
 */
export function addTyped(
  description: DatasetDescription,
  current: readonly FormFilter[],
  typed: readonly Filter[],
  editedId?: string,
): Applied {
  let filters = [...current];
  const added: FormFilter[] = [];
  for (const [index, setting] of typed.entries()) {
    const edited = index === 0 ? filters.find(({ id }) => id === editedId) : undefined;
    const isSameField = edited !== undefined && accepts(description, edited, setting);
    if (edited && !isSameField) filters = withoutValue(description, filters, edited);
    const target = isSameField ? edited : targetOf(description, filters, setting);
    if (!target) return { problem: `${setting.name} can no longer be filtered with ${setting.operator}.` };
    const read = readTyped(description, withSetting(target, setting));
    if ("problem" in read) return read;
    const { filter } = read;
    const said = JSON.stringify(settingOf(filter));
    const isThere = filters.some((other) => other.id !== filter.id && JSON.stringify(settingOf(other)) === said);
    if (isThere && !edited) continue;
    added.push(filter);
    filters = filters.some(({ id }) => id === filter.id)
      ? filters.map((other) => (other.id === filter.id ? filter : other))
      : [...filters, filter];
  }
  return { filters, added };
}

type Read = { readonly filter: FormFilter } | { readonly problem: string };

/** A filter whose values are still typed texts, with its values as they are sent. */
export function readTyped(description: DatasetDescription, filter: FormFilter): Read {
  if (isCompared(filter)) {
    const problem = filterProblem(filter);
    return problem === undefined ? { filter: readFilter(filter) } : { problem };
  }
  const setting = settingOf(filter);
  if (setting.operator !== "any") {
    const read = readSetting(setting, filter);
    return "problem" in read ? read : { filter: withSetting(filter, read) };
  }
  const read = readAlternatives(description, setting.value);
  return "problem" in read ? read : { filter: withSetting(filter, { operator: "any", value: read.lists }) };
}

/** Typed filters that stand for themselves, with their values as they are sent. */
export function readConditions(description: DatasetDescription, typed: readonly Filter[]): { filters: Filter[] } | { problem: string } {
  const filters: Filter[] = [];
  for (const one of typed) {
    const read = one.operator === "any" ? readAlternatives(description, one.value) : readSetting(one, fieldOf(description, one.name));
    if ("problem" in read) return read;
    filters.push("lists" in read ? { name: "*", operator: "any", value: read.lists } : read);
  }
  return { filters };
}

function readAlternatives(
  description: DatasetDescription,
  alternatives: PlainFilter[][],
): { lists: PlainFilter[][] } | { problem: string } {
  const lists: PlainFilter[][] = [];
  for (const list of alternatives) {
    const inner: PlainFilter[] = [];
    for (const one of list) {
      const read = readSetting(one, fieldOf(description, one.name));
      if ("problem" in read) return read;
      inner.push(read);
    }
    lists.push(inner);
  }
  return { lists };
}

type ValueType = Parameters<typeof readFilterValue>[0];

/** The type of a column's filters. An upstream's parameters are not always columns. */
function fieldOf(description: DatasetDescription, name: string): ValueType {
  const { staticFilters, additionalFilters } = description.filterSupport;
  const column: Column | undefined = description.schema.columns.find((one) => one.name === name);
  return column ?? [...staticFilters, ...additionalFilters].find((one) => one.name === name) ?? { type: "STRING" };
}

function readSetting(setting: PlainFilter, type: ValueType): PlainFilter | { problem: string } {
  const problems: string[] = [];
  const readOne = (value: FilterValue): FilterValue => {
    // A blank text is a value here, whatever it means in a field.
    if (type.type === "STRING") return String(value);
    const read = readFilterValue(type, value);
    if ("problem" in read) problems.push(read.problem);
    else if (read.value === "") problems.push(`'' is no value of ${setting.name}.`);
    return "value" in read ? read.value : value;
  };
  const read = withValues(setting, readOne);
  const problem = problems[0] ?? reversedProblem(read);
  return problem === undefined ? read : { problem };
}

function withValues(setting: PlainFilter, readOne: (value: FilterValue) => FilterValue): PlainFilter {
  switch (setting.operator) {
    case "in":
    case "not in":
      return { ...setting, value: setting.value.map((value) => (value === null ? null : readOne(value))) };
    case "between":
    case "not between":
      return { ...setting, value: [readOne(setting.value[0]), readOne(setting.value[1])] };
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return { ...setting, value: setting.value === null ? null : readOne(setting.value) };
    case "contains":
    case "not contains":
    case "starts with":
    case "not starts with":
    case "when":
    case "not when":
      return setting;
    default:
      return setting satisfies never;
  }
}

/** Numbers and times whose order is known here. Texts and whole numbers beyond 2^53 are the server's. */
function reversedProblem({ name, operator: sign, value }: PlainFilter): string | undefined {
  if ((sign !== "between" && sign !== "not between") || !Array.isArray(value)) return undefined;
  const [low, high] = value;
  const isReversed = typeof low === "number" && typeof high === "number" ? low > high : false;
  return isReversed ? `The range of ${name} ends before it starts: type ${name} ${sign} ${high} and ${low}.` : undefined;
}

const accepts = (description: DatasetDescription, filter: FormFilter, { name, operator: sign, value }: Filter): boolean => {
  if (filter.name !== name) return false;
  if (value === null) return canBeEmpty(filter);
  return (
    sign === "any" ||
    allowedOperators(filter).some((one) => one === sign) ||
    furtherOperators(filter, description).some((one) => one === sign)
  );
};

function targetOf(description: DatasetDescription, filters: readonly FormFilter[], setting: Filter): FormFilter | undefined {
  if (setting.operator === "any") return alternativesFilter(filters);
  const fitting = settable(description, filters).filter((filter) => accepts(description, filter, setting));
  const unset = fitting.filter((filter) => !hasValue(filter));
  const match = unset.find((filter) => filter.operator === setting.operator);
  if (match) return match;
  const column = description.filterSupport.supportsAdvancedFiltering
    ? filterableColumns(description).find(({ name }) => name === setting.name)
    : undefined;
  // Without advanced filtering, a column has only the dataset's own filters.
  return column
    ? columnFilter(column, filters)
    : (unset[0] ?? fitting.find((filter) => filter.operator === setting.operator) ?? fitting[0]);
}

/** A filter as it would be typed: typing it again gives the same filter. */
export function typedText(filter: FormFilter, fields: readonly TypedField[]): string {
  return typedFilter(settingOf(filter), fields, ({ name }, value) => {
    const type = filter.operator === "any" ? fields.find((field) => field.name === name)?.type : filter.type;
    if (type === undefined || !isTimeType(type)) return String(value);
    return String(value)
      .replace(/\.000Z$/, "Z")
      .replace(/T00:00:00Z$/, "");
  });
}
