import type { ColumnType } from "@fairway/contract/columns";
import type { Storage } from "#query/sql/table.ts";

/** A column's type as DESCRIBE names it, taken apart. */
export interface ServerType {
  /** Lower case, without arguments: `timestamp`, `timestamp with time zone`, `row`. */
  readonly name: string;
  /** Digits and scale of a decimal, length of a text, precision of a time. */
  readonly numbers: readonly number[];
  /** Of an array its elements, of a map its keys and values, of a row its fields. */
  readonly inner: readonly ServerType[];
  /** The names of a row's fields; empty for a field without a name. */
  readonly fields: readonly string[];
}

/** Takes a type's text apart. A type that is not known has its whole text as its name. */
export function parseType(text: string): ServerType {
  return knownType(text.trim()) ?? plainType(text.trim().toLowerCase());
}

const plainType = (name: string, numbers: readonly number[] = []): ServerType => ({ name, numbers, inner: [], fields: [] });

const plainNames = new Set(
  `boolean tinyint smallint integer bigint real double decimal varchar char varbinary date time timestamp json uuid ipaddress ipprefix
  hyperloglog p4hyperloglog qdigest tdigest setdigest geometry sphericalgeography bingtile kdbtree unknown`.split(/\s+/),
);
const longNames = new Set(["time with time zone", "timestamp with time zone", "interval day to second", "interval year to month"]);

/** Undefined if the text is not a type. */
function knownType(text: string): ServerType | undefined {
  const open = text.indexOf("(");
  if (open < 0) {
    const name = text.toLowerCase();
    return plainNames.has(name) || longNames.has(name) ? plainType(name) : undefined;
  }
  const close = text.lastIndexOf(")");
  const base = text.slice(0, open).trim().toLowerCase();
  const parts = splitAtCommas(text.slice(open + 1, close));
  const rest = text
    .slice(close + 1)
    .trim()
    .toLowerCase();
  const name = rest === "" ? base : `${base} ${rest}`;
  if (name === "array" || name === "map" || name === "qdigest" || name === "tdigest") {
    const inner = parts.map((part) => parseType(part));
    return { name, numbers: [], inner, fields: [] };
  }
  if (name === "row") {
    const fields = parts.map(fieldOf);
    return { name, numbers: [], inner: fields.map(({ type }) => type), fields: fields.map(({ field }) => field) };
  }
  if (!plainNames.has(name) && !longNames.has(name)) return undefined;
  const numbers = parts.map(Number);
  return numbers.every(Number.isInteger) ? plainType(name, numbers) : undefined;
}

/** A field's name may contain spaces and is quoted by some servers only, so its type is the longest end that is one. */
function fieldOf(text: string): { field: string; type: ServerType } {
  const trimmed = text.trim();
  const whole = knownType(trimmed);
  if (whole !== undefined) return { field: "", type: whole };
  for (let at = trimmed.indexOf(" "); at >= 0; at = trimmed.indexOf(" ", at + 1)) {
    const type = knownType(trimmed.slice(at + 1).trim());
    if (type !== undefined) return { field: unquoted(trimmed.slice(0, at).trim()), type };
  }
  return { field: "", type: parseType(trimmed) };
}

const unquoted = (name: string): string => (/^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name);

/** At the outermost level only. */
function splitAtCommas(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === "(") depth++;
    else if (character === ")") depth--;
    else if (character === "," && depth === 0) {
      parts.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return [...parts, text.slice(start)];
}

const narrowIntegers = new Set(["tinyint", "smallint", "integer"]);
/** Integers of so many digits are within ±2^53. */
const narrowDigits = 15;

/** How the server stores a column of this type. */
export function storageOf(type: ServerType): Storage {
  const { name, numbers } = type;
  if (name === "varchar") return { kind: "text" };
  if (name === "boolean") return { kind: "boolean" };
  if (narrowIntegers.has(name)) return { kind: "integer", narrow: true };
  if (name === "bigint") return { kind: "integer", narrow: false };
  if (name === "double" || name === "real") return { kind: "floating", single: name === "real", finite: false };
  if (name === "decimal") {
    const [digits = 38, scale = 0] = numbers;
    return scale === 0
      ? { kind: "integer", narrow: digits <= narrowDigits, digits }
      : { kind: "exact-decimal", narrow: digits - scale <= narrowDigits, digits, scale };
  }
  if (name === "date") return { kind: "instant", zoned: false, days: true };
  if (name === "timestamp" || name === "timestamp with time zone") return { kind: "instant", zoned: name !== "timestamp" };
  return { kind: "other" };
}

/** The product's default type for a column of this type. */
export function typeOf(type: ServerType): ColumnType {
  const storage = storageOf(type);
  switch (storage.kind) {
    case "text":
    case "other":
      return "STRING";
    case "boolean":
      return "BOOLEAN";
    case "integer":
      return "integer";
    case "exact-decimal":
    case "floating":
      return "decimal";
    case "instant":
      return storage.days === true || type.numbers[0] === 0 ? "TIMESTAMP_SECONDS" : "TIMESTAMP_MILLS";
    default:
      return storage satisfies never;
  }
}

/** Types that neither server can sort by. */
const unordered = /^(?:map|json|hyperloglog|p4hyperloglog|qdigest|tdigest|setdigest|geometry|sphericalgeography|bingtile|kdbtree)$/;

/** Whether rows can be sorted by such a column as it is stored. */
export const isOrderable = (type: ServerType): boolean => !unordered.test(type.name) && type.inner.every(isOrderable);
