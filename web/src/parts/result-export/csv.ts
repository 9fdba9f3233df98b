import { type Column, isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { csvHeads } from "@fairway/contract/exports";
import { escapeFormula } from "@fairway/contract/formula-text";
import type { CellValue, ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { isoDay } from "#lib/time/dates.ts";

/**
 * Formats the rows as RFC 4180: a header row, the columns in the given order, CRLF after every record.
 * Times are ISO 8601 in UTC, days YYYY-MM-DD, which is lossless and understood by spreadsheets. A missing value is an empty field.
 */
export const toCsv = (columns: readonly Column[], rows: readonly ResultRow[]): string =>
  csvHeader(columns) + rows.map((row) => csvRecord(columns, row)).join("");

/** The names of the columns, or what people read for them. */
export const csvHeader = (columns: readonly Column[], hasLabels = false): string =>
  csvLine(csvHeads(columns, hasLabels).map(escapeFormula));

export const csvRecord = (columns: readonly Column[], row: ResultRow): string => csvLine(columns.map((column) => field(column, row)));

/** One record. The caller guards text against formulas. */
export const csvLine = (fields: readonly string[]): string => `${fields.map(quotedIfNeeded).join(",")}\r\n`;

const quotedIfNeeded = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

function field(column: Column, row: ResultRow): string {
  if (column.combined) {
    const text = cellText(column, row) ?? "";
    // Joined numbers such as coordinates need no guard.
    return column.combined.fields.every((name) => isNumber(row[name] ?? null)) ? text : escapeFormula(text);
  }
  const value = row[column.name] ?? null;
  if (value === null) return "";
  if (isTimestamp(column.type)) return timeField(column, value);
  return isNumber(value) || (isNumeric(column.type) && isNumberText(value)) ? String(value) : escapeFormula(String(value));
}

function timeField(column: Column, value: CellValue): string {
  const epochMs = epochMsOf(column.type, value);
  if (epochMs === undefined) return escapeFormula(String(value));
  const date = new Date(epochMs);
  // Outside the range of Date: write the number itself.
  if (Number.isNaN(date.getTime())) return String(value);
  if (isDay(column)) return isoDay(epochMs) ?? String(value);
  return column.type === "TIMESTAMP_SECONDS" ? date.toISOString().replace(/\.000Z$/, "Z") : date.toISOString();
}

const isNumber = (value: CellValue): boolean => typeof value === "number";

// Integers beyond 2^53 travel as text.
const isNumberText = (value: CellValue): boolean => typeof value === "string" && /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value);
