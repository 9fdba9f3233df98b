import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Filter, ListFilter, PlainFilter } from "@fairway/contract/filters";
import { alternativesFilter, columnFilter, isRemovable, withoutValue } from "#parts/search-model/filter-list.ts";
import { type FormFilter, settingOf, withSetting } from "#parts/search-model/form-filter.ts";

/** Replaces a filter by one that keeps the rows of either. Equalities of one column become a list, as they do when they are typed. */
export function withAlternative(
  description: DatasetDescription,
  filters: readonly FormFilter[],
  base: FormFilter,
  added: FormFilter,
): FormFilter[] {
  const [one, other] = [settingOf(base), settingOf(added)];
  const listed = listOf(one, other);
  const column = description.schema.columns.find(({ name }) => name === one.name);
  const joined =
    listed && column
      ? withSetting(columnFilter(column, filters), listed)
      : withSetting(alternativesFilter(filters), { operator: "any", value: [...listsOf(one), ...listsOf(other)] });
  return isRemovable(description, base)
    ? filters.map((filter) => (filter.id === base.id ? joined : filter))
    : [...withoutValue(description, filters, base), joined];
}

const listsOf = (filter: Filter): PlainFilter[][] => (filter.operator === "any" ? filter.value : [[filter]]);

function listOf(one: Filter, other: Filter): ListFilter | undefined {
  const [first, second] = [valuesOf(one), valuesOf(other)];
  return first && second && one.name === other.name ? { name: one.name, operator: "in", value: [...first, ...second] } : undefined;
}

function valuesOf(filter: Filter): ListFilter["value"] | undefined {
  if (filter.operator === "=") return [filter.value];
  return filter.operator === "in" ? filter.value : undefined;
}
