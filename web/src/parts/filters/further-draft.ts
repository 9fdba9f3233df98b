import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { parseFilters } from "@fairway/contract/filter-text";
import { listItemText } from "@fairway/contract/filter-writing";
import {
  type CalendarPart,
  calendarRanges,
  type ListFilter,
  type MoreOperator,
  type PlainFilter,
  type RangeFilter,
  type CalendarFilter,
} from "@fairway/contract/filters";
import { type FormFilter, isCompared, withSetting } from "#parts/search-model/form-filter.ts";
import { readTyped, type TypedField } from "./typed-filter.ts";

/** The kinds of conditions, as a dialog names them. */
export type Kind = "compare" | "list" | "range" | "text" | "calendar";
type FurtherOperator = Exclude<MoreOperator, "any">;

export const kindLabels: Readonly<Record<Kind, string>> = {
  compare: "Compare",
  list: "List",
  range: "Range",
  text: "Text",
  calendar: "Calendar",
};

const operatorsOfKind: Readonly<Record<Exclude<Kind, "compare">, readonly FurtherOperator[]>> = {
  list: ["in", "not in"],
  range: ["between", "not between"],
  text: ["contains", "not contains", "starts with", "not starts with"],
  calendar: ["when", "not when"],
};
const furtherKinds = Object.keys(operatorsOfKind) as Exclude<Kind, "compare">[];

/** A condition other than a comparison while it is edited. A switch to another kind loses nothing. */
export interface FurtherDraft {
  readonly operator: FurtherOperator | null;
  /** Values as typed, one a line or separated by commas. */
  readonly list: string;
  readonly low: FilterValue;
  readonly high: FilterValue;
  readonly text: string;
  readonly part: CalendarPart;
  readonly zone: string;
  readonly members: readonly number[];
}

const emptyDraft: FurtherDraft = { operator: null, list: "", low: "", high: "", text: "", part: "dayOfWeek", zone: "UTC", members: [] };

/** The operators of a kind that a filter may have. */
export const offeredOperators = (kind: Exclude<Kind, "compare">, allowed: readonly MoreOperator[]): readonly FurtherOperator[] =>
  operatorsOfKind[kind].filter((one) => allowed.includes(one));

/** The kinds that a filter may have. Each takes comparisons. */
export const offeredKinds = (allowed: readonly MoreOperator[]): readonly Kind[] => [
  "compare",
  ...furtherKinds.filter((kind) => offeredOperators(kind, allowed).length > 0),
];

export const kindOf = ({ operator }: { readonly operator: FormFilter["operator"] | null }): Kind =>
  furtherKinds.find((kind) => operatorsOfKind[kind].some((one) => one === operator)) ?? "compare";

/** The draft of a filter that is edited. */
export function draftOf(filter: FormFilter): FurtherDraft {
  if (isCompared(filter) || filter.operator === "any") return emptyDraft;
  const started = { ...emptyDraft, operator: filter.operator };
  switch (filter.operator) {
    case "in":
    case "not in":
      return { ...started, list: filter.value.map((value) => (value === null ? "empty" : listItemText(String(value)))).join("\n") };
    case "between":
    case "not between":
      return { ...started, low: filter.value[0], high: filter.value[1] };
    case "when":
    case "not when":
      return { ...started, part: filter.value.part, zone: filter.value.zone, members: filter.value.in };
    case "contains":
    case "not contains":
    case "starts with":
    case "not starts with":
      return { ...started, text: filter.value };
    default:
      return filter satisfies never;
  }
}

export type Drafted = { readonly filter: FormFilter } | { readonly problem: string; readonly isMissing?: boolean };

/** The filter that a draft says, its values as they are sent. */
export function filterOfDraft(
  description: DatasetDescription,
  field: FieldFilter,
  typed: TypedField | undefined,
  kind: Exclude<Kind, "compare">,
  draft: FurtherDraft,
): Drafted {
  const allowed = offeredOperators(kind, typed?.moreOperators ?? []);
  const operator = allowed.find((one) => one === draft.operator) ?? allowed[0];
  if (operator === undefined || !typed) return { problem: `${field.display} takes no such condition.` };
  const setting = settingOfDraft(typed, operator, draft);
  return "problem" in setting ? setting : readTyped(description, withSetting(field, setting));
}

function settingOfDraft(
  typed: TypedField,
  operator: FurtherOperator,
  draft: FurtherDraft,
): PlainFilter | Extract<Drafted, { problem: string }> {
  const { name } = typed;
  const { list, low, high, text, part, zone, members } = draft;
  if (isListOperator(operator)) return listOf(typed, operator, list);
  if (isRangeOperator(operator)) {
    const [from, to] = [low, high].map((value) => (typeof value === "string" ? value.trim() : value));
    if (from === "" || to === "") return { problem: "Add both ends.", isMissing: true };
    return { name, operator, value: [low, high] };
  }
  if (isCalendarOperator(operator)) {
    if (members.length === 0) return { problem: "Choose at least one.", isMissing: true };
    return { name, operator, value: { part, zone, in: members.toSorted((one, other) => one - other) } };
  }
  return text === "" ? { problem: "Add a text.", isMissing: true } : { name, operator, value: text };
}

const isListOperator = (one: FurtherOperator): one is ListFilter["operator"] => one === "in" || one === "not in";
const isRangeOperator = (one: FurtherOperator): one is RangeFilter["operator"] => one === "between" || one === "not between";
const isCalendarOperator = (one: FurtherOperator): one is CalendarFilter["operator"] => one === "when" || one === "not when";

/** Reads lines by the grammar of typed filters, so that quotes and the word "empty" mean the same in both. */
export function listOf(
  typed: TypedField,
  operator: ListFilter["operator"],
  text: string,
): ListFilter | Extract<Drafted, { problem: string }> {
  const lines = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== "");
  if (lines.length === 0) return { problem: "Add a value.", isMissing: true };
  // Only its own column: a value that reads like another one's condition is a value here.
  const parsed = parseFilters(`"${typed.name.replaceAll('"', '""')}" ${operator} ${lines.join(", ")}`, [typed]);
  if ("problem" in parsed) return parsed;
  const [filter, ...more] = parsed.filters;
  if (more.length > 0 || !filter || (filter.operator !== "in" && filter.operator !== "not in")) {
    return { problem: 'Put values with signs or words such as "and" in quotes.' };
  }
  return filter;
}

/** Numbers of a part of the calendar. */
export function membersOf(part: CalendarPart): number[] {
  const [first, last] = calendarRanges[part];
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
