import { type Edge, parseTime } from "./time-input.ts";

/** Shown when a time cannot be parsed. */
export const localTimeExamples = "09-02-2004, 3:30 pm or 2004-09-02T15:30";

/**
 * Parses a typed time in the browser's zone, in the formats of `parseTime` and in that of `localTime`. A zone in the text counts.
 * Null for an empty text, undefined for anything that is not a time.
 */
export function parseLocalTime(text: string, edge: Edge = "start"): number | null | undefined {
  const trimmed = text.trim().replace(/^(\d{1,2})-(\d{1,2})-(\d{4})/, "$1/$2/$3");
  if (trimmed === "") return null;
  const wallMs = parseTime(trimmed, edge);
  if (wallMs === undefined || hasZone(trimmed)) return wallMs;
  const wall = new Date(wallMs);
  const local = new Date(0);
  local.setFullYear(wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate());
  local.setHours(wall.getUTCHours(), wall.getUTCMinutes(), wall.getUTCSeconds(), 0);
  return local.getTime();
}

/** Whether a text names its zone, or is a number of seconds or milliseconds since 1970. */
const hasZone = (text: string): boolean => /^-?\d{8,}$|\d\s*Z$|:\d{2}(?:[.,]\d+)?\s*[+-]\d{2}:?\d{2}$|UTC\)?$/i.test(text);
