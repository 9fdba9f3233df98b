import { calendarText } from "./filter-calendar.ts";
import type { CalendarFilter, Filter, PlainFilter } from "./filters.ts";

export const inQuotes = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** In quotes where the plain text would be read as something else. */
export const quoteIfNeeded = (text: string): string => (/^["']|^\s|\s$|,|(?:^|\s)(?:and|or)(?:\s|$)/i.test(text) ? inQuotes(text) : text);

const operatorWord = /(?:^|\s)(?:and|or|is|not|in|between|contains|starts|when)(?:\s|$)/i;
const isPlainItem = (text: string): boolean =>
  text !== "" && !/["',()<>=!≠≤≥]|^\s|\s$/.test(text) && !operatorWord.test(text) && !/^empty$/i.test(text);

/** The same of one value among others, where commas have a meaning and the word "empty" stands for rows without a value. */
export const listItemText = (text: string): string => (isPlainItem(text) ? text : inQuotes(text));

/** A column's name as it is typed. */
export const columnText = (name: string): string => (/^["'()]|^\s|\s$|^$/.test(name) ? inQuotes(name) : name);

/** How the parts of a filter are written. */
export interface Style {
  readonly column: (name: string) => string;
  /** A value beside a sign, and one beside other values. */
  readonly single: (filter: PlainFilter, value: string | number | boolean) => string;
  readonly item: (filter: PlainFilter, value: string | number | boolean) => string;
  /** Lists of more values say how many there are after the first ones. */
  readonly mostItems: number;
}

const shortList = { most: 3, named: 2 };

/** Shows a value of a filter, before it is put in quotes. */
export type ShowsValue = (filter: PlainFilter, value: string | number | boolean) => string;

export const asItIs: ShowsValue = (_, value) => String(value);

/** Reads like a sentence: the texts of comparisons have no quotes. A short one names two values of a long list. `column` says how columns are called. */
export const readableFilter = (
  filter: Filter,
  show: ShowsValue = asItIs,
  length: "full" | "short" = "full",
  column: (name: string) => string = (name) => name,
): string =>
  written(filter, {
    column,
    single: (one, value) =>
      one.operator.endsWith("contains") || one.operator.endsWith("with") ? inQuotes(show(one, value)) : show(one, value),
    item: (one, value) => listItemText(show(one, value)),
    mostItems: length === "short" ? shortList.most : Infinity,
  });

/** Writes a filter in a style. */
export function written(filter: Filter, style: Style): string {
  if (filter.operator !== "any") return writtenCondition(filter, style);
  // Equalities of one column would be read as a list.
  const equalities = filter.value.flatMap(([first, ...more]) => (first && more.length === 0 && isEquality(first) ? [first.name] : []));
  return filter.value
    .map((filters) => {
      const [first] = filters;
      const isJoined = first !== undefined && isEquality(first) && equalities.filter((name) => name === first.name).length > 1;
      const text = filters.map((one) => writtenCondition(one, style)).join(" and ");
      return filters.length > 1 || isJoined ? `(${text})` : text;
    })
    .join(" or ");
}

export const isCalendar = (filter: PlainFilter): filter is CalendarFilter => filter.operator === "when" || filter.operator === "not when";
const isEquality = ({ operator }: PlainFilter): boolean => operator === "=" || operator === "in";

function writtenCondition(filter: PlainFilter, style: Style): string {
  const start = `${style.column(filter.name)} ${filter.operator}`;
  if (isCalendar(filter)) return `${start} ${calendarText(filter.value)}`;
  const { name, operator, value } = filter;
  if (value === null) return `${style.column(name)} ${operator === "=" ? "is empty" : "is not empty"}`;
  if (!Array.isArray(value)) return `${start} ${style.single(filter, value)}`;
  const items = value.map((one) => (one === null ? "empty" : style.item(filter, one)));
  if (items.length > style.mostItems)
    return `${start} ${items.slice(0, shortList.named).join(", ")} and ${items.length - shortList.named} more`;
  return `${start} ${items.join(operator === "between" || operator === "not between" ? " and " : ", ")}`;
}
