import type { BreakdownGrouping, BreakdownUnit, TimePart } from "@fairway/contract/breakdowns";
import { isDay, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { groupingName } from "./measure-wording.ts";
import { byValues, groupableColumns } from "./summary.ts";

const ofDays: readonly (BreakdownUnit | TimePart)[] = ["day", "week", "month", "dayOfWeek", "monthOfYear"];
const ofMoments: readonly (BreakdownUnit | TimePart)[] = ["hour", "hourOfDay"];

/** A grouping that can be added. */
interface GroupingChoice {
  /** Unique among the choices. */
  label: string;
  grouping: BreakdownGrouping;
}

/** Values of columns, and the calendar of times. Without those that are used. */
export function groupingChoices(description: DatasetDescription, used: readonly BreakdownGrouping[]): GroupingChoice[] {
  const labels = new Set(used.map(groupingLabel));
  const all = groupableColumns(description).flatMap((column): BreakdownGrouping[] => {
    const values = byValues(column.name);
    if (!isTimestamp(column.type)) return [values];
    return [...ofDays, ...(isDay(column) ? [] : ofMoments)].map((step) => calendarGrouping(column.name, step)).concat(values);
  });
  return all.map((grouping) => ({ label: groupingLabel(grouping), grouping })).filter(({ label }) => !labels.has(label));
}

const calendarGrouping = (column: string, step: BreakdownUnit | TimePart): BreakdownGrouping =>
  isUnit(step) ? { kind: "time", column, unit: step } : { kind: "part", column, part: step };

const isUnit = (step: BreakdownUnit | TimePart): step is BreakdownUnit => !step.includes("Of");

/** `origin`, `date by day of week`. */
export const groupingLabel = (grouping: BreakdownGrouping): string =>
  grouping.kind === "time" || grouping.kind === "part"
    ? `${grouping.column ?? "time"} by ${groupingName(grouping)}`
    : groupingName(grouping);
