import { isDay } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { columnFilter, filtersFromSettings } from "#parts/search-model/filter-list.ts";
import { settingOf } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import type { Group } from "@fairway/contract/charts/graph";

/**
 * The filters of a search for the rows of a group. A time range ends with a whole second; if rows have milliseconds, an
 * extra filter excludes the next group.
 */
export function filtersOfGroup(description: DatasetDescription, filters: SearchFilters, group: Group): SearchFilters {
  if (!group.time) return { ...filters, dynamic: withConditions(description, filters, group) };
  const { startMs, endMs } = group.time;
  const column = description.schema.columns.find(({ name }) => name === description.temporalField);
  const nextMs = endMs + 1;
  const hasMilliseconds =
    column?.type === "TIMESTAMP_MILLS" && !isDay(column) && nextMs % 1_000 === 0 && description.filterSupport.supportsAdvancedFiltering;
  if (!column || !hasMilliseconds) return { ...filters, timeRange: timeRangeOf(startMs, endMs) };
  const upperBound = { ...columnFilter(column, filters.dynamic), operator: "<" as const, value: new Date(nextMs).toISOString() };
  return { ...filters, timeRange: timeRangeOf(startMs, nextMs), dynamic: [...filters.dynamic, upperBound] };
}

/** Whether a search can have the rows of a group: those of no other group need several filters on one column. */
export const canFilterByGroup = ({ filterSupport }: DatasetDescription, { isRest = false }: Group): boolean =>
  !isRest || filterSupport.supportsAdvancedFiltering;

function withConditions(description: DatasetDescription, { dynamic }: SearchFilters, { conditions }: Group): SearchFilters["dynamic"] {
  if (description.filterSupport.supportsAdvancedFiltering) {
    const all = [...dynamic];
    for (const { model, operator, value } of conditions) {
      const column = description.schema.columns.find(({ name }) => name === model);
      if (column) all.push({ ...columnFilter(column, all), operator, value });
    }
    return all;
  }
  const used = dynamic.filter((filter) => !filter.preFilled && hasValue(filter));
  return filtersFromSettings(description, [
    ...used.map(settingOf),
    ...conditions.map(({ model, operator, value }) => ({ name: model, operator, value })),
  ]);
}

/** The time range from the first temporal group to the last; null for custom groups. */
export function rangeOfGroups(groups: readonly Group[]): { startMs: number; endMs: number } | null {
  const [first, last] = [groups[0]?.time, groups.at(-1)?.time];
  return first && last ? { startMs: first.startMs, endMs: last.endMs } : null;
}
