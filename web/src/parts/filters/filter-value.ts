import { type Column, columnTitleIn, type Operator } from "@fairway/contract/columns";
import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { readableFilter, type ShowsValue } from "@fairway/contract/filter-writing";
import { parseFilterValue } from "@fairway/contract/filter-values";
import { trimEndCharacters } from "@fairway/contract/trim-characters";
import { dayText, utcText } from "@fairway/contract/utc-texts";
import { isoDay } from "#lib/time/dates.ts";
import { type FormFilter, isCompared, settingOf } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { dayExamples, parseTime, timeExamples } from "./time-input.ts";

/**
 * Whether a character may be typed into a number field after `before`. Only letters are refused, as in a browser's own number
 * field, except the `e` of an exponent. Everything else is kept and reported as a problem if the number is invalid: dropping
 * the point of "64.5" would silently search for 645.
 */
export const canType = (character: string, before: string): boolean =>
  !/\p{L}/u.test(character) || (/^e$/i.test(character) && /[\d.]$/.test(before));

export type FilterType = FieldFilter["type"];

export const isTimeType = (type: FilterType): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";
type Filtered = Pick<FieldFilter, "type" | "day">;
/** Whether a filter's values are whole days. */
export const isDayFilter = ({ type, day }: Filtered): boolean => day === true && isTimeType(type);
/** The zone of a filter's values, which is UTC of all times; days have none. */
export const zoneNote = (filter: Filtered): "UTC" | undefined => (isTimeType(filter.type) && !isDayFilter(filter) ? "UTC" : undefined);
export const isNumberType = (type: FilterType): boolean => type === "integer" || type === "decimal" || type === "number";

type ParsedValue = { value: FilterValue } | { problem: string };

/**
 * Parses the text of a filter's field into the value to send, strictly by the server's own rules. Times may be typed in more
 * formats and are sent as ISO 8601; numbers that a double cannot represent are sent as strings. An empty field stays an empty
 * string.
 */
export function readFilterValue(filter: Filtered, raw: FilterValue): ParsedValue {
  const { type } = filter;
  if (typeof raw === "string" && raw.trim() === "") return { value: "" };
  const trimmed = typeof raw === "string" && type !== "STRING" ? raw.trim() : raw;
  if (isDayFilter(filter)) return readDay(type, trimmed);
  const sent = isTimeType(type) && typeof trimmed === "string" ? isoOf(trimmed) : type === "STRING" ? String(trimmed) : trimmed;
  if (sent === undefined) return { problem: `Not a time. Try ${timeExamples}.` };
  // `number` filters integers and decimals alike; the server knows which.
  const parsed = parseFilterValue(type === "number" ? "decimal" : type, sent);
  if ("problem" in parsed)
    return { problem: `'${String(trimmed)}' ${parsed.problem}.${isNumberType(type) ? separatorAdvice(String(trimmed)) : ""}` };
  if (isTimeType(type)) return { value: sent };
  const { value } = parsed;
  if (typeof value === "number") return { value: typeof sent === "string" && !isSameNumber(sent, String(value)) ? sent : value };
  if (typeof value !== "bigint") return { value };
  return { value: Number.isSafeInteger(Number(value)) ? Number(value) : String(value) };
}

/** A day as YYYY-MM-DD, from what is typed, or from a number of the column's unit. */
function readDay(type: FilterType, raw: FilterValue): ParsedValue {
  const epochMs = typeof raw === "string" ? parseTime(raw) : typeof raw === "number" ? epochMsIn(type, raw) : undefined;
  const day = epochMs === undefined || epochMs % dayMs !== 0 ? undefined : isoDay(epochMs);
  return day === undefined ? { problem: `Not a day. Try ${dayExamples}.` } : { value: day };
}

const dayMs = 86_400_000;
const epochMsIn = (type: FilterType, value: number): number => value * (type === "TIMESTAMP_SECONDS" ? 1_000 : 1);

const isSameNumber = (one: string, other: string): boolean => plainDigits(one) === plainDigits(other);

/** Normalizes a decimal: its digits without leading and trailing zeros, and the exponent of the last digit. */
function plainDigits(text: string): string {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = /^([+-]?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  const short = trimEndCharacters(digits, "0");
  if (short === "") return "0";
  return `${sign === "-" ? "-" : ""}${short}e${Number(exponent) - fraction.length + digits.length - short.length}`;
}

/** Appended to the problem of a number written as "4,5" or "1 000". */
const separatorAdvice = (text: string): string =>
  /^[\d\s.,+-]+$/.test(text) && /[\d][,\s]/.test(text) ? " Write decimals with a point and don't separate thousands." : "";

function isoOf(text: string): string | undefined {
  const epochMs = parseTime(text);
  return epochMs === undefined ? undefined : new Date(epochMs).toISOString();
}

/** The problem of a comparison's value; undefined when it is valid. The values of other filters were read when they were added. */
export function filterProblem(filter: FormFilter): string | undefined {
  if (!isCompared(filter) || filter.value === null) return undefined;
  const read = filter.preFilled ? { value: filter.value } : readFilterValue(filter, filter.value);
  return "problem" in read ? read.problem : undefined;
}

/** A filter as it is sent. An invalid value is left unchanged, so the server reports it. */
export function readFilter(filter: FormFilter): FormFilter {
  if (!isCompared(filter) || filter.preFilled || filter.value === null || !hasValue(filter)) return filter;
  const read = readFilterValue(filter, filter.value);
  return "value" in read ? { ...filter, value: read.value } : filter;
}

/** A value for display; times are in the product's format. */
export function valueText(filter: Filtered, value: FilterValue): string {
  const { type } = filter;
  if (!isTimeType(type)) return String(value);
  const epochMs = typeof value === "number" ? epochMsIn(type, value) : parseTime(String(value));
  const shown = isDayFilter(filter) && (epochMs ?? 0) % dayMs === 0 ? dayText : utcText;
  return (epochMs === undefined ? undefined : shown(epochMs)) ?? String(value);
}

/** Shows values by the types of their columns. Those of a filter on one field are shown by its own. */
const showsValues =
  (filter: FormFilter, columns: readonly Column[]): ShowsValue =>
  ({ name }, value) => {
    const shown = filter.operator === "any" ? columns.find((column) => column.name === name) : filter;
    return shown ? valueText(shown, value) : String(value);
  };

/** `wind >= 64`, `origin in ORD, ATL`. Uses the column's label or name: what a field is called, such as "Wind at least", would repeat the operator. */
export const filterText = (filter: FormFilter, columns: readonly Column[]): string =>
  readableFilter(settingOf(filter), showsValues(filter, columns), "full", (name) => columnTitleIn(columns, name));

/** The same with room for two values of a longer list. */
export const chipText = (filter: FormFilter, columns: readonly Column[]): string =>
  readableFilter(settingOf(filter), showsValues(filter, columns), "short", (name) => columnTitleIn(columns, name));

/** The operators of a filter on rows without a value, or with one. */
export const emptyOperators: readonly Operator[] = ["=", "<>"];

/** Whether rows without a value can be asked for. An upstream declares the operators that it has. */
export const canBeEmpty = ({ operators }: Pick<FieldFilter, "operators">): boolean => operators === undefined;

/** A filter on rows without a value, or with one. */
export const emptied = (filter: FieldFilter): FieldFilter => ({ ...filter, value: null, operator: filter.operator === "<>" ? "<>" : "=" });
