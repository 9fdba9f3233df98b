import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import type { DatasetDescription, TimeExtent } from "@fairway/contract/datasets";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { formOf, keepFormAs, useKeptForms } from "#features/search/search-form/form-store.ts";

/** What all datasets of a group are narrowed by together. */
export type SharedFilters = Pick<SearchFilters, "timeRange" | "geospatial">;

export interface GroupForm {
  readonly shared: SharedFilters;
  /** What one dataset of the group is searched by: the shared filters that it supports and its own fields. */
  readonly filtersOf: (description: DatasetDescription) => SearchFilters;
  readonly setShared: (shared: SharedFilters) => void;
  readonly setOwn: (description: DatasetDescription, filters: SearchFilters) => void;
}

/** The form of a group as this tab holds it, apart from the forms of its datasets. */
export function useGroupForm({ id }: DatasetGroup): GroupForm {
  const forms = useKeptForms();
  const sharedKey = JSON.stringify(["group", id, "shared"]);
  const ownKey = ({ category, datasetId }: DatasetDescription) => JSON.stringify(["group", id, category.id, datasetId]);
  const shared: SharedFilters = forms[sharedKey] ?? { timeRange: null, geospatial: null };
  return {
    shared,
    filtersOf: (description) => withShared(description, shared, formOf(description, forms[ownKey(description)])),
    setShared: ({ timeRange, geospatial }) => keepFormAs(sharedKey, { timeRange, geospatial, dynamic: [] }),
    setOwn: (description, { dynamic }) => keepFormAs(ownKey(description), { timeRange: null, geospatial: null, dynamic }),
  };
}

/** A dataset without times or places is searched without the shared range or area: its rows have neither. */
export function withShared(
  { filterSupport: { supportsTimeRange, supportsGeospatial } }: DatasetDescription,
  { timeRange, geospatial }: SharedFilters,
  { dynamic }: Pick<SearchFilters, "dynamic">,
): SearchFilters {
  return { timeRange: supportsTimeRange ? timeRange : null, geospatial: supportsGeospatial ? geospatial : null, dynamic };
}

/** The dataset with nothing but its own fields to narrow it by, as its section in the group's form shows it. */
export const withoutShared = (description: DatasetDescription): DatasetDescription => ({
  ...description,
  filterSupport: { ...description.filterSupport, supportsTimeRange: false, supportsGeospatial: false },
});

/** From the first to the last time in any of the datasets; null where none says. */
export function commonExtent(descriptions: readonly DatasetDescription[]): TimeExtent | null {
  const extents = descriptions.flatMap(({ timeExtent }) => timeExtent ?? []);
  if (extents.length === 0) return null;
  return { startMs: Math.min(...extents.map(({ startMs }) => startMs)), endMs: Math.max(...extents.map(({ endMs }) => endMs)) };
}
