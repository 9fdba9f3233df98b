const numbers = new Intl.NumberFormat("en-US");
const plurals = new Intl.PluralRules("en-US");
// British English: no comma before the "and".
const lists = new Intl.ListFormat("en-GB");

/** `1,234`. */
export const formatCount = (count: number): string => numbers.format(count);

/** The noun in the form that the count asks for. */
export const plural = (count: number, one: string, many = `${one}s`): string => (plurals.select(count) === "one" ? one : many);

/** `1 row`, `1,234 rows`. */
export const counted = (count: number, one: string, many?: string): string => `${formatCount(count)} ${plural(count, one, many)}`;

/** `a, b and c`. */
export const listed = (parts: readonly string[]): string => lists.format(parts);
