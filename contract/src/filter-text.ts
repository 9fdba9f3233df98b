import { type Clause, clausesOf, type TextColumn, type TypedValue } from "./filter-clauses.ts";
import { conditionProblem, isNumber, type OtherColumn, severalValuesHint, textHints } from "./filter-hints.ts";
import { readCalendar } from "./filter-calendar-reading.ts";
import { columnText, inQuotes, listItemText } from "./filter-writing.ts";
import { alternativesName, filterLimits } from "./filter-limits.ts";
import type { Filter, ListFilter, PlainFilter } from "./filters.ts";

export type { TextColumn } from "./filter-clauses.ts";

/** A condition whose value reads like several, such as `origin = ATL, ORD`. Each reading replaces the text from `from` to `to`. */
export interface DoubtfulValue {
  readonly from: number;
  readonly to: number;
  readonly column: string;
  /** The value as one text, and as the several that it reads like. */
  readonly value: string;
  readonly parts: readonly string[];
  /** Undefined where the column takes no list. */
  readonly asList: string | undefined;
  /** Undefined where the column holds no such value. */
  readonly asValue: string | undefined;
  /** Advice where neither is offered. */
  readonly hint: string;
}

export interface ParsedFilters {
  /** Joined by "and". Values are texts as typed, to be read by their columns; null asks for rows without a value. */
  readonly filters: readonly Filter[];
  /** Conditions that `filters` reads as one value each, although they may be lists. */
  readonly doubtful: readonly DoubtfulValue[];
}

type Parsed = ParsedFilters | { readonly problem: string };

/**
 * Parses conditions such as `wind >= 64 and name is not empty`, `origin in ORD, ATL` or `(delay >= 60 and origin = ORD) or distance < 200`.
 * `others` are columns that take no filter, for a problem to name. A problem is worded for the user.
 */
export function parseFilters(text: string, columns: readonly TextColumn[], others: readonly OtherColumn[] = []): Parsed {
  const clauses = clausesOf(text, columns, false);
  // A separator at the end.
  if (clauses.length > 1 && text.slice(clauses.at(-1)?.column.from).trim() === "") clauses.pop();
  if (clauses.at(-1)?.link === "or") return { problem: takesAlternatives(columns) ? textHints.unfinished : textHints.notJoined };
  const conditions: Condition[] = [];
  const doubtful: DoubtfulValue[] = [];
  let depth = 0;
  for (let index = 0; index < clauses.length;) {
    const members = quotedListAt(clauses, index);
    const [clause, last = clause] = [clauses[index], clauses[index + members.length]];
    if (!clause || !last) break;
    const doubt = members.length > 0 ? quotedDoubt(clause, members) : doubtOf(clause);
    const problem = conditionProblem(clause, columns, others) ?? (doubt && !doubt.asList && !doubt.asValue ? doubt.hint : undefined);
    if (problem !== undefined) return { problem };
    const filter = filterOf(clause);
    if ("problem" in filter) return filter;
    if (doubt) doubtful.push(doubt);
    depth += clause.opens;
    if (depth > 1) return { problem: textHints.nested };
    conditions.push({ isOpening: clause.opens > 0, isClosing: last.closes > 0, link: last.link, filter });
    depth -= last.closes;
    index += members.length + 1;
  }
  if (depth > 0) return { problem: textHints.unclosed };
  const filters = combined(conditions);
  if ("problem" in filters) return filters;
  return filters.every((filter) => isTaken(filter, columns)) ? { filters, doubtful } : { problem: textHints.notJoined };
}

const takesAlternatives = (columns: readonly TextColumn[]): boolean => columns.some(({ moreOperators }) => moreOperators.includes("any"));

/** Alternatives and the lists that they may become are not what every dataset takes. */
function isTaken({ name, operator }: Filter, columns: readonly TextColumn[]): boolean {
  if (operator === "any") return takesAlternatives(columns);
  return operator !== "in" || columns.some((column) => column.name === name && column.moreOperators.includes("in"));
}

interface Condition {
  readonly isOpening: boolean;
  readonly isClosing: boolean;
  readonly link: Clause["link"];
  readonly filter: PlainFilter;
}

function filterOf({ field, condition, values }: Clause): PlainFilter | { problem: string } {
  const name = field?.name ?? "";
  const sign = condition?.operator ?? "=";
  const texts = values.map((value) => valueOf(value, field));
  const [first = "", second = ""] = texts;
  switch (sign) {
    case "in":
    case "not in": {
      const typed = values.flatMap((value, index) =>
        value.text === "" && !value.isQuoted ? [] : [isEmptyWord(value) ? null : (texts[index] ?? "")],
      );
      return { name, operator: sign, value: typed };
    }
    case "between":
    case "not between":
      return { name, operator: sign, value: [first, second] };
    case "contains":
    case "not contains":
    case "starts with":
    case "not starts with":
      return { name, operator: sign, value: first };
    case "when":
    case "not when": {
      const read = readCalendar(first);
      return "problem" in read ? read : { name, operator: sign, value: read.value };
    }
    case "=":
    case "<>":
    case "<":
    case "<=":
    case ">":
    case ">=":
      return { name, operator: sign, value: condition?.isEmpty ? null : first };
    default:
      return sign satisfies never;
  }
}

/** In a list, the bare word stands for rows without a value. */
const isEmptyWord = ({ text, isQuoted }: TypedValue): boolean => !isQuoted && text.toLowerCase() === "empty";

function valueOf({ text, isQuoted }: TypedValue, field: TextColumn | undefined): string {
  if (isQuoted) return text;
  if (field?.type === "BOOLEAN") return booleanWords.get(text.toLowerCase()) ?? text;
  return isNumber(field) ? withoutUnit(text, field?.unit) : text;
}

/** Words for the values of booleans, which are written as `true` and `false`. */
const booleanWords: ReadonlyMap<string, string> = new Map([
  ["yes", "true"],
  ["no", "false"],
  ["true", "true"],
  ["false", "false"],
]);

/** `64 kt` and `5%` are numbers where the column has that unit. */
function withoutUnit(text: string, unit: string | undefined): string {
  if (unit === undefined || unit === "" || /^[\d.]+$/.test(unit) || !text.toLowerCase().endsWith(unit.toLowerCase())) return text;
  const number = text.slice(0, -unit.length).trimEnd();
  return /[\d.]$/.test(number) ? number : text;
}

/** The filters that the conditions say: "and" binds tighter than "or", and parentheses hold alternatives together. */
function combined(conditions: readonly Condition[]): Filter[] | { problem: string } {
  const alternatives: Unit[][] = [[]];
  let group: PlainFilter[][] | undefined;
  for (const { isOpening, isClosing, link, filter } of conditions) {
    if (isOpening) group = [[]];
    if (group) group.at(-1)?.push(filter);
    else alternatives.at(-1)?.push({ isBare: true, alternatives: [[filter]] });
    if (group && isClosing) {
      alternatives.at(-1)?.push({ isBare: false, alternatives: group });
      group = undefined;
    }
    if (link === "or") (group ?? alternatives).push([]);
  }
  const [units = []] = alternatives;
  if (alternatives.length === 1) return merged(units.map((unit) => joined(unit.alternatives.map(alone))));
  const flat: Alternative[] = [];
  for (const all of alternatives) {
    const [unit] = all;
    if (all.length === 1 && unit && unit.alternatives.length > 1) {
      flat.push(...unit.alternatives.map(alone));
      continue;
    }
    const filters = merged(all.map((one) => joined(one.alternatives.map(alone))));
    if ("problem" in filters) return filters;
    if (!filters.every(isPlain)) return { problem: textHints.nested };
    flat.push({ filters, isAlone: all.length === 1 && unit?.isBare === true });
  }
  return joined(flat);
}

/** A part between "and" and "or": one condition, or those in parentheses. */
interface Unit {
  readonly isBare: boolean;
  readonly alternatives: PlainFilter[][];
}

interface Alternative {
  readonly filters: PlainFilter[];
  /** One condition without parentheses of its own: equalities of one column become a list then. */
  readonly isAlone: boolean;
}

const alone = (filters: PlainFilter[]): Alternative => ({ filters, isAlone: filters.length === 1 });

const isPlain = (filter: Filter): filter is PlainFilter => filter.operator !== "any";

function merged(lists: readonly (Filter[] | { problem: string })[]): Filter[] | { problem: string } {
  const problem = lists.find((list) => "problem" in list);
  return problem ?? lists.flatMap((list) => ("problem" in list ? [] : list));
}

/** The filters that are left of alternatives once equalities of one column became a list. */
function joined(alternatives: readonly Alternative[]): Filter[] | { problem: string } {
  const kept: PlainFilter[][] = [];
  const lists = new Map<string, { at: number; values: ListFilter["value"] }>();
  for (const { filters, isAlone } of alternatives) {
    const [filter] = filters;
    const values = filter && isAlone && alternatives.length > 1 ? equalValues(filter) : undefined;
    const list = filter && lists.get(filter.name);
    if (!filter || !values) kept.push(filters);
    else if (list) {
      list.values.push(...values);
      kept[list.at] = [{ name: filter.name, operator: "in", value: list.values }];
    } else {
      lists.set(filter.name, { at: kept.length, values: [...values] });
      kept.push(filters);
    }
  }
  const [only = []] = kept;
  if (kept.length <= 1) return only;
  const { alternatives: bounds, filtersPerAlternative } = filterLimits;
  if (kept.length > bounds.most || kept.some(({ length }) => length > filtersPerAlternative)) return { problem: textHints.tooMany };
  return [{ name: alternativesName, operator: "any", value: kept }];
}

function equalValues({ operator, value }: PlainFilter): ListFilter["value"] | undefined {
  if (operator === "=") return [value];
  return operator === "in" ? value : undefined;
}

const orWord = /\sor\s+/i;

/** The parts of a value that reads like several: `ATL, ORD`, or `ATL or ORD`. Undefined for one value. Times and decimals contain commas of their own. */
function partsOf({ field, condition, values: [value] }: Clause): string[] | undefined {
  if (!field || !condition || condition.isEmpty || (condition.operator !== "=" && condition.operator !== "<>")) return undefined;
  if (!value || value.isQuoted || field.type.startsWith("TIMESTAMP")) return undefined;
  const isList = field.type === "STRING" ? /,/ : /,\s|,.*,/;
  if (!isList.test(value.text) && !orWord.test(value.text)) return undefined;
  const parts = value.text
    .split(/,|\sor\s+/i)
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .map((part) => (/^(["']).+\1$/.test(part) ? part.slice(1, -1) : part));
  return parts.length > 1 ? parts : undefined;
}

function doubtOf(clause: Clause): DoubtfulValue | undefined {
  const parts = partsOf(clause);
  const { field, condition, column, values } = clause;
  const [value] = values;
  if (!parts || !field || !condition || !value) return undefined;
  const isText = field.type === "STRING";
  return {
    from: column.from,
    to: value.from + value.text.length,
    column: field.name,
    value: value.text,
    parts,
    asList: listText(clause, parts),
    asValue: isText ? `${columnText(field.name)} ${condition.operator} ${inQuotes(value.text)}` : undefined,
    hint: severalValuesHint(clause, value.text, parts),
  };
}

/** The condition as a list; undefined where the column takes none. */
function listText({ field, condition }: Clause, parts: readonly string[]): string | undefined {
  const operator = condition?.operator === "<>" ? "not in" : "in";
  if (!field?.moreOperators.includes(operator)) return undefined;
  return `${columnText(field.name)} ${operator} ${parts.map(listItemText).join(", ")}`;
}

/** The clauses that go on with a list whose first value is in quotes: `name = "Rita", "Katrina"`. */
function quotedListAt(clauses: readonly Clause[], index: number): Clause[] {
  const clause = clauses[index];
  const [value] = clause?.values ?? [];
  if (!clause?.field || !value?.isQuoted || (clause.condition?.operator !== "=" && clause.condition?.operator !== "<>")) return [];
  const members: Clause[] = [];
  for (const one of clauses.slice(index + 1)) {
    const before = members.at(-1) ?? clause;
    if (before.closes > 0 || before.rest !== "" || one.field || one.condition || one.opens > 0 || one.column.text === "") break;
    members.push(one);
  }
  return members;
}

function quotedDoubt(clause: Clause, members: readonly Clause[]): DoubtfulValue {
  const { field, column, values } = clause;
  const parts = [...values.map(({ text }) => text), ...members.map((member) => member.column.text)];
  return {
    from: column.from,
    to: members.at(-1)?.column.to ?? column.to,
    column: field?.name ?? "",
    value: parts.join(", "),
    parts,
    asList: listText(clause, parts),
    asValue: undefined,
    hint: severalValuesHint(clause, undefined, parts),
  };
}
