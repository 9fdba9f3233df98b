import {
  type BreakdownGrouping,
  breakdownLimits,
  type BreakdownUnit,
  breakdownUnit,
  type TimePart,
  timePart,
} from "@fairway/contract/breakdowns";
import { columnTitleIn, isDay, isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { groupingName } from "@fairway/contract/charts/measure-wording";
import { byValues, groupableColumns } from "./summary.ts";

const finerThanDays: ReadonlySet<BreakdownUnit | TimePart> = new Set(["minute", "hour", "minuteOfHour", "hourOfDay"]);

/** A grouping that can be added. */
interface GroupingChoice {
  /** Unique among the choices. */
  label: string;
  /** The same with labels of columns. */
  title: string;
  grouping: BreakdownGrouping;
}

/** Series of a second grouping, which lines are drawn for. */
const series = 8;

/** Values and ranges of columns, the calendar of times, and groups of one's own. Without those that are used. */
export function groupingChoices(description: DatasetDescription, used: readonly BreakdownGrouping[]): GroupingChoice[] {
  const labels = new Set(used.map((grouping) => groupingLabel(grouping)));
  const isBesideTime = used.some(({ kind }) => kind === "time");
  const all = groupableColumns(description).flatMap((column): BreakdownGrouping[] => {
    const values = byValues(column.name, isBesideTime ? series : undefined);
    if (isNumeric(column.type)) return [values, { kind: "range", column: column.name, about: 20 }];
    if (!isTimestamp(column.type)) return [values];
    const fits = (step: BreakdownUnit | TimePart) => !isDay(column) || !finerThanDays.has(step);
    const units = breakdownUnit.options.toReversed().filter(fits);
    const steps = units.map((unit): BreakdownGrouping => ({ kind: "time", column: column.name, unit }));
    const parts = timePart.options.filter(fits).map((part): BreakdownGrouping => ({ kind: "part", column: column.name, part }));
    return steps.concat(parts, values);
  });
  const own: BreakdownGrouping = { kind: "groups", groups: [{ label: "Group 1", filters: [] }] };
  return [...all, own]
    .map((grouping) => ({ label: groupingLabel(grouping), title: groupingLabel(grouping, description.schema.columns), grouping }))
    .filter(({ label }) => !labels.has(label));
}

/** `origin`, `date by day of week`, `delay in ranges`. With the labels of these columns instead of their names. */
export function groupingLabel(grouping: BreakdownGrouping, columns: DatasetDescription["schema"]["columns"] = []): string {
  const title = (name: string) => columnTitleIn(columns, name);
  switch (grouping.kind) {
    case "time":
      return `${title(grouping.column ?? "time")} by ${grouping.unit}`;
    case "part":
      return `${title(grouping.column ?? "time")} by ${groupingName(grouping)}`;
    case "range":
      return `${title(grouping.column)} in ranges`;
    case "groups":
      return "groups of my own";
    case "value":
      return title(grouping.column);
    default:
      return grouping satisfies never;
  }
}

/** Numbers in ascending order, separated by commas; null for any other text. */
export function edgesOf(text: string): number[] | null {
  const edges = text.split(",").map((one) => (one.trim() === "" ? Number.NaN : Number(one)));
  const isAscending = edges.every((edge, index) => Number.isFinite(edge) && (index === 0 || edge > (edges[index - 1] ?? edge)));
  return isAscending && edges.length <= breakdownLimits.edges ? edges : null;
}

/** The zones that can be chosen: UTC, that of the browser, the chosen one, then all by name. */
export const zonesWith = (chosen: string, own: string): string[] => [
  ...new Set(["UTC", own, chosen, ...Intl.supportedValuesOf("timeZone")]),
];
