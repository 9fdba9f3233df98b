const numbers = new Intl.NumberFormat("en-US");
const plurals = new Intl.PluralRules("en-US");
// en-GB has no comma before "and".
const lists = new Intl.ListFormat("en-GB");

/** `1,234`. */
export const formatCount = (count: number): string => numbers.format(count);

/** The form of the noun that agrees with the count. */
export const plural = (count: number, one: string, many = `${one}s`): string => (plurals.select(count) === "one" ? one : many);

/** `1 row`, `1,234 rows`. */
export const pluralize = (count: number, one: string, many?: string): string => `${formatCount(count)} ${plural(count, one, many)}`;

/** `a, b and c`. */
export const formatList = (parts: readonly string[]): string => lists.format(parts);

/** The plural of the name of a column: `origins`, `countries`, and `values of carrier_id` for names that have no plural of a word. */
export function manyOf(column: string): string {
  if (!/^[a-z]+$/i.test(column) || /s$/i.test(column)) return `values of ${column}`;
  if (/[^aeiou]y$/i.test(column)) return `${column.slice(0, -1)}ies`;
  return /(?:x|z|ch|sh)$/i.test(column) ? `${column}es` : `${column}s`;
}
