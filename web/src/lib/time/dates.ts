import type { ColumnType } from "@fairway/contract/columns";

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

/** YYYY-MM-DD of a day, as files and filters have it. Undefined out of the calendar's range. */
export function isoDay(epochMs: number): string | undefined {
  const date = new Date(epochMs);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString().replace(/T.*/, "");
}

/** `84 ms`, `1.2 s`, `1 min 05 s`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(Math.floor(ms / 100) / 10).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${twoDigits(Math.floor((ms % 60_000) / 1_000))} s`;
}

/** `0:03`, for a running clock. */
export const clockText = (ms: number): string => `${Math.floor(ms / 60_000)}:${twoDigits(Math.floor(ms / 1_000) % 60)}`;
