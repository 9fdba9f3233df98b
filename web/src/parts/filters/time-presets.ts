import type { TimeExtent } from "@fairway/contract/datasets";
import type { LastSpan } from "@fairway/contract/relative-times";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";
import { lastRangeOf, lastText, timeRangeOf } from "#parts/search-model/time-range.ts";

export interface TimePreset {
  label: string;
  /** Asked when it is chosen. UTC. */
  rangeAt: (nowMs: number) => TimeRangeFilter;
}

const day = 86_400_000;

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

/** Ranges that follow the clock, and the calendar's month and year. */
export const presentPresets: readonly TimePreset[] = [last(15, "minutes"), last(1, "hours"), ...lastDays, thisMonth, thisYear];

/** Ranges that end with the newest row: an archive has nothing in the last 24 hours. */
export function dataPresets({ startMs, endMs }: TimeExtent): TimePreset[] {
  // The newest row may lie within a second; the range holds whole seconds and must still include it.
  const newest = Math.ceil(endMs / 1_000) * 1_000;
  const oldest = Math.floor(startMs / 1_000) * 1_000;
  const monthBefore = new Date(newest);
  monthBefore.setUTCMonth(monthBefore.getUTCMonth() - 1);
  const from = (label: string, fromMs: number): TimePreset => {
    const range = timeRangeOf(Math.max(oldest, fromMs), newest);
    return { label, rangeAt: () => range };
  };
  return [
    from("Newest day", newest - day),
    from("Newest week", newest - 7 * day),
    from("Newest month", monthBefore.getTime()),
    from("All data", oldest),
  ];
}

/** Whether the newest row is of these days, so that ranges up to now hold something. */
const isRecent = (nowMs: number, extent: TimeExtent): boolean => extent.endMs > nowMs - 7 * day;

/** Every preset, the ones that hold something first. */
export function presetGroupsOf(nowMs: number, extent: TimeExtent | null): { label: string; presets: readonly TimePreset[] }[] {
  const present = { label: "Up to now", presets: presentPresets };
  if (extent === null) return [present];
  const data = { label: "From the data", presets: dataPresets(extent) };
  return isRecent(nowMs, extent) ? [present, data] : [data, present];
}

/** The few that fit beside the form: up to now where the data is recent, else what the data holds. */
export function quickPresets(nowMs: number, extent: TimeExtent | null): readonly TimePreset[] {
  return extent === null || isRecent(nowMs, extent) ? [...lastDays, thisYear] : dataPresets(extent);
}
