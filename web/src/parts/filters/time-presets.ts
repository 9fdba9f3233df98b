import type { TimeExtent } from "@fairway/contract/datasets";
import type { LastSpan } from "@fairway/contract/relative-times";
import { type BoundedRange, lastRangeOf, lastText, timeRangeOf } from "#parts/search-model/time-range.ts";

export interface TimePreset {
  label: string;
  /** Called when the preset is chosen. UTC. */
  rangeAt: (nowMs: number) => BoundedRange;
}

const dayMs = 86_400_000;

const last = (amount: number, unit: LastSpan["unit"]): TimePreset => ({
  label: lastText({ amount, unit }),
  rangeAt: (nowMs) => lastRangeOf({ amount, unit }, nowMs),
});

const thisMonth: TimePreset = {
  label: "This month",
  rangeAt: (nowMs) => {
    const now = new Date(nowMs);
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return timeRangeOf(Date.UTC(year, month), Date.UTC(year, month + 1) - 1_000);
  },
};

const thisYear: TimePreset = {
  label: "This year",
  rangeAt: (nowMs) => {
    const year = new Date(nowMs).getUTCFullYear();
    return timeRangeOf(Date.UTC(year, 0), Date.UTC(year + 1, 0) - 1_000);
  },
};

const lastDays = [last(24, "hours"), last(7, "days"), last(30, "days")];

/** Relative ranges, and the current calendar month and year. */
export const currentPresets: readonly TimePreset[] = [last(15, "minutes"), last(1, "hours"), ...lastDays, thisMonth, thisYear];

/** Ranges that end with the newest row, because an archive has no rows in the last 24 hours. */
export function dataPresets({ startMs, endMs }: TimeExtent): TimePreset[] {
  // Round up: the range has whole seconds and must include the newest row.
  const newestMs = Math.ceil(endMs / 1_000) * 1_000;
  const oldestMs = Math.floor(startMs / 1_000) * 1_000;
  const monthBefore = new Date(newestMs);
  monthBefore.setUTCMonth(monthBefore.getUTCMonth() - 1);
  const from = (label: string, fromMs: number): TimePreset => {
    const range = timeRangeOf(Math.max(oldestMs, fromMs), newestMs);
    return { label, rangeAt: () => range };
  };
  return [
    from("Newest day", newestMs - dayMs),
    from("Newest week", newestMs - 7 * dayMs),
    from("Newest month", monthBefore.getTime()),
    from("All data", oldestMs),
  ];
}

/** Whether ranges up to now contain rows: the newest row is at most a week old. */
const isRecent = (nowMs: number, extent: TimeExtent): boolean => extent.endMs > nowMs - 7 * dayMs;

/** All presets; groups with rows first. */
export function presetGroupsOf(nowMs: number, extent: TimeExtent | null): { label: string; presets: readonly TimePreset[] }[] {
  const present = { label: "Up to now", presets: currentPresets };
  if (extent === null) return [present];
  const data = { label: "From the data", presets: dataPresets(extent) };
  return isRecent(nowMs, extent) ? [present, data] : [data, present];
}

/** The presets below the field: up to now for recent data, otherwise ranges of the data. */
export function quickPresets(nowMs: number, extent: TimeExtent | null): readonly TimePreset[] {
  return extent === null || isRecent(nowMs, extent) ? [...lastDays, thisYear] : dataPresets(extent);
}
