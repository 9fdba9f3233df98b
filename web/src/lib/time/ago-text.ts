const units = [
  ["year", 31_557_600_000],
  ["month", 2_629_800_000],
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
] as const;

const format = new Intl.RelativeTimeFormat("en-US");

/** `just now`, `3 hours ago`, `12 days ago`. Times in the future, by a clock that runs ahead, are `just now`. */
export function agoText(epochMs: number, nowMs = Date.now()): string {
  const ageMs = nowMs - epochMs;
  const [unit, unitMs] = units.find(([, ms]) => ageMs >= ms) ?? [];
  return unit === undefined ? "just now" : format.format(-Math.floor(ageMs / unitMs), unit);
}
