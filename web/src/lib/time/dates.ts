const twoDigits = (value: number): string => String(value).padStart(2, "0");

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
