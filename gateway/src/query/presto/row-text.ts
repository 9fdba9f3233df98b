import type { SqlColumn } from "#query/sql/table.ts";

/** Writes one row as the text of a JSON object. */
export type RowWriter = (row: readonly unknown[]) => string;

/** A writer of rows that hold these columns' values as the dialect selects them. */
export function jsonRows(columns: readonly SqlColumn[]): RowWriter {
  const fields = columns.map((column, index) => ({
    label: `${index === 0 ? "{" : ","}${JSON.stringify(column.name)}:`,
    write: valueJson(column),
  }));
  return (row) => {
    let text = "";
    for (const [index, { label, write }] of fields.entries()) {
      const value = row[index];
      text += label + (value === null || value === undefined ? "null" : write(value));
    }
    return `${text}}`;
  };
}

/** Writes a value that is not null as JSON: times as numbers in their unit, integers beyond 2^53 as text, NaN and infinities as null. */
export function valueJson({ type, storage }: SqlColumn): (value: unknown) => string {
  if (type === "STRING") return JSON.stringify;
  switch (storage.kind) {
    case "integer":
    case "exact-decimal":
      return storage.narrow ? numberText : exactText;
    case "floating":
      return (value) => (typeof value === "number" && Number.isFinite(value) ? JSON.stringify(value) : "null");
    case "instant":
      return type === "TIMESTAMP_SECONDS" ? (value) => String(Math.floor(Number(value) / 1_000)) : (value) => String(Number(value));
    case "text":
    case "other":
    case "boolean":
      return JSON.stringify;
    default:
      return storage satisfies never;
  }
}

const digits = /^-?\d+(?:\.\d+)?$/;

/** Decimals come as text, which keeps their digits. Whatever is no number stays a text. */
const numberText = (value: unknown): string => (digits.test(String(value)) ? String(value) : JSON.stringify(value));

/** Every integer of fewer characters is within ±2^53. */
const safeCharacters = 15;
const maxExact = 2n ** 53n;

function exactText(value: unknown): string {
  const text = String(value);
  if (!digits.test(text)) return JSON.stringify(value);
  if (text.length <= safeCharacters) return text;
  const [whole = "", fraction = ""] = text.split(".");
  const size = BigInt(whole.replace("-", ""));
  const isExact = size < maxExact || (size === maxExact && !/[1-9]/.test(fraction));
  return isExact ? text : `"${text}"`;
}
