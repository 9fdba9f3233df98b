import { overdueAfterHours } from "@fairway/contract/dataset-about";
import type { DatasetFacts } from "@fairway/contract/dataset-facts";

const hourMs = 3_600_000;

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
  const times = [changedMs, newestMs !== null && newestMs <= (measuredMs ?? 0) ? newestMs : null].filter((time) => time !== null);
  const updatedMs = times.length === 0 ? null : Math.max(...times);
  const period = updateRhythm === null ? null : overdueAfterHours[updateRhythm];
  return { updatedMs, dueMs: updatedMs === null || period === null ? null : updatedMs + period * hourMs };
}
