import { type Column, isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import { formatCount } from "@fairway/contract/counts";
import { escapeFormula } from "@fairway/contract/formula-text";
import type { CellValue, ResultRow } from "@fairway/contract/search";

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    const parts = { year: "numeric", month: "2-digit", day: "2-digit", hour: "2-digit", minute: "2-digit", second: "2-digit" } as const;
    format = new Intl.DateTimeFormat("en-US", { ...parts, timeZone: zone });
    formats.set(zone, format);
  }
  return format;
}

/** `03/29/2026, 08:00:00 AM`, by the clock of the zone. */
export const momentText = (epochMs: number, zone: string): string => formatOf(zone).format(epochMs).replaceAll("\u202f", " ");

/** A cell as the web app shows it, with its times in the zone; empty for a missing value. */
export const cellText = (column: Column, row: ResultRow, zone: string): string =>
  textOf(column, row, (value) => valueText(column, value, zone));

const shownCharacters = 200;

/** The beginning of a long text. Cuts between characters, never within one. */
export const cut = (text: string): string =>
  text.length <= shownCharacters ? text : `${Array.from(text.slice(0, shownCharacters)).slice(0, -1).join("")}…`;

/** Whether the digits of a column line up at the right. */
export const alignsRight = ({ combined, type }: Column): boolean => combined === null && isNumeric(type);

const decimals = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** A figure as a panel shows it. Integers beyond 2^53 are texts. */
export function figureText(value: CellValue): string {
  if (value === null) return "–";
  if (typeof value === "string" && /^-?\d+$/.test(value)) return BigInt(value).toLocaleString("en-US");
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? formatCount(value) : decimals.format(value);
}

/** A line of a CSV file: RFC 4180, formulas neutralized, times in ISO 8601. Decisions 0037 and 0040. */
export const csvLine = (columns: readonly Column[], row: ResultRow): string =>
  line(
    columns.map((column) => {
      const text = textOf(column, row, (value) => isoText(column, value));
      return isNumeric(column.type) && column.combined === null ? text : escapeFormula(text);
    }),
  );

export const csvHead = (columns: readonly Column[]): string => line(columns.map(({ name }) => escapeFormula(name)));

const line = (fields: readonly string[]): string =>
  `${fields.map((text) => (/[",\r\n#]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)).join(",")}\r\n`;

function textOf({ name, combined }: Column, row: ResultRow, plain: (value: CellValue) => string): string {
  if (combined === null) return plain(row[name] ?? null);
  const values = combined.fields.map((field) => row[field] ?? null);
  return values.every((value) => value === null) ? "" : values.map((value) => value ?? "").join(combined.joinedBy);
}

function valueText(column: Column, value: CellValue, zone: string): string {
  const date = dateOf(column, value);
  if (date === undefined) return value === null ? "" : String(value);
  return isDay(column) ? formatOf("UTC").format(date).split(",", 1).join() : momentText(date.getTime(), zone);
}

function isoText(column: Column, value: CellValue): string {
  const date = dateOf(column, value);
  if (date === undefined) return value === null ? "" : String(value);
  const text = date.toISOString();
  if (isDay(column)) return text.slice(0, text.indexOf("T"));
  return column.type === "TIMESTAMP_SECONDS" ? text.replace(".000Z", "Z") : text;
}

/** Undefined for what is no time, or one beyond the calendar. */
function dateOf({ type }: Column, value: CellValue): Date | undefined {
  if (value === null || !isTimestamp(type)) return undefined;
  const date = new Date(Number(value) * (type === "TIMESTAMP_SECONDS" ? 1_000 : 1));
  return Number.isNaN(date.getTime()) ? undefined : date;
}
