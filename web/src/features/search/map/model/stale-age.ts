const hourMs = 3_600_000;

/** How long an item has not been heard of: below the warning hours, from there on, from the error hours on. */
export type Staleness = "fresh" | "warning" | "error";

export interface StaleHours {
  readonly staleWarningHours: number;
  readonly staleErrorHours: number;
}

interface Measured extends StaleHours {
  /** The end of the search's time range; null without one. */
  readonly rangeEndMs: number | null;
  readonly newestMs: number | null;
  readonly nowMs: number;
}

/**
 * What ages are measured against: the end of the range, else now; but where even the newest row is older than the error
 * hours, as in an archive, that row, as everything would be stale otherwise.
 */
export function ageEndMs({ rangeEndMs, newestMs, nowMs, staleErrorHours }: Measured): number {
  if (rangeEndMs !== null) return rangeEndMs;
  return newestMs !== null && nowMs - newestMs > staleErrorHours * hourMs ? newestMs : nowMs;
}

/** An item without a time is as stale as can be. */
export function stalenessOf(timeMs: number | null, endMs: number, { staleWarningHours, staleErrorHours }: StaleHours): Staleness {
  const ageMs = timeMs === null ? Infinity : endMs - timeMs;
  if (ageMs >= staleErrorHours * hourMs) return "error";
  return ageMs >= staleWarningHours * hourMs ? "warning" : "fresh";
}

/** `not yet seen`, `now`, `12 min ago`, `36 h ago`, `51 d ago`, `3 y ago`. */
export function ageText(timeMs: number | null, endMs: number): string {
  if (timeMs === null) return "no time";
  const minutes = Math.floor((endMs - timeMs) / 60_000);
  if (minutes < 0) return "not yet seen";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes} min ago`;
  const hours = Math.floor(minutes / 60);
  if (hours < 72) return `${hours} h ago`;
  const days = Math.floor(hours / 24);
  return days < 730 ? `${days.toLocaleString("en-US")} d ago` : `${Math.floor(days / 365.25)} y ago`;
}
