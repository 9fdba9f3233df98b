import { type DatasetDescription, type DatasetRef, type FieldFilter, fieldFilter } from "@fairway/contract/datasets";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/tab-memory.ts";
import { storedArea } from "#parts/area/area-filter.ts";
import { datasetKey } from "#parts/dataset-picker/picker-rows.ts";
import { startingFilters } from "#parts/filters/filter-list.ts";
import type { SearchFilters } from "#parts/open-searches/search-record.ts";

/** The forms of this tab by dataset, as they were left: another screen, another dataset or a reload loses nothing. */
const useForms = create<{ forms: Readonly<Record<string, SearchFilters>> }>(() => ({ forms: {} }));

const mostForms = 100;

const stored = z.record(
  z.string(),
  z.object({
    geospatial: storedArea.nullable(),
    timeRange: z.object({ startMs: z.number(), endMs: z.number(), text: z.string() }).nullable(),
    dynamic: z.array(fieldFilter),
  }),
);

const remember = rememberInTab("dataset-forms", {
  restore(state) {
    const parsed = stored.safeParse(state);
    if (parsed.success) useForms.setState(({ forms }) => ({ forms: { ...parsed.data, ...forms } }));
  },
  forget() {
    useForms.setState({ forms: {} });
  },
});

const refOf = ({ category, datasetId }: DatasetDescription): DatasetRef => ({ datasetCategory: category.id, datasetId });

/** The form of a dataset, and how to change it. */
export function useDatasetForm(description: DatasetDescription): [SearchFilters, (filters: SearchFilters) => void] {
  const key = datasetKey(refOf(description));
  const kept = useForms(({ forms }) => forms[key]);
  return [formOf(description, kept), (filters) => keepForm(description, filters)];
}

/** Every form of this tab, those of groups among them. */
export const useKeptForms = (): Readonly<Record<string, SearchFilters>> => useForms(({ forms }) => forms);

const keepForm = (description: DatasetDescription, filters: SearchFilters): void => keepFormAs(datasetKey(refOf(description)), filters);

export function keepFormAs(key: string, filters: SearchFilters): void {
  const { [key]: _, ...others } = useForms.getState().forms;
  const forms = Object.fromEntries([...Object.entries(others).slice(1 - mostForms), [key, filters]]);
  useForms.setState({ forms });
  remember(forms);
}

/** What was kept, fitted to the dataset as it is now: static and locked filters are always there, and only its own fields. */
export function formOf(description: DatasetDescription, kept: SearchFilters | undefined): SearchFilters {
  const starting = startingFilters(description);
  if (!kept) return { geospatial: null, timeRange: null, dynamic: starting };
  const { supportsTimeRange, supportsGeospatial, additionalFilters } = description.filterSupport;
  const known = new Set([...description.schema.columns.map(({ name }) => name), ...additionalFilters.map(({ name }) => name)]);
  const isStarting = (filter: FieldFilter) => starting.some(({ id }) => id === filter.id);
  return {
    geospatial: supportsGeospatial ? kept.geospatial : null,
    timeRange: supportsTimeRange ? kept.timeRange : null,
    dynamic: [
      ...starting.map((filter) => fitted(filter, kept.dynamic)),
      ...kept.dynamic.filter((filter) => !filter.preFilled && !isStarting(filter) && known.has(filter.name)),
    ],
  };
}

function fitted(filter: FieldFilter, kept: readonly FieldFilter[]): FieldFilter {
  const same = kept.find(({ id, type }) => id === filter.id && type === filter.type);
  return filter.preFilled || !same ? filter : { ...filter, operator: same.operator, value: same.value };
}
