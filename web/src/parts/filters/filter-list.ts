import type { Column, Operator } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";

/** The filters a dataset's form begins with: its static ones, then the locked pre-filled ones. */
export function startingFilters({ filterSupport }: DatasetDescription): FieldFilter[] {
  return [...filterSupport.staticFilters, ...filterSupport.preFilledFilters.map(locked)];
}

const locked = (filter: FieldFilter): FieldFilter => ({ ...filter, preFilled: true });

/** Without advanced filtering: what can still be added. An added filter leaves this list and returns when it is removed. */
export function additionalLeft({ filterSupport }: DatasetDescription, filters: readonly FieldFilter[]): FieldFilter[] {
  return filterSupport.additionalFilters.filter((offered) => !filters.some((filter) => filter.id === offered.id));
}

/** Columns that advanced filters can be put on: combined ones have no value of their own. */
export const filterableColumns = ({ schema }: DatasetDescription): Column[] => schema.columns.filter((column) => column.combined === null);

/** A filter that can be taken away again: it was added by the person, neither static nor pre-filled. */
export const isRemovable = ({ filterSupport }: DatasetDescription, filter: FieldFilter): boolean =>
  !filter.preFilled && !filter.required && !filterSupport.staticFilters.some((fixed) => fixed.id === filter.id);

/** A filter on a column, for datasets with advanced filtering. Its id is free among `filters`. */
export function columnFilter(column: Pick<Column, "name" | "type" | "description">, filters: readonly FieldFilter[]): FieldFilter {
  return {
    id: freeId(column.name, filters),
    name: column.name,
    display: column.name,
    description: column.description,
    required: false,
    type: column.type,
    value: "",
    operator: "=",
    preFilled: false,
  };
}

function freeId(name: string, filters: readonly FieldFilter[]): string {
  const taken = new Set(filters.map((filter) => filter.id));
  let number = 1;
  while (taken.has(`${name}#${number}`)) number += 1;
  return `${name}#${number}`;
}

export interface FilterSetting {
  name: string;
  operator: Operator;
  value: FilterValue;
}

/**
 * The form's filters with these settings in their places: static filters first, then additional ones, then filters on columns.
 * A column that the dataset no longer has is kept, so that the server names it rather than the search quietly growing.
 */
export function filtersWith(description: DatasetDescription, settings: readonly FilterSetting[]): FieldFilter[] {
  const left = [...settings];
  const take = (name: string): FilterSetting | undefined => {
    const at = left.findIndex((setting) => setting.name === name);
    return at < 0 ? undefined : left.splice(at, 1)[0];
  };
  const filters = startingFilters(description).map((filter): FieldFilter => {
    if (filter.preFilled) return filter;
    return set(filter, take(filter.name));
  });
  for (const offered of description.filterSupport.additionalFilters) {
    const setting = take(offered.name);
    if (setting) filters.push(set(offered, setting));
  }
  for (const { name, operator, value } of left) {
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    filters.push({ ...columnFilter(column ?? { name, type: "STRING", description: "" }, filters), operator, value });
  }
  return filters;
}

const set = (filter: FieldFilter, setting: FilterSetting | undefined): FieldFilter =>
  setting ? { ...filter, operator: setting.operator, value: setting.value } : { ...filter, value: "" };
