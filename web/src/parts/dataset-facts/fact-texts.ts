import { formatCount } from "@fairway/contract/counts";
import type { DatasetFacts } from "@fairway/contract/dataset-facts";
import { agoText } from "#lib/time/ago-text.ts";
import { monthNames, utcText } from "@fairway/contract/utc-texts";

type Rhythm = NonNullable<DatasetFacts["updateRhythm"]>;

export const rhythmTexts: Readonly<Record<Rhythm, string>> = {
  hourly: "Hourly",
  daily: "Daily",
  weekly: "Weekly",
  monthly: "Monthly",
  quarterly: "Quarterly",
  yearly: "Yearly",
  irregular: "Irregularly",
  never: "Never",
};

/** The number of rows; null if it is not known. */
export function rowsText({ rows, rowsFrom }: Pick<DatasetFacts, "rows" | "rowsFrom">): string | null {
  if (rowsFrom === "request") return "On request";
  return rows === null ? null : formatCount(rows);
}

const dayText = (epochMs: number): string => utcText(epochMs)?.split(",")[0] ?? "";

/** `06/27/1975 – 11/18/2020`; null without times. */
export function timeSpanText({ oldestMs, newestMs }: Pick<DatasetFacts, "oldestMs" | "newestMs">): string | null {
  if (oldestMs === null || newestMs === null) return null;
  const [first, last] = [dayText(oldestMs), dayText(newestMs)];
  return first === last ? first : `${first} – ${last}`;
}

/** As short as it can be said: `1975 – 2020`, `Jan – Jun 2001` or `Jan 31 – Feb 7, 2018`; null without times. UTC. */
export function shortSpanText({ oldestMs, newestMs }: Pick<DatasetFacts, "oldestMs" | "newestMs">): string | null {
  if (oldestMs === null || newestMs === null) return null;
  const [first, last] = [new Date(oldestMs), new Date(newestMs)];
  const [firstYear, lastYear] = [first.getUTCFullYear(), last.getUTCFullYear()];
  if (firstYear !== lastYear) return `${firstYear} – ${lastYear}`;
  const [firstMonth, lastMonth] = [first, last].map((date) => monthNames[date.getUTCMonth()] ?? "");
  if (last.getUTCMonth() - first.getUTCMonth() > 1) return `${firstMonth} – ${lastMonth} ${lastYear}`;
  const days = [`${firstMonth} ${first.getUTCDate()}`, `${lastMonth} ${last.getUTCDate()}`];
  return `${[...new Set(days)].join(" – ")}, ${lastYear}`;
}

export interface Freshness {
  readonly text: string;
  readonly isOverdue: boolean;
  /** More of it, for a tooltip. */
  readonly details: string;
}

/** When a dataset was updated, against its rhythm; null if nothing is known. */
export function freshnessOf(
  { updatedMs, dueMs, updateRhythm, rowsFrom }: Pick<DatasetFacts, "updatedMs" | "dueMs" | "updateRhythm" | "rowsFrom">,
  nowMs = Date.now(),
): Freshness | null {
  if (rowsFrom === "request") return { text: "On request", isOverdue: false, details: "A service computes the rows for each search." };
  const expected = updateRhythm === null || updateRhythm === "never" ? "" : ` Updates are expected ${expectedTexts[updateRhythm]}.`;
  if (updatedMs === null) {
    return updateRhythm === "never" ? { text: "Complete", isOverdue: false, details: "No updates are planned." } : null;
  }
  const updated = `Last updated ${dayText(updatedMs)} (UTC).${expected}`;
  if (updateRhythm === "never") return { text: "Complete", isOverdue: false, details: `${updated} No further updates are planned.` };
  if (dueMs !== null && nowMs > dueMs) {
    const late = agoText(dueMs, nowMs);
    return { text: late.endsWith(" ago") ? late.replace(/ ago$/, " overdue") : "Overdue", isOverdue: true, details: updated };
  }
  return { text: agoText(updatedMs, nowMs), isOverdue: false, details: updated };
}

const expectedTexts: Readonly<Record<Exclude<Rhythm, "never">, string>> = {
  hourly: "every hour",
  daily: "every day",
  weekly: "every week",
  monthly: "every month",
  quarterly: "every quarter",
  yearly: "every year",
  irregular: "irregularly",
};
