import type { TimeExtent } from "@fairway/contract/datasets";

export interface TimePreset {
  label: string;
  startMs: number;
  endMs: number;
}

const hour = 3_600_000;
const day = 24 * hour;

/** Ranges that end with the present moment, or with the calendar's month or year. UTC. */
export function presentPresets(nowMs: number): TimePreset[] {
  const now = new Date(nowMs);
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return [
    { label: "Last 24 hours", startMs: nowMs - day, endMs: nowMs },
    { label: "Last 7 days", startMs: nowMs - 7 * day, endMs: nowMs },
    { label: "Last 30 days", startMs: nowMs - 30 * day, endMs: nowMs },
    { label: "This month", startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) - 1_000 },
    { label: "This year", startMs: Date.UTC(year, 0), endMs: Date.UTC(year + 1, 0) - 1_000 },
  ];
}

/** Ranges that end with the newest row: an archive has nothing in the last 24 hours. */
export function dataPresets({ startMs, endMs }: TimeExtent): TimePreset[] {
  // The newest row may lie within a second; the range holds whole seconds and must still include it.
  const newest = Math.ceil(endMs / 1_000) * 1_000;
  const oldest = Math.floor(startMs / 1_000) * 1_000;
  const monthBefore = new Date(newest);
  monthBefore.setUTCMonth(monthBefore.getUTCMonth() - 1);
  const back = (label: string, fromMs: number): TimePreset => ({ label, startMs: Math.max(oldest, fromMs), endMs: newest });
  return [
    back("Newest day", newest - day),
    back("Newest week", newest - 7 * day),
    back("Newest month", monthBefore.getTime()),
    back("All data", oldest),
  ];
}

/** The few that fit beside the form: what is present where the data is, else what the data holds. */
export function quickPresets(nowMs: number, extent: TimeExtent | null): TimePreset[] {
  const present = presentPresets(nowMs).filter(({ label }) => label !== "This month");
  if (extent === null || extent.endMs > nowMs - 7 * day) return present;
  return dataPresets(extent);
}
