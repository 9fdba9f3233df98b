import type { SearchDataDraft, SearchFilter } from "@fairway/contract/search";
import { utcText } from "#lib/dates.ts";
import { colorAt } from "./graph-colors.ts";
import type { GraphDefinition, Group, GroupingType } from "./graph.ts";

/** Both ends inclusive, epoch milliseconds. */
export interface Range {
  startMs: number;
  endMs: number;
}

const stepMs = { day: 86_400_000, hour: 3_600_000 } as const;

/** Days or hours of UTC that a range touches. */
export const countOfSteps = (type: "day" | "hour", { startMs, endMs }: Range): number =>
  Math.floor(endMs / stepMs[type]) - Math.floor(startMs / stepMs[type]) + 1;

/** How many groups a graph has; none where a temporal one has no range. */
export function countOfGroups(
  { groupingType, groupings }: Pick<GraphDefinition, "groupingType" | "groupings">,
  range: Range | null,
): number {
  if (groupingType === "custom") return groupings.length;
  return range ? countOfSteps(groupingType, range) : 0;
}

/** The groups of a graph. The first and the last day or hour are cut where the range begins and ends. */
export function groupsOf(definition: Pick<GraphDefinition, "groupingType" | "groupings">, range: Range | null): Group[] {
  const { groupingType, groupings } = definition;
  if (groupingType === "custom")
    return groupings.map(({ id, label, color, conditions }) => ({ id, label: label.trim(), color, time: null, conditions }));
  if (!range) return [];
  const chosen = new Map(groupings.map(({ id, color }) => [id, color]));
  const step = stepMs[groupingType];
  const first = Math.floor(range.startMs / step);
  return Array.from({ length: countOfSteps(groupingType, range) }, (_, index) => {
    const beginMs = (first + index) * step;
    const id = idOf(groupingType, beginMs);
    return {
      id,
      label: labelOf(groupingType, beginMs),
      color: chosen.get(id) ?? colorAt(index),
      time: { startMs: Math.max(beginMs, range.startMs), endMs: Math.min(beginMs + step - 1, range.endMs) },
      conditions: [],
    };
  });
}

/** `2005-08-29` or `2005-08-29T15`. */
const idOf = (type: "day" | "hour", beginMs: number): string =>
  new Date(beginMs).toISOString().slice(0, type === "day" ? "2005-08-29".length : "2005-08-29T15".length);

/** `08/29/2005`, or `08/29/2005, 03:00 PM`: UTC. */
function labelOf(type: "day" | "hour", beginMs: number): string {
  const text = utcText(beginMs) ?? "";
  return type === "day" ? text.split(",", 1).join() : text.replace(/:00 (?=[AP]M$)/, " ");
}

/** What a call on one group adds to the search: a narrower range for a temporal group, more filters for a custom one. */
export function narrowingOf(group: Group): { timeRange?: { start: string; end: string }; filters?: SearchFilter[] } {
  if (group.time)
    return { timeRange: { start: new Date(group.time.startMs).toISOString(), end: new Date(group.time.endMs).toISOString() } };
  return { filters: group.conditions.map(({ model, operator, value }) => ({ name: model, value, operator })) };
}

/** The search of one group's rows. */
export function searchOfGroup(search: SearchDataDraft, group: Group): SearchDataDraft {
  const { timeRange, filters = [] } = narrowingOf(group);
  return { ...search, ...(timeRange ? { timeRange } : {}), filters: [...(search.filters ?? []), ...filters] };
}

/** Hours for what is at most three days, else days; custom groups where there is no range. */
export const suggestedGrouping = (range: Range | null): GroupingType =>
  range === null ? "custom" : countOfSteps("day", range) <= 3 ? "hour" : "day";
