import type { DatasetGroup } from "@fairway/contract/dataset-groups";
import type { DatasetDescription, TimeExtent } from "@fairway/contract/datasets";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { restoreForm, storeForm, useStoredForms } from "#features/search/search-form/form-store.ts";

/** Filters shared by all datasets of a group. */
export type SharedFilters = Pick<SearchFilters, "timeRange" | "geospatial">;

export interface GroupForm {
  readonly shared: SharedFilters;
  /** The filters of one dataset: the shared ones that it supports, and its own fields. */
  readonly filtersOf: (description: DatasetDescription) => SearchFilters;
  readonly setShared: (shared: SharedFilters) => void;
  readonly setOwn: (description: DatasetDescription, filters: SearchFilters) => void;
}

/** The form of a group in this tab, separate from the forms of its datasets. */
export function useGroupForm({ id }: DatasetGroup): GroupForm {
  const forms = useStoredForms();
  const sharedKey = JSON.stringify(["group", id, "shared"]);
  const ownKey = ({ category, datasetId }: DatasetDescription) => JSON.stringify(["group", id, category.id, datasetId]);
  const shared: SharedFilters = forms[sharedKey] ?? { timeRange: null, geospatial: null };
  return {
    shared,
    filtersOf: (description) => withShared(description, shared, restoreForm(description, forms[ownKey(description)])),
    setShared: ({ timeRange, geospatial }) => storeForm(sharedKey, { timeRange, geospatial, dynamic: [] }),
    setOwn: (description, { dynamic }) => storeForm(ownKey(description), { timeRange: null, geospatial: null, dynamic }),
  };
}

/** Shared filters apply only to datasets that support them. */
export function withShared(
  { filterSupport: { supportsTimeRange, supportsGeospatial } }: DatasetDescription,
  { timeRange, geospatial }: SharedFilters,
  { dynamic }: Pick<SearchFilters, "dynamic">,
): SearchFilters {
  return { timeRange: supportsTimeRange ? timeRange : null, geospatial: supportsGeospatial ? geospatial : null, dynamic };
}

/** The dataset with only its own fields, for its section in the group form. */
export const withoutShared = (description: DatasetDescription): DatasetDescription => ({
  ...description,
  filterSupport: { ...description.filterSupport, supportsTimeRange: false, supportsGeospatial: false },
});

/** From the earliest to the latest time of the datasets; null if none is known. */
export function combinedExtent(descriptions: readonly DatasetDescription[]): TimeExtent | null {
  const extents = descriptions.flatMap(({ timeExtent }) => timeExtent ?? []);
  if (extents.length === 0) return null;
  return { startMs: Math.min(...extents.map(({ startMs }) => startMs)), endMs: Math.max(...extents.map(({ endMs }) => endMs)) };
}
