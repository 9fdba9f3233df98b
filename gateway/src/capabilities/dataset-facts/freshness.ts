import type { DatasetFacts } from "@fairway/contract/dataset-facts";

const dayMs = 86_400_000;

/**
 * How long after an update the next one is overdue: the period, with time for the publication to be late. Null without a period.
 * Decision 0395.
 */
const dueAfterMs: Readonly<Record<NonNullable<DatasetFacts["updateRhythm"]>, number | null>> = {
  hourly: 2 * 3_600_000,
  daily: 2 * dayMs,
  weekly: 9 * dayMs,
  monthly: 38 * dayMs,
  quarterly: 107 * dayMs,
  yearly: 395 * dayMs,
  irregular: null,
  never: null,
};

interface Known {
  readonly updateRhythm: DatasetFacts["updateRhythm"];
  readonly newestMs: number | null;
  /** When the data were seen to have changed. */
  readonly changedMs: number | null;
  /** When they were last looked at. */
  readonly measuredMs: number | null;
}

/** Forecasts have times in the future, which say nothing on when they were updated. */
export function freshness({ updateRhythm, newestMs, changedMs, measuredMs }: Known): Pick<DatasetFacts, "updatedMs" | "dueMs"> {
  const times = [changedMs, newestMs].filter((time) => time !== null).filter((time) => time <= (measuredMs ?? 0));
  const updatedMs = times.length === 0 ? null : Math.max(...times);
  const period = updateRhythm === null ? null : dueAfterMs[updateRhythm];
  return { updatedMs, dueMs: updatedMs === null || period === null ? null : updatedMs + period };
}
