import { type Column, columnTitle, type Operator, operatorsOf } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import { alternativesName, type Filter, type MoreOperator, moreOperatorsOf } from "@fairway/contract/filters";
import { type MissingFilter, missingFilterHint, missingFilters } from "@fairway/contract/required-filters";
import { type FormFilter, isCompared, settingOf, withSetting } from "./form-filter.ts";
import type { SearchFilters } from "./search-record.ts";

/** The initial filters of a dataset's form: static ones, then the locked pre-filled ones. */
export function initialFilters({ filterSupport }: DatasetDescription): FieldFilter[] {
  return [...filterSupport.staticFilters, ...filterSupport.preFilledFilters.map(locked)];
}

const locked = (filter: FieldFilter): FieldFilter => ({ ...filter, preFilled: true });

/** The additional filters that can still be added, for datasets without advanced filtering. */
export function availableFilters({ filterSupport }: DatasetDescription, filters: readonly FormFilter[]): FieldFilter[] {
  return filterSupport.additionalFilters.filter((offered) => !filters.some((filter) => filter.id === offered.id));
}

/** The columns that advanced filters may use. Combined columns have no value of their own. */
export const filterableColumns = ({ schema }: DatasetDescription): Column[] => schema.columns.filter((column) => column.combined === null);

/** The operators of a filter: those of its type, or the fewer that an upstream supports. */
export const allowedOperators = ({ type, operators }: Pick<FieldFilter, "type" | "operators">): readonly Operator[] =>
  operators ?? operatorsOf(type);

/** The further operators of a filter: those of its dataset that fit its type, or those that an upstream declares for it. */
export const furtherOperators = (
  { type, moreOperators }: Pick<FieldFilter, "type" | "moreOperators">,
  description: DatasetDescription,
): readonly MoreOperator[] => moreOperators ?? description.moreOperators.filter((one) => moreOperatorsOf(type).includes(one));

const linkedPrefix = "linked:";

/** The id of a filter that was set by a link. */
export const linkedId = (index: number, name: string): string => `${linkedPrefix}${index}:${name}`;

/** True for a filter that was set by a link: it is sent like any other, but locked. */
export const isLinked = ({ id }: Pick<FormFilter, "id">): boolean => id.startsWith(linkedPrefix);

/** True for a filter that the user added: not static, pre-filled, required or set by a link. */
export const isRemovable = ({ filterSupport }: DatasetDescription, filter: FormFilter): boolean =>
  !filter.preFilled && !isLinked(filter) && !filter.required && !filterSupport.staticFilters.some((fixed) => fixed.id === filter.id);

/** The filters of a search without one of them. A fixed one stays as an empty field. */
export const withoutValue = (description: DatasetDescription, filters: readonly FormFilter[], removed: FormFilter): FormFilter[] =>
  isRemovable(description, removed)
    ? filters.filter(({ id }) => id !== removed.id)
    : filters.map((filter) => (filter.id === removed.id ? emptyFilter(filter) : filter));

/** A fixed filter without a value. One of another form is a comparison again. */
export const emptyFilter = (filter: FormFilter): FormFilter =>
  isCompared(filter) ? { ...filter, value: "" } : withSetting(filter, { operator: "=", value: "" });

/** A new filter on a column, for datasets with advanced filtering. Its id is unique among `filters`. */
export function columnFilter(
  column: Pick<Column, "name" | "label" | "type" | "description" | "day">,
  filters: readonly FormFilter[],
): FieldFilter {
  return {
    id: uniqueId(column.name, filters),
    name: column.name,
    display: columnTitle(column),
    description: column.description,
    required: false,
    type: column.type,
    value: "",
    operator: "=",
    preFilled: false,
    ...(column.day === true ? { day: true } : {}),
  };
}

function uniqueId(name: string, filters: readonly FormFilter[]): string {
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

/** Alternatives as a filter of a form; they are of no single column. */
export const alternativesFilter = (filters: readonly FormFilter[]): FieldFilter => ({
  ...columnFilter({ name: alternativesName, type: "STRING", description: "" }, filters),
  display: "Alternatives",
});

/**
 * The form's filters with these settings applied: static filters first, then additional ones, then filters on columns.
 * A filter on a column that no longer exists is kept, so the server reports it instead of the search silently widening.
 */
export function filtersFromSettings(description: DatasetDescription, settings: readonly Filter[]): FormFilter[] {
  const { staticFilters, additionalFilters } = description.filterSupport;
  const { assigned, unassigned } = assignSettings(settings, [...staticFilters, ...additionalFilters]);
  const filters = initialFilters(description).map((filter): FormFilter =>
    filter.preFilled ? filter : assignedTo(filter, assigned.get(filter.id)),
  );
  for (const offered of additionalFilters) {
    const setting = assigned.get(offered.id);
    if (setting) filters.push(withSetting(offered, setting));
  }
  for (const setting of unassigned) {
    const { name } = setting;
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    const field =
      setting.operator === "any" ? alternativesFilter(filters) : columnFilter(column ?? { name, type: "STRING", description: "" }, filters);
    filters.push(withSetting(field, setting));
  }
  return filters;
}

/** Assigns each setting to a filter on its column, preferring one with its operator: "Rate at most" is not "Rate at least". */
function assignSettings(
  settings: readonly Filter[],
  filters: readonly FieldFilter[],
): { assigned: ReadonlyMap<string, Filter>; unassigned: readonly Filter[] } {
  const assigned = new Map<string, Filter>();
  const unassigned: Filter[] = [];
  for (const setting of settings) {
    const free = filters.filter(({ id, name }) => name === setting.name && !assigned.has(id));
    const filter = free.find(({ operator }) => operator === setting.operator) ?? free[0];
    if (filter) assigned.set(filter.id, setting);
    else unassigned.push(setting);
  }
  return { assigned, unassigned };
}

const assignedTo = (filter: FieldFilter, setting: Filter | undefined): FormFilter =>
  setting ? withSetting(filter, setting) : { ...filter, value: "" };

/** Whether Search is enabled; if not, the hint and what would enable it. The server enforces the same rule. */
export function canSearch(
  { filterSupport }: DatasetDescription,
  filters: SearchFilters,
): { enabled: boolean; hint: string | null; missing: readonly MissingFilter[] } {
  const criteria = { filters: filters.dynamic.map(settingOf), timeRange: filters.timeRange !== null, area: filters.geospatial !== null };
  const hint = missingFilterHint(filterSupport, criteria);
  return { enabled: hint === null, hint, missing: missingFilters(filterSupport, criteria) };
}

/** Whether anything in a form can be cleared. */
export const hasFilters = (description: DatasetDescription, { timeRange, geospatial, dynamic }: SearchFilters): boolean =>
  timeRange !== null ||
  geospatial !== null ||
  dynamic.some((filter) => isRemovable(description, filter) || (!filter.preFilled && filter.value !== ""));
