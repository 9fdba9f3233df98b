import { type Column, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { guardedText } from "@fairway/contract/formula-text";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";
import { epochMsOf } from "#lib/dates.ts";

/**
 * RFC 4180 text of the rows: a header row, the columns in the order given, CRLF after every record.
 * Times are ISO 8601 UTC, so that nothing is lost and spreadsheets know them; a value that is not there is an empty field.
 */
export const toCsv = (columns: readonly Column[], rows: readonly ResultRow[]): string =>
  csvHeader(columns) + rows.map((row) => csvRecord(columns, row)).join("");

export const csvHeader = (columns: readonly Column[]): string => csvLine(columns.map((column) => guardedText(column.name)));

export const csvRecord = (columns: readonly Column[], row: ResultRow): string => csvLine(columns.map((column) => field(column, row)));

/** One record of fields; text among them has to be guarded. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(quotedIfNeeded).join(",")}\r\n`;

const quotedIfNeeded = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function field(column: Column, row: ResultRow): string {
  if (column.combined) {
    const text = cellText(column, row) ?? "";
    // Joined numbers (coordinates) are data like any number.
    return column.combined.fields.every((name) => isNumber(row[name] ?? null)) ? text : guardedText(text);
  }
  const value = row[column.name] ?? null;
  if (value === null) return "";
  if (isTimestamp(column.type)) return timeField(column, value);
  return isNumber(value) || (isNumeric(column.type) && isNumberText(value)) ? String(value) : guardedText(String(value));
}

function timeField(column: Column, value: CellValue): string {
  const epochMs = epochMsOf(column.type, value);
  if (epochMs === undefined) return guardedText(String(value));
  const date = new Date(epochMs);
  // Beyond what a calendar holds, the number itself is all there is to say.
  if (Number.isNaN(date.getTime())) return String(value);
  return column.type === "TIMESTAMP_SECONDS" ? date.toISOString().replace(/\.000Z$/, "Z") : date.toISOString();
}

const isNumber = (value: CellValue): boolean => typeof value === "number";

// Integers beyond 2^53 travel as text.
const isNumberText = (value: CellValue): boolean => typeof value === "string" && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value);
