import type { Comparison } from "@fairway/contract/filters";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import type { ResultRow } from "@fairway/contract/search";
import { columnFilter, linkedId, initialFilters } from "#parts/search-model/filter-list.ts";
import { filterProblem, readFilter } from "#parts/filters/filter-value.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";

export type LinkedDataset = DatasetDescription["linkedDatasets"][number];

/** The value of a column at the source of a link; null if there is none. */
export type ValueOf = (column: string) => FilterValue | null;

/** Values of a result row. */
export const rowValue =
  (row: ResultRow): ValueOf =>
  (column) => {
    const value = Object.hasOwn(row, column) ? row[column] : null;
    return value === undefined || value === "" ? null : value;
  };

/** Values of a form: those of equality filters. */
export const formValue =
  (filters: readonly FormFilter[]): ValueOf =>
  (column) => {
    const filter = filters.filter(isCompared).find((one) => one.name === column && one.operator === "=" && hasValue(one));
    if (filter === undefined || filterProblem(filter) !== undefined) return null;
    const read = readFilter(filter);
    return isCompared(read) ? read.value : null;
  };

/** Resolves the filters of a link, and the columns whose values are missing at the source. */
export function resolveLink({ filters }: LinkedDataset, valueOf: ValueOf): { settings: Comparison[]; missing: string[] } {
  const settings: Comparison[] = [];
  const missing: string[] = [];
  for (const { name, operator, value, fromColumn } of filters) {
    const resolved = fromColumn === undefined ? (value ?? null) : valueOf(fromColumn);
    if (resolved !== null) settings.push({ name, operator, value: resolved });
    else missing.push(fromColumn ?? name);
  }
  return { settings, missing };
}

/** The filters of a search opened by a link: the link's filters, which are sent but locked, then the dataset's own. */
export function linkedFilters(description: DatasetDescription, settings: readonly Comparison[]): FieldFilter[] {
  const starting = initialFilters(description);
  const isReplaced = (filter: FieldFilter) =>
    !filter.preFilled && settings.some(({ name, operator }) => name === filter.name && operator === filter.operator);
  const locked = settings.map(({ name, operator, value }, index): FieldFilter => {
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    const ownFilter = starting.find((filter) => filter.name === name && filter.operator === operator);
    const filter = ownFilter ?? columnFilter(column ?? { name, type: "STRING", description: "" }, []);
    return { ...filter, id: linkedId(index, name), operator, value, preFilled: false };
  });
  return [...locked, ...starting.filter((filter) => !isReplaced(filter))];
}
