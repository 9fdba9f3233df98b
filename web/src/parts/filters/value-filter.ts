import { type Column, isDay, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import type { CellValue } from "@fairway/contract/search";
import { epochMsOf } from "@fairway/contract/utc-texts";
import { isoDay } from "#lib/time/dates.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { availableFilters, columnFilter, isLinked } from "#parts/search-model/filter-list.ts";

/** Keeps the rows with a value, or drops them. */
export type ValueOperator = "=" | "<>";

/** False for missing and blank values: an empty filter matches every row. */
export const canFilterByValue = (value: CellValue | undefined): value is FilterValue =>
  value !== null && value !== undefined && (typeof value !== "string" || value.trim() !== "");

/**
 * Adds a filter on a value found in the rows. An opposite filter on the same value is replaced instead of contradicted. Without
 * advanced filtering, the dataset's own filter on the column takes the value; null when there is none.
 */
export function withValueFilter(
  description: DatasetDescription,
  filters: readonly FormFilter[],
  { column, operator, value }: { column: Column; operator: ValueOperator; value: FilterValue },
): FormFilter[] | null {
  const sent = sentValue(column, value);
  const changed = (filter: FieldFilter): FormFilter => ({ ...filter, operator, value: sent });
  const editable = filters.filter(isCompared).filter((filter) => filter.name === column.name && !filter.preFilled && !isLinked(filter));
  const replace = (old: FieldFilter) => filters.map((filter) => (filter === old ? changed(filter) : filter));
  const empty = editable.filter((filter) => !hasValue(filter));
  // An empty "Wind at least" does not take an "equals" value, unless there is no other filter.
  const match =
    editable.find((filter) => isEquality(filter) && filter.value === sent) ?? empty.find((filter) => filter.operator === operator);
  if (match) return replace(match);
  if (description.filterSupport.supportsAdvancedFiltering) return [...filters, changed(columnFilter(column, filters))];
  const offered = availableFilters(description, filters).find(({ name }) => name === column.name);
  if (offered && empty.length === 0) return [...filters, changed(offered)];
  const [fallback] = [...empty, ...editable];
  return fallback === undefined ? null : replace(fallback);
}

const isEquality = ({ operator }: FieldFilter): boolean => operator === "=" || operator === "<>";

/** Times as ISO 8601, days without a time, other values as in the row. */
function sentValue(column: Column, value: FilterValue): FilterValue {
  if (!isTimestamp(column.type) || typeof value === "boolean") return value;
  const epochMs = epochMsOf(column.type, value);
  if (epochMs === undefined) return value;
  return (isDay(column) ? isoDay(epochMs) : undefined) ?? new Date(epochMs).toISOString();
}
