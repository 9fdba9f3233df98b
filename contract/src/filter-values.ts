import type { ColumnType } from "./columns.ts";
import type { FilterValue } from "./datasets.ts";

/** A filter's value as its column understands it: whole numbers exact, times as epoch milliseconds whatever the column's unit. */
export type ParsedValue = string | boolean | bigint | number;

export type ParsedFilterValue = { readonly value: ParsedValue } | { readonly problem: string };

const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n };
/** The range of times that JavaScript and every engine can hold. */
const farthestMs = 8_640_000_000_000_000n;

const decimalText = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,4})?$/i;
/** Room for every double written out in full. */
const maxNumberCharacters = 400;
/** ISO 8601 with nanoseconds and a zone takes 35. */
const maxTimeCharacters = 40;
const isoText = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** Reads a filter's value strictly: what does not fit the column's type is a problem, never a guess. `problem` continues "'x' …". */
export function parseFilterValue(type: ColumnType, value: FilterValue): ParsedFilterValue {
  switch (type) {
    case "STRING":
      return text(value);
    case "BOOLEAN":
      return truth(value);
    case "integer":
      return wholeNumber(value);
    case "decimal":
      return number(value);
    case "TIMESTAMP_SECONDS":
      return time(value, 1_000n, "seconds");
    case "TIMESTAMP_MILLS":
      return time(value, 1n, "milliseconds");
    default:
      return type satisfies never;
  }
}

function text(value: FilterValue): ParsedFilterValue {
  if (typeof value !== "string") return { problem: "is not a text: send it in quotes" };
  return /\p{Cs}/u.test(value) ? { problem: "holds half a character (a lone surrogate)" } : { value };
}

function truth(value: FilterValue): ParsedFilterValue {
  if (typeof value === "boolean") return { value };
  if (value === "true" || value === "false") return { value: value === "true" };
  return { problem: "is neither true nor false" };
}

function wholeNumber(value: FilterValue): ParsedFilterValue {
  const parsed = bigintOf(value);
  if (typeof parsed !== "bigint") return parsed;
  return parsed < int64.min || parsed > int64.max ? { problem: "is beyond 64 bits" } : { value: parsed };
}

function number(value: FilterValue): ParsedFilterValue {
  const problem = { problem: "is not a number" };
  if (typeof value === "boolean") return problem;
  if (typeof value === "string" && (value.length > maxNumberCharacters || !decimalText.test(value))) return problem;
  const parsed = Number(value);
  return Number.isFinite(parsed) ? { value: parsed } : { problem: "is beyond the range of numbers" };
}

function time(value: FilterValue, unitMs: bigint, unit: string): ParsedFilterValue {
  const neither = { problem: `is neither a time in ISO 8601 nor a number of ${unit} since 1970` };
  if (typeof value === "string" && value.length > maxTimeCharacters) return neither;
  const epochMs = typeof value === "string" && !/^-?\d+$/.test(value) ? isoMs(value) : scaled(bigintOf(value), unitMs);
  if (epochMs === undefined) return neither;
  return epochMs < -farthestMs || epochMs > farthestMs ? { problem: "is beyond the range of times" } : { value: epochMs };
}

const scaled = (value: bigint | { problem: string }, by: bigint) => (typeof value === "bigint" ? value * by : undefined);

function bigintOf(value: FilterValue): bigint | { problem: string } {
  if (typeof value === "string") return /^-?\d{1,40}$/.test(value) ? BigInt(value) : { problem: "is not a whole number" };
  if (typeof value === "boolean" || !Number.isInteger(value)) return { problem: "is not a whole number" };
  // JSON has rounded it already; as a text it would still be whole.
  return Number.isSafeInteger(value) ? BigInt(value) : { problem: "is beyond 2^53 and has to be sent as a text" };
}

/** Epoch milliseconds of a date or a time; without a zone it is UTC. Undefined where there is no such day or time. */
function isoMs(value: string): bigint | undefined {
  const match = isoText.exec(value);
  if (match === null) return undefined;
  const [, day = "", minutes = "00:00", seconds = ":00", zone = "Z"] = match;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  // Date rolls the 30th of February over into March.
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== day) return undefined;
  const epochMs = Date.parse(`${day}T${minutes}${seconds.slice(0, 7)}${zone}`);
  return Number.isNaN(epochMs) ? undefined : BigInt(epochMs);
}
