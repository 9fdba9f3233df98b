import { type Column, type Operator, operatorsOf } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { type MissingFilter, missingFilterHint, missingFilters } from "@fairway/contract/required-filters";
import type { SearchFilters } from "./search-record.ts";

/** The initial filters of a dataset's form: static ones, then the locked pre-filled ones. */
export function initialFilters({ filterSupport }: DatasetDescription): FieldFilter[] {
  return [...filterSupport.staticFilters, ...filterSupport.preFilledFilters.map(locked)];
}

const locked = (filter: FieldFilter): FieldFilter => ({ ...filter, preFilled: true });

/** The additional filters that can still be added, for datasets without advanced filtering. */
export function availableFilters({ filterSupport }: DatasetDescription, filters: readonly FieldFilter[]): FieldFilter[] {
  return filterSupport.additionalFilters.filter((offered) => !filters.some((filter) => filter.id === offered.id));
}

/** The columns that advanced filters may use. Combined columns have no value of their own. */
export const filterableColumns = ({ schema }: DatasetDescription): Column[] => schema.columns.filter((column) => column.combined === null);

/** The operators of a filter: those of its type, or the fewer that an upstream supports. */
export const allowedOperators = ({ type, operators }: FieldFilter): readonly Operator[] => operators ?? operatorsOf(type);

const linkedPrefix = "linked:";

/** The id of a filter that was set by a link. */
export const linkedId = (index: number, name: string): string => `${linkedPrefix}${index}:${name}`;

/** True for a filter that was set by a link: it is sent like any other, but locked. */
export const isLinked = ({ id }: FieldFilter): boolean => id.startsWith(linkedPrefix);

/** True for a filter that the user added: not static, pre-filled, required or set by a link. */
export const isRemovable = ({ filterSupport }: DatasetDescription, filter: FieldFilter): boolean =>
  !filter.preFilled && !isLinked(filter) && !filter.required && !filterSupport.staticFilters.some((fixed) => fixed.id === filter.id);

/** The filters of a search without one of them. A fixed one stays as an empty field. */
export const withoutValue = (description: DatasetDescription, filters: readonly FieldFilter[], removed: FieldFilter): FieldFilter[] =>
  isRemovable(description, removed)
    ? filters.filter(({ id }) => id !== removed.id)
    : filters.map((filter) => (filter.id === removed.id ? { ...filter, value: "" } : filter));

/** A new filter on a column, for datasets with advanced filtering. Its id is unique among `filters`. */
export function columnFilter(column: Pick<Column, "name" | "type" | "description" | "day">, filters: readonly FieldFilter[]): FieldFilter {
  return {
    id: uniqueId(column.name, filters),
    name: column.name,
    display: column.name,
    description: column.description,
    required: false,
    type: column.type,
    value: "",
    operator: "=",
    preFilled: false,
    ...(column.day === true ? { day: true } : {}),
  };
}

function uniqueId(name: string, filters: readonly FieldFilter[]): string {
  const taken = new Set(filters.map((filter) => filter.id));
  let number = 1;
  while (taken.has(`${name}#${number}`)) number += 1;
  return `${name}#${number}`;
}

/**
 * The choices of the filter dialog: the offered filters, with the edited one in its own position. A dataset may offer several
 * filters on one column ("Rate at least", "Rate at most"), so a filter is identified by its column and its label.
 */
export function filterChoices(offered: readonly FieldFilter[], edited: FieldFilter | null): readonly FieldFilter[] {
  if (!edited) return offered;
  const index = offered.findIndex(({ name, display }) => name === edited.name && display === edited.display);
  return index < 0 ? [edited, ...offered] : offered.with(index, edited);
}

export interface FilterSetting {
  name: string;
  operator: Operator;
  value: FilterValue | null;
}

/**
 * The form's filters with these settings applied: static filters first, then additional ones, then filters on columns.
 * A filter on a column that no longer exists is kept, so the server reports it instead of the search silently widening.
 */
export function filtersFromSettings(description: DatasetDescription, settings: readonly FilterSetting[]): FieldFilter[] {
  const { staticFilters, additionalFilters } = description.filterSupport;
  const { assigned, unassigned } = assignSettings(settings, [...staticFilters, ...additionalFilters]);
  const filters = initialFilters(description).map((filter) => (filter.preFilled ? filter : withSetting(filter, assigned.get(filter.id))));
  for (const offered of additionalFilters) {
    const setting = assigned.get(offered.id);
    if (setting) filters.push(withSetting(offered, setting));
  }
  for (const { name, operator, value } of unassigned) {
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    filters.push({ ...columnFilter(column ?? { name, type: "STRING", description: "" }, filters), operator, value });
  }
  return filters;
}

/** Assigns each setting to a filter on its column, preferring one with its operator: "Rate at most" is not "Rate at least". */
function assignSettings(
  settings: readonly FilterSetting[],
  filters: readonly FieldFilter[],
): { assigned: ReadonlyMap<string, FilterSetting>; unassigned: readonly FilterSetting[] } {
  const assigned = new Map<string, FilterSetting>();
  const unassigned: FilterSetting[] = [];
  for (const setting of settings) {
    const free = filters.filter(({ id, name }) => name === setting.name && !assigned.has(id));
    const filter = free.find(({ operator }) => operator === setting.operator) ?? free[0];
    if (filter) assigned.set(filter.id, setting);
    else unassigned.push(setting);
  }
  return { assigned, unassigned };
}

const withSetting = (filter: FieldFilter, setting: FilterSetting | undefined): FieldFilter =>
  setting ? { ...filter, operator: setting.operator, value: setting.value } : { ...filter, value: "" };

/** Whether Search is enabled; if not, the hint and what would enable it. The server enforces the same rule. */
export function canSearch(
  { filterSupport }: DatasetDescription,
  filters: SearchFilters,
): { enabled: boolean; hint: string | null; missing: readonly MissingFilter[] } {
  const criteria = { filters: filters.dynamic, timeRange: filters.timeRange !== null, area: filters.geospatial !== null };
  const hint = missingFilterHint(filterSupport, criteria);
  return { enabled: hint === null, hint, missing: missingFilters(filterSupport, criteria) };
}

/** Whether anything in a form can be cleared. */
export const hasFilters = (description: DatasetDescription, { timeRange, geospatial, dynamic }: SearchFilters): boolean =>
  timeRange !== null ||
  geospatial !== null ||
  dynamic.some((filter) => isRemovable(description, filter) || (!filter.preFilled && filter.value !== ""));
