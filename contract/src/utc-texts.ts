import { type Column, type ColumnType, isDay, isTimestamp } from "./columns.ts";
import type { CellValue } from "./search.ts";

/** Short names of the months, from January. */
export const monthNames = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"] as const;

const twoDigits = (value: number): string => String(value).padStart(2, "0");

/** MM/DD/YYYY of a day, which has no zone: the day in UTC. Undefined out of the calendar's range. */
export function dayText(epochMs: number): string | undefined {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime())
    ? undefined
    : `${twoDigits(date.getUTCMonth() + 1)}/${twoDigits(date.getUTCDate())}/${yearText(date)}`;
}

/** MM/DD/YYYY, hh:mm:ss A in UTC. The zone is shown once per screen, not in the text. Undefined out of the calendar's range. */
export function utcText(epochMs: number): string | undefined {
  const day = dayText(epochMs);
  if (day === undefined) return undefined;
  const date = new Date(epochMs);
  const hours = date.getUTCHours();
  return `${day}, ${twoDigits(hours % 12 || 12)}:${twoDigits(date.getUTCMinutes())}:${twoDigits(date.getUTCSeconds())} ${hours < 12 ? "AM" : "PM"}`;
}

function yearText(date: Date): string {
  const year = date.getUTCFullYear();
  return year < 0 ? `-${String(-year).padStart(4, "0")}` : String(year).padStart(4, "0");
}

/** Converts a cell of a timestamp column to epoch milliseconds. Numbers beyond 2^53 arrive as text, so both are accepted. */
export function epochMsOf(type: ColumnType, value: unknown): number | undefined {
  if (typeof value !== "number" && (typeof value !== "string" || value.trim() === "")) return undefined;
  const number = Number(value);
  if (!Number.isFinite(number)) return undefined;
  return type === "TIMESTAMP_SECONDS" ? number * 1_000 : number;
}

/** A value by its column's type, with times in UTC. A timestamp out of the calendar's range is shown unformatted. */
export function utcValueText({ type, day }: Pick<Column, "type" | "day">, value: Exclude<CellValue, null>): string {
  if (!isTimestamp(type)) return String(value);
  const epochMs = epochMsOf(type, value);
  if (epochMs === undefined) return String(value);
  return (isDay({ type, day }) ? dayText(epochMs) : utcText(epochMs)) ?? String(value);
}
