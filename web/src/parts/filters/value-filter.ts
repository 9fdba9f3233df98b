import { type Column, isTimestamp } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import type { CellValue } from "@fairway/contract/search";
import { epochMsOf } from "#lib/dates.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import { additionalLeft, columnFilter, isLinked } from "#parts/search-model/filter-list.ts";

/** Keep the rows with a value, or drop them. */
export type ValueOperator = "=" | "<>";

/** A filter that is empty says nothing, so rows without a value cannot be asked for. */
export const canFilterByValue = (value: CellValue | undefined): value is FilterValue =>
  value !== null && value !== undefined && (typeof value !== "string" || value.trim() !== "");

/**
 * The filters of a search with one more, on a value met in its rows. A filter on the same value is turned around rather than
 * contradicted; without advanced filtering the dataset's own filter on the column takes the value. Null where there is none.
 */
export function withValueFilter(
  description: DatasetDescription,
  filters: readonly FieldFilter[],
  { column, operator, value }: { column: Column; operator: ValueOperator; value: FilterValue },
): FieldFilter[] | null {
  const sent = sentValue(column, value);
  const changed = (filter: FieldFilter): FieldFilter => ({ ...filter, operator, value: sent });
  const own = filters.filter((filter) => filter.name === column.name && !filter.preFilled && !isLinked(filter));
  const inPlaceOf = (old: FieldFilter) => filters.map((filter) => (filter === old ? changed(filter) : filter));
  const empty = own.filter((filter) => !hasValue(filter));
  // "Wind at least" is not for an equal wind, unless there is nothing else.
  const fitting = own.find((filter) => isOn(filter) && filter.value === sent) ?? empty.find((filter) => filter.operator === operator);
  if (fitting) return inPlaceOf(fitting);
  if (description.filterSupport.supportsAdvancedFiltering) return [...filters, changed(columnFilter(column, filters))];
  const offered = additionalLeft(description, filters).find(({ name }) => name === column.name);
  if (offered && empty.length === 0) return [...filters, changed(offered)];
  const [taken] = [...empty, ...own];
  return taken === undefined ? null : inPlaceOf(taken);
}

const isOn = ({ operator }: FieldFilter): boolean => operator === "=" || operator === "<>";

/** Times as ISO 8601, as they are typed; everything else as the row holds it. */
function sentValue({ type }: Column, value: FilterValue): FilterValue {
  if (!isTimestamp(type) || typeof value === "boolean") return value;
  const epochMs = epochMsOf(type, value);
  return epochMs === undefined ? value : new Date(epochMs).toISOString();
}
