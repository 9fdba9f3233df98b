import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import type { ResultRow } from "@fairway/contract/search";
import { columnFilter, type FilterSetting, linkedId, initialFilters } from "#parts/search-model/filter-list.ts";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { hasValue } from "#parts/search-model/search-data.ts";

export type LinkedDataset = DatasetDescription["linkedDatasets"][number];

/** The value that a column has where one links from; null where it has none. */
export type ValueOf = (column: string) => FilterValue | null;

/** From a result row. */
export const rowValue =
  (row: ResultRow): ValueOf =>
  (column) => {
    const value = Object.hasOwn(row, column) ? row[column] : null;
    return value === undefined || value === "" ? null : value;
  };

/** From a form: a column has a value there when it is to equal one. */
export const formValue =
  (filters: readonly FieldFilter[]): ValueOf =>
  (column) => {
    const filter = filters.find(
      ({ name, operator, ...rest }) => name === column && operator === "=" && hasValue({ name, operator, ...rest }),
    );
    return filter === undefined || filterProblem(filter) !== undefined ? null : readFilter(filter).value;
  };

/** A link's filters with their values, and the columns whose value is missing where one links from. */
export function linkSettings({ filters }: LinkedDataset, valueOf: ValueOf): { settings: FilterSetting[]; missing: string[] } {
  const settings: FilterSetting[] = [];
  const missing: string[] = [];
  for (const { name, operator, value, fromColumn } of filters) {
    const found = fromColumn === undefined ? (value ?? null) : valueOf(fromColumn);
    if (found !== null) settings.push({ name, operator, value: found });
    else missing.push(fromColumn ?? name);
  }
  return { settings, missing };
}

/** The filters of a search that a link leads to: the dataset's own, and in front of them the link's, which are sent but locked. */
export function linkedFilters(description: DatasetDescription, settings: readonly FilterSetting[]): FieldFilter[] {
  const starting = initialFilters(description);
  const isSet = (filter: FieldFilter) =>
    !filter.preFilled && settings.some(({ name, operator }) => name === filter.name && operator === filter.operator);
  const locked = settings.map(({ name, operator, value }, index): FieldFilter => {
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    const offered = starting.find((filter) => filter.name === name && filter.operator === operator);
    const filter = offered ?? columnFilter(column ?? { name, type: "STRING", description: "" }, []);
    return { ...filter, id: linkedId(index, name), operator, value, preFilled: false };
  });
  return [...locked, ...starting.filter((filter) => !isSet(filter))];
}
