import type { FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { hasValue } from "#parts/open-searches/search-data.ts";
import { utcText } from "#lib/dates.ts";
import { parseTime, timeExamples } from "./time-input.ts";

export type FilterType = FieldFilter["type"];

export const isTimeType = (type: FilterType): boolean => type === "TIMESTAMP_SECONDS" || type === "TIMESTAMP_MILLS";
export const isNumberType = (type: FilterType): boolean => type === "integer" || type === "decimal" || type === "number";

type Read = { value: FilterValue } | { problem: string };

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;

/**
 * Reads what stands in a filter's field as the value that is sent: strictly, by the same rules as the server, so that
 * nothing is guessed. Integers beyond 2^53 and times (ISO 8601) are texts. An empty field stays an empty text.
 */
export function readFilterValue(type: FilterType, raw: FilterValue): Read {
  if (typeof raw === "string" && raw.trim() === "") return { value: "" };
  const text = String(raw).trim();
  switch (type) {
    case "STRING":
      return { value: String(raw) };
    case "BOOLEAN":
      return text === "true" || text === "false" ? { value: text === "true" } : { problem: "Choose true or false." };
    case "integer":
      return readInteger(text);
    case "decimal":
    case "number":
      return readDecimal(text);
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      // A number is an epoch of the column's own unit.
      return typeof raw === "number" ? { value: raw } : readTime(text);
    default:
      return type satisfies never;
  }
}

function readInteger(text: string): Read {
  if (!/^[+-]?\d+$/.test(text)) return { problem: "Not a whole number." };
  const integer = BigInt(text.replace(/^\+/, ""));
  if (integer < smallest || integer > largest) return { problem: "Too large a number." };
  return { value: Number.isSafeInteger(Number(integer)) ? Number(integer) : String(integer) };
}

function readDecimal(text: string): Read {
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i.test(text)) return { problem: "Not a number." };
  const number = Number(text);
  return Number.isFinite(number) ? { value: number } : { problem: "Too large a number." };
}

function readTime(text: string): Read {
  const epochMs = parseTime(text);
  return epochMs === undefined ? { problem: `Not a time. Try ${timeExamples}.` } : { value: new Date(epochMs).toISOString() };
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

/** `wind >= 64`, as panels and recent searches show it. */
export const filterText = ({ display, operator, type, value }: FieldFilter): string => `${display} ${operator} ${valueText(type, value)}`;
