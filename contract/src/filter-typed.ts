import { calendarText } from "./filter-calendar.ts";
import { clausesOf, type TextColumn } from "./filter-clauses.ts";
import { asItIs, columnText, inQuotes, isCalendar, listItemText, quoteIfNeeded, type ShowsValue, written } from "./filter-writing.ts";
import type { Filter, PlainFilter } from "./filters.ts";

/**
 * A filter as it would be typed: `parseFilters` reads the same filter, its values as the texts that `show` gives. Quotes are where the
 * text would otherwise say something else, which depends on the names of the columns.
 */
export function typedFilter(filter: Filter, columns: readonly TextColumn[], show: ShowsValue = asItIs): string {
  const plain = written(filter, {
    column: columnText,
    single: (one, value) => singleText(one, show(one, value)),
    item: (one, value) => listItemText(show(one, value)),
    mostItems: Infinity,
  });
  const quoted = (one: PlainFilter, value: string | number | boolean) => inQuotes(show(one, value));
  return says(plain, filter, columns, show)
    ? plain
    : written(filter, { column: inQuotes, single: quoted, item: quoted, mostItems: Infinity });
}

const singleText = ({ operator }: PlainFilter, text: string): string =>
  operator.endsWith("contains") || operator.endsWith("with") ? inQuotes(text) : quoteIfNeeded(text);

/** Whether the conditions of a text are those of the filter, each with its column, its operator and its values. */
function says(text: string, filter: Filter, columns: readonly TextColumn[], show: ShowsValue): boolean {
  const plain = filter.operator === "any" ? filter.value.flat() : [filter];
  const clauses = clausesOf(text, columns, false);
  return (
    clauses.length === plain.length &&
    clauses.every(({ column, condition, values, rest }, index) => {
      const one = plain[index];
      if (!one || rest !== "" || column.text !== one.name || condition?.operator !== one.operator) return false;
      const expected = valueTexts(one, show);
      return values.length === expected.length && values.every((value, at) => value.text === expected[at]);
    })
  );
}

function valueTexts(filter: PlainFilter, show: ShowsValue): string[] {
  if (isCalendar(filter)) return [calendarText(filter.value)];
  const { value } = filter;
  const list = Array.isArray(value) ? value : value === null ? [] : [value];
  return list.map((one) => (one === null ? "empty" : show(filter, one)));
}
