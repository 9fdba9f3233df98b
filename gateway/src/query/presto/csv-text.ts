import { type Column, isNumeric } from "@fairway/contract/columns";
import { escapeFormula } from "@fairway/contract/formula-text";
import { unitMs } from "#query/sql/instants.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { type RowWriter, valueJson } from "./row-text.ts";

/** A field's text of a row; null if it is empty. */
type Field = (row: readonly unknown[]) => string | null;

/** The header of a CSV file, by default the names of its columns. Line breaks are part of a line. */
export const csvHeader = (csvColumns: readonly Column[], heads = csvColumns.map(({ name }) => name)): string =>
  csvLine(heads.map(escapeFormula));

/** Writes rows as lines of CSV, as the embedded engine does: RFC 4180, formulas neutralized, times in ISO 8601. */
export function csvRows(csvColumns: readonly Column[], columns: readonly SqlColumn[]): RowWriter {
  const indexes = new Map(columns.map((column, index) => [column.name, { column, index }]));
  const fields = csvColumns.map((column): Field => {
    const parts = (column.combined?.fields ?? [column.name]).flatMap((name) => indexes.get(name) ?? []);
    if (column.combined !== null) return joinedField(parts, column.combined.joinedBy, escapeFormula);
    const [part] = parts;
    return part === undefined ? () => null : plainField(part.column, part.index);
  });
  return (row) => csvLine(fields.map((field) => field(row)));
}

const csvLine = (fields: readonly (string | null)[]): string => `${fields.map(quoted).join(",")}\r\n`;

/** An empty text is quoted, which distinguishes it from a missing value. */
function quoted(text: string | null): string {
  if (text === null) return "";
  return text === "" || /[",\r\n#]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function plainField(column: SqlColumn, index: number): Field {
  const { type } = column;
  const text = textOf(column);
  if (type === "STRING") return (row) => mapped(text(row[index]), escapeFormula);
  if (type !== "TIMESTAMP_SECONDS" && type !== "TIMESTAMP_MILLS") return (row) => text(row[index]);
  return (row) => (isEmpty(row[index]) ? null : (isoText(row[index], column) ?? text(row[index])));
}

/** Undefined beyond JavaScript's calendar. Of whole days the date alone. */
function isoText(value: unknown, { type, storage, day }: SqlColumn): string | undefined {
  const ms = storage.kind === "instant" ? Number(value) : Math.round(Number(value) * Number(unitMs(type)));
  const date = new Date(type === "TIMESTAMP_SECONDS" ? Math.floor(ms / 1_000) * 1_000 : ms);
  if (Number.isNaN(date.getTime())) return undefined;
  const text = date.toISOString();
  if (day === true) return text.slice(0, text.indexOf("T"));
  return type === "TIMESTAMP_SECONDS" ? text.replace(".000Z", "Z") : text;
}

/** Joined as the table shows it. Joined numbers are not guarded, like any number. */
export function joinedField(
  parts: readonly { readonly column: SqlColumn; readonly index: number }[],
  joinedBy: string,
  guard: (text: string) => string,
): Field {
  const texts = parts.map(({ column, index }) => {
    const text = column.storage.kind === "floating" && column.type !== "STRING" ? shortNumber : textOf(column);
    return (row: readonly unknown[]) => text(row[index]);
  });
  const areNumbers = parts.every(({ column }) => isNumeric(column.type));
  return (row) => {
    const values = texts.map((text) => text(row));
    if (values.every((value) => value === null)) return null;
    const joined = values.map((value) => value ?? "").join(joinedBy);
    return areNumbers && values.every((value) => value !== null) ? joined : guard(joined);
  };
}

const isEmpty = (value: unknown): boolean => value === null || value === undefined;
const mapped = (text: string | null, change: (text: string) => string): string | null => (text === null ? null : change(text));

/** A value's text; instants as numbers in their unit. */
function textOf(column: SqlColumn): (value: unknown) => string | null {
  const { type, storage } = column;
  if (type !== "STRING" && storage.kind === "floating") return (value) => mapped(finiteOf(value), (text) => decimalText(Number(text)));
  if (type !== "STRING" && storage.kind === "instant") {
    const write = valueJson(column);
    return (value) => (isEmpty(value) ? null : write(value));
  }
  return (value) => (isEmpty(value) ? null : String(value));
}

const finiteOf = (value: unknown): string | null => (typeof value === "number" && Number.isFinite(value) ? String(value) : null);
/** Integers without a fraction. */
const shortNumber = (value: unknown): string | null =>
  mapped(finiteOf(value), (text) => (Number.isSafeInteger(Number(text)) ? text : decimalText(Number(text))));

/** A floating-point number as the embedded engine writes it: `13.0`, `1e+21`, `1e-07`. */
export function decimalText(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", power = "0"] = value.toExponential().split("e");
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
  }
  const text = value.toString();
  if (!text.includes("e")) return text.includes(".") ? text : `${text}.0`;
  return value.toFixed(Math.max(1, mantissa.replace("-", "").length - 2 - exponent));
}
