import { trimCharacters } from "@fairway/contract/trim-characters";

/** End of a period such as `2004-09` that is used. */
export type Edge = "start" | "end";

/** Shown when a time cannot be parsed. */
export const timeExamples = "09/02/2004, 12:00:00 AM or 2004-09-02T00:00:00Z";

/** Shown when a day cannot be parsed. */
export const dayExamples = "09/02/2004 or 2004-09-02";

const maxTimeCharacters = 60;
const maxRangeCharacters = 200;

/**
 * Parses a typed or pasted time as UTC: ISO 8601 (zone optional), MM/DD/YYYY with an optional time, epoch seconds or
 * milliseconds. A bare day, month or year means its first or last second. Returns epoch milliseconds of a whole second, or
 * undefined for anything else, including dates that do not exist.
 */
export function parseTime(text: string, edge: Edge = "start"): number | undefined {
  const trimmed = text
    .trim()
    .replace(/\(?UTC\)?$/i, "")
    .trimEnd();
  if (trimmed.length > maxTimeCharacters) return undefined;
  const span = spanOf(trimmed) ?? instantOf(trimmed);
  return span && (edge === "start" ? span.startMs : span.endMs);
}

/**
 * Parses a range: two times separated by a dash, "to", a slash, a comma or a line break, or a single day, month or year.
 * Undefined for anything else. A reversed range is returned as it is.
 */
export function parseRange(text: string): { startMs: number; endMs: number } | undefined {
  const trimmed = text.trim();
  // Bounds the work: every separator in the text is tried in turn.
  if (trimmed.length > maxRangeCharacters) return undefined;
  const span = spanOf(trimmed);
  if (span) return span;
  for (const { index, 0: separator } of trimmed.matchAll(/–|—|\/|\.{2,}|;|,|-|\t|\r?\n|\s(?:to|until|and)\s/gi)) {
    const startMs = parseTime(unquoted(trimmed.slice(0, index)), "start");
    const endMs = parseTime(unquoted(trimmed.slice(index + separator.length)), "end");
    if (startMs !== undefined && endMs !== undefined) return { startMs, endMs };
  }
  return undefined;
}

interface Span {
  startMs: number;
  endMs: number;
}

const unquoted = (text: string): string => trimCharacters(text.trim(), "\"'[]");

/** A year, month or day, from its first second to its last. */
function spanOf(text: string): Span | undefined {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  const [, usMonth, usDay, usYear] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text) ?? [];
  const year = isoYear ?? usYear;
  const month = isoMonth ?? usMonth;
  const day = isoDay ?? usDay;
  if (year === undefined) return undefined;
  const startMs = utc(year, month ?? "1", day ?? "1");
  if (startMs === undefined) return undefined;
  const next = new Date(startMs);
  if (day !== undefined) next.setUTCDate(next.getUTCDate() + 1);
  else if (month !== undefined) next.setUTCMonth(next.getUTCMonth() + 1);
  else next.setUTCFullYear(next.getUTCFullYear() + 1);
  return { startMs, endMs: next.getTime() - 1_000 };
}

function instantOf(text: string): Span | undefined {
  const epochMs = epochOf(text) ?? isoInstant(text) ?? usInstant(text);
  if (epochMs === undefined) return undefined;
  const second = Math.floor(epochMs / 1_000) * 1_000;
  return { startMs: second, endMs: second };
}

/** Up to eleven digits are seconds (until the year 5138), more are milliseconds. Short numbers are refused as likely typos. */
function epochOf(text: string): number | undefined {
  const [, digits] = /^-?(\d{8,14})$/.exec(text) ?? [];
  if (digits === undefined) return undefined;
  return Number(text) * (digits.length <= 11 ? 1_000 : 1);
}

function isoInstant(text: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text);
  if (!match) return undefined;
  const [, year = "", month = "", day = "", hour = "", minute = "", second = "0", zone = "Z"] = match;
  const local = utc(year, month, day, hour, minute, second);
  return local === undefined ? undefined : local - offsetMs(zone);
}

function offsetMs(zone: string): number {
  if (/^z$/i.test(zone)) return 0;
  const sign = zone.startsWith("-") ? -1 : 1;
  return sign * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000;
}

function usInstant(text: string): number | undefined {
  const match = /^(\d{1,2})\/(\d{1,2})\/(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?\s*([AP]M)?$/i.exec(text);
  if (!match) return undefined;
  const [, month = "", day = "", year = "", hourText = "", minute = "", second = "0", half] = match;
  const hour = Number(hourText);
  if (half === undefined) return utc(year, month, day, hourText, minute, second);
  if (hour < 1 || hour > 12) return undefined;
  return utc(year, month, day, String((hour % 12) + (half.toUpperCase() === "PM" ? 12 : 0)), minute, second);
}

/** Undefined for a date that does not exist, such as 02/30. */
function utc(year: string, month: string, day: string, hour = "0", minute = "0", second = "0"): number | undefined {
  const parts = [year, month, day, hour, minute, second].map(Number);
  const [y = 0, m = 0, d = 0, h = 0, min = 0, s = 0] = parts;
  // Not Date.UTC: it reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(y, m - 1, d);
  date.setUTCHours(h, min, s, 0);
  const exists =
    date.getUTCFullYear() === y &&
    date.getUTCMonth() === m - 1 &&
    date.getUTCDate() === d &&
    date.getUTCHours() === h &&
    date.getUTCMinutes() === min &&
    date.getUTCSeconds() === s;
  return exists ? date.getTime() : undefined;
}
