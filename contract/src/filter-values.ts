import { z } from "zod";
import type { ColumnType } from "./columns.ts";

export const filterValue = z.union([z.string(), z.number(), z.boolean()]);
export type FilterValue = z.infer<typeof filterValue>;

/** A filter's value parsed for its column: integers are exact, times are epoch milliseconds regardless of the column's unit. */
export type ParsedValue = string | boolean | bigint | number;

export type ParsedFilterValue = { readonly value: ParsedValue } | { readonly problem: string };

/**
 * Integers that some column can hold: those of 128 bits, with or without a sign. What a comparison with a number beyond the column's own
 * type means is decided where that type is known.
 */
const widestInteger = { min: -(2n ** 127n), max: 2n ** 128n - 1n };
/** Range of times that JavaScript and every engine support. */
const maxEpochMs = 8_640_000_000_000_000n;

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** Enough for every double without an exponent. */
const maxNumberCharacters = 400;
/** ISO 8601 with nanoseconds and an offset takes 35. */
const maxTimeCharacters = 40;
const isoText = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Parses a filter's value strictly: a value that does not fit the column's type is a problem. `problem` continues "'x' …". */
export function parseFilterValue(type: ColumnType, value: FilterValue): ParsedFilterValue {
  switch (type) {
    case "STRING":
      return parseText(value);
    case "BOOLEAN":
      return parseBoolean(value);
    case "integer":
      return parseInteger(value);
    case "decimal":
      return parseDecimal(value);
    case "TIMESTAMP_SECONDS":
      return parseTime(value, 1_000n, "seconds");
    case "TIMESTAMP_MILLS":
      return parseTime(value, 1n, "milliseconds");
    default:
      return type satisfies never;
  }
}

function parseText(value: FilterValue): ParsedFilterValue {
  if (typeof value !== "string") return { problem: "is not a text: send it in quotes" };
  return /\p{Cs}/u.test(value) ? { problem: "holds half a character (a lone surrogate)" } : { value };
}

function parseBoolean(value: FilterValue): ParsedFilterValue {
  if (typeof value === "boolean") return { value };
  if (value === "true" || value === "false") return { value: value === "true" };
  return { problem: "is neither true nor false" };
}

function parseInteger(value: FilterValue): ParsedFilterValue {
  const parsed = toBigint(value);
  if (typeof parsed !== "bigint") return parsed;
  return parsed < widestInteger.min || parsed > widestInteger.max ? { problem: "is beyond 128 bits" } : { value: parsed };
}

function parseDecimal(value: FilterValue): ParsedFilterValue {
  const problem = { problem: "is not a number" };
  if (typeof value === "boolean") return problem;
  if (typeof value === "string" && (value.length > maxNumberCharacters || !decimalText.test(value))) return problem;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? { value: parsed } : { problem: "is beyond the range of numbers" };
}

function parseTime(value: FilterValue, unitMs: bigint, unit: string): ParsedFilterValue {
  const problem = { problem: `is neither a time in ISO 8601 nor a number of ${unit} since 1970` };
  if (typeof value === "string" && value.length > maxTimeCharacters) return problem;
  const epochMs = typeof value === "string" && !/^-?\d+$/.test(value) ? parseIsoMs(value) : scale(toBigint(value), unitMs);
  if (epochMs === undefined) return problem;
  return epochMs < -maxEpochMs || epochMs > maxEpochMs ? { problem: "is beyond the range of times" } : { value: epochMs };
}

const scale = (value: bigint | { problem: string }, factor: bigint) => (typeof value === "bigint" ? value * factor : undefined);

function toBigint(value: FilterValue): bigint | { problem: string } {
  if (typeof value === "string") return /^-?\d{1,40}$/.test(value) ? BigInt(value) : { problem: "is not a whole number" };
  if (typeof value === "boolean" || !Number.isInteger(value)) return { problem: "is not a whole number" };
  // JSON parsing has already rounded it; a string would be exact.
  return Number.isSafeInteger(value) ? BigInt(value) : { problem: "is beyond 2^53 and has to be sent as a text" };
}

/** Epoch milliseconds of a date or time, in UTC unless it has an offset. Undefined if there is no such date or time. */
function parseIsoMs(value: string): bigint | undefined {
  const match = isoText.exec(value);
  if (match === null) return undefined;
  const [, day = "", minutes = "00:00", seconds = ":00", zone = "Z"] = match;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Date rolls February 30 over into March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  const epochMs = Date.parse(`${day}T${minutes}${seconds.slice(0, 7)}${zone}`);
  return Number.isNaN(epochMs) ? undefined : BigInt(epochMs);
}
