import type { BreakdownEntry, BreakdownNarrow } from "@fairway/contract/breakdowns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { type Filter, filter as filterForm } from "@fairway/contract/filters";
import type { SearchFilter } from "@fairway/contract/search";
import { columnFilter, filtersFromSettings } from "#parts/search-model/filter-list.ts";
import { settingOf as formSetting, withSetting } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { timeRangeOf } from "#parts/search-model/time-range.ts";

/**
 * The filters of a search for exactly the rows of these entries, one of each grouping. Null if there is no such search: `narrow` has
 * none, or has a form that a search cannot hold.
 */
export function narrowed(
  description: DatasetDescription,
  filters: SearchFilters,
  entries: readonly BreakdownEntry[],
): SearchFilters | null {
  const narrows = entries.flatMap(({ narrow }) => narrow ?? []);
  return narrows.length === entries.length ? withNarrows(description, filters, narrows) : null;
}

const opposites: Partial<Record<string, string>> = { "=": "<>", when: "not when" };

/** The filters of a search without the rows of a value, or of a part of the calendar. */
export function excluded(description: DatasetDescription, filters: SearchFilters, entry: BreakdownEntry): SearchFilters | null {
  const [filter, ...more] = entry.narrow?.filters ?? [];
  if (filter === undefined || more.length > 0 || entry.kind === "empty" || entry.narrow?.timeRange) return null;
  const operator = opposites[filter.operator];
  if (operator === undefined) return null;
  return withNarrows(description, filters, [{ filters: [{ ...filter, operator }] }]);
}

function withNarrows(description: DatasetDescription, filters: SearchFilters, narrows: readonly BreakdownNarrow[]): SearchFilters | null {
  const wanted = narrows.flatMap((narrow) => narrow.filters ?? []);
  const settings = wanted.flatMap((filter) => settingOf(filter) ?? []);
  if (settings.length < wanted.length) return null;
  const range = narrows.findLast(({ timeRange }) => timeRange !== undefined)?.timeRange;
  // The range of a search has whole seconds.
  if ([range?.start, range?.end].some((time) => time !== undefined && Date.parse(time) % 1_000 !== 0)) return null;
  return {
    ...filters,
    dynamic: withSettings(description, filters.dynamic, settings),
    ...(range ? { timeRange: timeRangeOf(msOf(range.start), msOf(range.end)) } : {}),
  };
}

const msOf = (time: string | undefined): number | null => (time === undefined ? null : Date.parse(time));

/** A comparison with a blank text would mean any value there, so it is asked for in a list. Null for forms that are not known. */
function settingOf(wanted: SearchFilter): Filter | null {
  const { name, operator, value } = wanted;
  const isBlank = typeof value === "string" && value.trim() === "";
  if (isBlank && operator === "=") return { name, operator: "in", value: [value] };
  if (isBlank && operator === "<>") return { name, operator: "not in", value: [value] };
  const read = filterForm.safeParse(wanted);
  return read.success ? read.data : null;
}

function withSettings(
  description: DatasetDescription,
  dynamic: SearchFilters["dynamic"],
  settings: readonly Filter[],
): SearchFilters["dynamic"] {
  if (!description.filterSupport.supportsAdvancedFiltering) {
    const used = dynamic.filter((filter) => !filter.preFilled && hasValue(filter));
    return filtersFromSettings(description, [...used.map(formSetting), ...settings]);
  }
  const all = [...dynamic];
  for (const setting of settings) {
    const column = description.schema.columns.find(({ name }) => name === setting.name);
    if (column) all.push(withSetting(columnFilter(column, all), setting));
  }
  return all;
}
