import { type Column, type Operator, operatorsOf } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter, FilterValue } from "@fairway/contract/datasets";
import { missingFilterHint } from "@fairway/contract/required-filters";
import type { SearchFilters } from "./search-record.ts";

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

/** What a filter can be asked with: all that its type allows, or the few that an upstream knows. */
export const offeredOperators = ({ type, operators }: FieldFilter): readonly Operator[] => operators ?? operatorsOf(type);

const linkedPrefix = "linked:";

/** The id of a filter that a link has set. */
export const linkedId = (index: number, name: string): string => `${linkedPrefix}${index}:${name}`;

/** A filter that a link has set: sent like any other, yet locked. */
export const isLinked = ({ id }: FieldFilter): boolean => id.startsWith(linkedPrefix);

/** A filter that can be taken away again: it was added by the person, neither static nor pre-filled. */
export const isRemovable = ({ filterSupport }: DatasetDescription, filter: FieldFilter): boolean =>
  !filter.preFilled && !isLinked(filter) && !filter.required && !filterSupport.staticFilters.some((fixed) => fixed.id === filter.id);

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

/**
 * What the dialog lets a person choose from: what is offered, and the edited filter in its own place. A dataset may offer
 * several filters on one column ("Rate at least", "Rate at most"), so a field is known by its column and its label.
 */
export function filterChoices(offered: readonly FieldFilter[], edited: FieldFilter | null): readonly FieldFilter[] {
  if (!edited) return offered;
  const place = offered.findIndex(({ name, display }) => name === edited.name && display === edited.display);
  return place < 0 ? [edited, ...offered] : offered.with(place, edited);
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
  const { staticFilters, additionalFilters } = description.filterSupport;
  const { taken, left } = dealt(settings, [...staticFilters, ...additionalFilters]);
  const filters = startingFilters(description).map((filter) => (filter.preFilled ? filter : set(filter, taken.get(filter.id))));
  for (const offered of additionalFilters) {
    const setting = taken.get(offered.id);
    if (setting) filters.push(set(offered, setting));
  }
  for (const { name, operator, value } of left) {
    const column = description.schema.columns.find((candidate) => candidate.name === name);
    filters.push({ ...columnFilter(column ?? { name, type: "STRING", description: "" }, filters), operator, value });
  }
  return filters;
}

/** Each setting to a filter on its column, to the one with its operator where there is one: "Rate at most" is not "Rate at least". */
function dealt(
  settings: readonly FilterSetting[],
  filters: readonly FieldFilter[],
): { taken: ReadonlyMap<string, FilterSetting>; left: readonly FilterSetting[] } {
  const taken = new Map<string, FilterSetting>();
  const left: FilterSetting[] = [];
  for (const setting of settings) {
    const free = filters.filter(({ id, name }) => name === setting.name && !taken.has(id));
    const filter = free.find(({ operator }) => operator === setting.operator) ?? free[0];
    if (filter) taken.set(filter.id, setting);
    else left.push(setting);
  }
  return { taken, left };
}

const set = (filter: FieldFilter, setting: FilterSetting | undefined): FieldFilter =>
  setting ? { ...filter, operator: setting.operator, value: setting.value } : { ...filter, value: "" };

/** Whether Search is enabled, by the rule that the server refuses by too, and the reason beside the button when it is not. */
export function canSearch({ filterSupport }: DatasetDescription, filters: SearchFilters): { enabled: boolean; hint: string | null } {
  const hint = missingFilterHint(filterSupport, {
    filters: filters.dynamic,
    timeRange: filters.timeRange !== null,
    area: filters.geospatial !== null,
  });
  return { enabled: hint === null, hint };
}
