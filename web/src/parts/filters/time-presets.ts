import type { TimeExtent } from "@fairway/contract/datasets";

export interface TimePreset {
  label: string;
  /** Asked when it is chosen: "last 24 hours" means from that moment. UTC. */
  spanAt: (nowMs: number) => { startMs: number; endMs: number };
}

const hour = 3_600_000;
const day = 24 * hour;

const upToNow = (label: string, durationMs: number): TimePreset => ({
  label,
  spanAt: (nowMs) => ({ startMs: nowMs - durationMs, endMs: nowMs }),
});

const thisMonth: TimePreset = {
  label: "This month",
  spanAt: (nowMs) => {
    const now = new Date(nowMs);
    const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) - 1_000 };
  },
};

const thisYear: TimePreset = {
  label: "This year",
  spanAt: (nowMs) => {
    const year = new Date(nowMs).getUTCFullYear();
    return { startMs: Date.UTC(year, 0), endMs: Date.UTC(year + 1, 0) - 1_000 };
  },
};

const last = [upToNow("Last 24 hours", day), upToNow("Last 7 days", 7 * day), upToNow("Last 30 days", 30 * day)];

/** Ranges that end with the present moment, or with the calendar's month or year. */
export const presentPresets: readonly TimePreset[] = [...last, thisMonth, thisYear];

/** Ranges that end with the newest row: an archive has nothing in the last 24 hours. */
export function dataPresets({ startMs, endMs }: TimeExtent): TimePreset[] {
  // The newest row may lie within a second; the range holds whole seconds and must still include it.
  const newest = Math.ceil(endMs / 1_000) * 1_000;
  const oldest = Math.floor(startMs / 1_000) * 1_000;
  const monthBefore = new Date(newest);
  monthBefore.setUTCMonth(monthBefore.getUTCMonth() - 1);
  const from = (label: string, fromMs: number): TimePreset => {
    const span = { startMs: Math.max(oldest, fromMs), endMs: newest };
    return { label, spanAt: () => span };
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
  return extent === null || isRecent(nowMs, extent) ? [...last, thisYear] : dataPresets(extent);
}
