import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { parseFilterValue } from "@fairway/contract/filter-values";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { utcText } from "#lib/dates.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { parseTime, timeExamples } from "./time-input.ts";

/**
 * Whether a character may be typed into a number field after `before`. Only letters are refused, as a browser's own number
 * field does, except the `e` of an exponent. Everything else is kept and reported as a problem where it makes no number:
 * dropping the point of "64.5" would silently search for 645.
 */
export const mayType = (character: string, before: string): boolean =>
  !/\p{L}/u.test(character) || (/^e$/i.test(character) && /[\d.]$/.test(before));

export type FilterType = FieldFilter["type"];

export const isTimeType = (type: FilterType): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";
export const isNumberType = (type: FilterType): boolean => type === "integer" || type === "decimal" || type === "number";

type Read = { value: FilterValue } | { problem: string };

/**
 * Reads what stands in a filter's field as the value that is sent: strictly, by the server's own rules, so that nothing is
 * guessed. Times may be typed in more ways and are sent as ISO 8601; numbers that a double cannot hold are sent as texts. An
 * empty field stays an empty text.
 */
export function readFilterValue(type: FilterType, raw: FilterValue): Read {
  if (typeof raw === "string" && raw.trim() === "") return { value: "" };
  const typed = typeof raw === "string" && type !== "STRING" ? raw.trim() : raw;
  const sent = isTimeType(type) && typeof typed === "string" ? isoOf(typed) : type === "STRING" ? String(typed) : typed;
  if (sent === undefined) return { problem: `Not a time. Try ${timeExamples}.` };
  // `number` filters a number of either kind; the server knows which.
  const parsed = parseFilterValue(type === "number" ? "decimal" : type, sent);
  if ("problem" in parsed)
    return { problem: `'${String(typed)}' ${parsed.problem}.${isNumberType(type) ? separatorAdvice(String(typed)) : ""}` };
  if (isTimeType(type)) return { value: sent };
  const { value } = parsed;
  if (typeof value === "number") return { value: typeof sent === "string" && !isSameNumber(sent, String(value)) ? sent : value };
  if (typeof value !== "bigint") return { value };
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : String(value) };
}

const isSameNumber = (one: string, other: string): boolean => plainDigits(one) === plainDigits(other);

/** A decimal as its digits without zeros at the ends, and the power of ten of the last one. */
function plainDigits(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = trimEndCharacters(digits, "0");
  if (short === "") return "0";
  return `${sign === "-" ? "-" : ""}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Continues the problem of a number that was written as "4,5" or "1 000". */
const separatorAdvice = (text: string): string =>
  /^[\d\s.,+-]+$/.test(text) && /[\d][,\s]/.test(text) ? " Write decimals with a point, and thousands without a separator." : "";

function isoOf(text: string): string | undefined {
  const epochMs = parseTime(text);
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

/** What is wrong with a filter's value; undefined when nothing is. */
export function filterProblem(filter: FieldFilter): string | undefined {
  const read = filter.preFilled ? { value: filter.value } : readFilterValue(filter.type, filter.value);
  return "problem" in read ? read.problem : undefined;
}

/** A filter as it is sent. A value that cannot be read is left as it is, for the server to name. */
export function readFilter(filter: FieldFilter): FieldFilter {
  if (filter.preFilled || !hasValue(filter)) return filter;
  const read = readFilterValue(filter.type, filter.value);
  return "value" in read ? { ...filter, value: read.value } : filter;
}

/** A value as a person reads it: times in the product's format. */
export function valueText(type: FilterType, value: FilterValue): string {
  if (!isTimeType(type)) return String(value);
  const epochMs = typeof value === "number" ? value * (type === "TIMESTAMP_SECONDS" ? 1_000 : 1) : parseTime(String(value));
  return (epochMs === undefined ? undefined : utcText(epochMs)) ?? String(value);
}

/** `wind >= 64`, as panels and recent searches show it. The column by its own name: a label such as "Wind at least" says the operator twice. */
export const filterText = ({ name, operator, type, value }: FieldFilter): string => `${name} ${operator} ${valueText(type, value)}`;
