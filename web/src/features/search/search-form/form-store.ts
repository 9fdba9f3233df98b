import { type DatasetDescription, type DatasetRef, type FieldFilter, fieldFilter } from "@fairway/contract/datasets";
import { type SortKey, sortKey } from "@fairway/contract/search";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/tab-memory.ts";
import { storedArea } from "#parts/search-model/area-filter.ts";
import { datasetKey } from "#parts/dataset-picker/picker-rows.ts";
import { initialFilters } from "#parts/search-model/filter-list.ts";
import { storedTimeRange } from "#parts/search-model/time-range.ts";
import { type SearchFilters, type ViewMode, viewModes } from "#parts/search-model/search-record.ts";

/** How a saved search that was loaded into a form shows its results. */
export interface LoadedView {
  name: string;
  columns: readonly string[] | null;
  sort: readonly SortKey[];
  mode: ViewMode | null;
  /** What the dataset no longer has. */
  leftOut: readonly string[];
}

/** A form as it stands, and the saved search that it came from where that says more than filters. */
type KeptForm = SearchFilters & { loaded?: LoadedView | undefined };

/** The forms of this tab by dataset, as they were left: another screen, another dataset or a reload loses nothing. */
const useForms = create<{ forms: Readonly<Record<string, KeptForm>> }>(() => ({ forms: {} }));

const mostForms = 100;

const stored = z.record(
  z.string(),
  z.object({
    geospatial: storedArea.nullable(),
    timeRange: storedTimeRange.nullable(),
    dynamic: z.array(fieldFilter),
    loaded: z
      .object({
        name: z.string(),
        columns: z.array(z.string()).nullable(),
        sort: z.array(sortKey),
        mode: z.enum(viewModes).nullable(),
        leftOut: z.array(z.string()),
      })
      .optional(),
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

interface DatasetForm {
  readonly filters: SearchFilters;
  readonly loaded: LoadedView | undefined;
  readonly setFilters: (filters: SearchFilters) => void;
  /** Fills the form from a saved search; undefined: its results are shown like any other's again. */
  readonly load: (filters: SearchFilters, loaded: LoadedView | undefined) => void;
}

/** The form of a dataset, and how to change it. */
export function useDatasetForm(description: DatasetDescription): DatasetForm {
  const key = datasetKey(refOf(description));
  const kept = useForms(({ forms }) => forms[key]);
  return {
    filters: formOf(description, kept),
    loaded: kept?.loaded,
    setFilters: (filters) => keepFormAs(key, { ...filters, loaded: kept?.loaded }),
    load: (filters, loaded) => keepFormAs(key, { ...filters, loaded }),
  };
}

/** Every form of this tab, those of groups among them. */
export const useKeptForms = (): Readonly<Record<string, SearchFilters>> => useForms(({ forms }) => forms);

export function keepFormAs(key: string, form: KeptForm): void {
  const { [key]: _, ...others } = useForms.getState().forms;
  const forms = Object.fromEntries([...Object.entries(others).slice(1 - mostForms), [key, form]]);
  useForms.setState({ forms });
  remember(forms);
}

/** What was kept, fitted to the dataset as it is now: static and locked filters are always there, and only its own fields. */
export function formOf(description: DatasetDescription, kept: SearchFilters | undefined): SearchFilters {
  const starting = initialFilters(description);
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
