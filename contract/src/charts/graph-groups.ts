import type { DatasetDescription } from "../datasets.ts";
import type { SearchDataDraft, SearchFilter } from "../search.ts";
import { utcText } from "../utc-texts.ts";
import { colorAt } from "./graph-colors.ts";
import type { GraphDefinition, Group, GroupingType } from "./graph.ts";

/** Both ends inclusive, epoch milliseconds. */
export interface Range {
  startMs: number;
  endMs: number;
}

/** The range over which a search is grouped by time: its own, and where that is open, the data's. Null without either. */
export function groupedRange(
  { timeRange }: { timeRange: { startMs: number | null; endMs: number | null } | null },
  { timeExtent }: Pick<DatasetDescription, "timeExtent">,
): Range | null {
  if (timeRange === null) return null;
  const startMs = timeRange.startMs ?? timeExtent?.startMs;
  const endMs = timeRange.endMs ?? timeExtent?.endMs;
  return startMs === undefined || endMs === undefined || startMs > endMs ? null : { startMs, endMs };
}

const stepMs = { day: 86_400_000, hour: 3_600_000 } as const;

/** Number of UTC days or hours that a range touches. */
export const countOfSteps = (type: "day" | "hour", { startMs, endMs }: Range): number =>
  Math.floor(endMs / stepMs[type]) - Math.floor(startMs / stepMs[type]) + 1;

type GroupedBy = Pick<GraphDefinition, "groupingType" | "groupings" | "days">;

/** Days or hours per group. */
const stepsPerGroup = ({ groupingType, days = 1 }: GroupedBy): number => (groupingType === "day" ? days : 1);

/** Number of groups of a graph; 0 for a temporal one without a range. */
export function countOfGroups(grouped: GroupedBy, range: Range | null): number {
  const { groupingType, groupings } = grouped;
  if (groupingType === "custom") return groupings.length;
  return range ? Math.ceil(countOfSteps(groupingType, range) / stepsPerGroup(grouped)) : 0;
}

/** The groups of a graph. The first and last one are cut to the range. */
export function groupsOf(definition: GroupedBy, range: Range | null): Group[] {
  const { groupingType, groupings } = definition;
  if (groupingType === "custom") {
    return groupings.map(({ id, label, color, conditions, isRest = false }) => ({
      id,
      label: label.trim(),
      color,
      time: null,
      conditions: isRest ? restConditions(groupings) : conditions,
      ...(isRest ? { isRest } : {}),
    }));
  }
  if (!range) return [];
  const colors = new Map(groupings.map(({ id, color }) => [id, color]));
  const step = stepMs[groupingType];
  const width = step * stepsPerGroup(definition);
  const startMs = Math.floor(range.startMs / step) * step;
  return Array.from({ length: countOfGroups(definition, range) }, (_, index) => {
    const groupStartMs = startMs + index * width;
    const id = idOf(groupingType, groupStartMs);
    const time = { startMs: Math.max(groupStartMs, range.startMs), endMs: Math.min(groupStartMs + width - 1, range.endMs) };
    const lastLabel = width > step ? labelOf(groupingType, time.endMs) : "";
    const label = labelOf(groupingType, groupStartMs);
    return {
      id,
      label: lastLabel === "" || lastLabel === label ? label : `${label} – ${lastLabel}`,
      color: colors.get(id) ?? colorAt(index),
      time,
      conditions: [],
    };
  });
}

/** The conditions of the rows that are in no other group, provided each of those has one condition, `=`. */
const restConditions = (groupings: GraphDefinition["groupings"]): Group["conditions"] =>
  groupings.flatMap(({ conditions, isRest = false }) =>
    isRest ? [] : conditions.map((condition) => ({ ...condition, operator: "<>" as const })),
  );

/** `2005-08-29` or `2005-08-29T15`. */
const idOf = (type: "day" | "hour", groupStartMs: number): string =>
  new Date(groupStartMs).toISOString().slice(0, type === "day" ? "2005-08-29".length : "2005-08-29T15".length);

/** `08/29/2005` or `08/29/2005, 03:00 PM`, in UTC. */
function labelOf(type: "day" | "hour", groupStartMs: number): string {
  const text = utcText(groupStartMs) ?? "";
  return type === "day" ? text.split(",", 1).join() : text.replace(/:00 (?=[AP]M$)/, " ");
}

/** Conditions that a group adds to the search: a narrower time range for a temporal group, filters for a custom one. */
export function groupConstraints(group: Group): { timeRange?: { start: string; end: string }; filters?: SearchFilter[] } {
  if (group.time)
    return { timeRange: { start: new Date(group.time.startMs).toISOString(), end: new Date(group.time.endMs).toISOString() } };
  return { filters: group.conditions.map(({ model, operator, value }) => ({ name: model, value, operator })) };
}

/** The search for the rows of one group. */
export function searchOfGroup(search: SearchDataDraft, group: Group): SearchDataDraft {
  const { timeRange, filters = [] } = groupConstraints(group);
  return { ...search, ...(timeRange ? { timeRange } : {}), filters: [...(search.filters ?? []), ...filters] };
}

/** Hours for up to three days if they are few enough, otherwise days; custom groups without a range. */
export function suggestedGrouping(range: Range | null, maxGroups: number): GroupingType {
  if (range === null) return "custom";
  return countOfSteps("day", range) <= 3 && countOfSteps("hour", range) <= maxGroups ? "hour" : "day";
}

/** Offered numbers of days per group. */
export const dayWidths = [1, 2, 7, 14, 30, 91, 365] as const;

/** The fewest days per group with at most this many groups. */
export function suggestedDays(range: Range, maxGroups: number): number {
  const days = countOfSteps("day", range);
  return dayWidths.find((width) => Math.ceil(days / width) <= maxGroups) ?? Math.ceil(days / maxGroups);
}
