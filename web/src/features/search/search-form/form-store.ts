import { recordOf } from "@fairway/contract/records";
import { type DatasetDescription, datasetKey, type DatasetRef, type FieldFilter } from "@fairway/contract/datasets";
import { type SearchColumns, searchColumns } from "@fairway/contract/derived-columns";
import { type SortKey, sortKey } from "@fairway/contract/search";
import { type ViewMode, viewModes } from "@fairway/contract/search-address";
import { z } from "zod";
import { create } from "zustand";
import { rememberInTab } from "#lib/browser/tab-memory.ts";
import { storedArea } from "#parts/search-model/area-filter.ts";
import { canNarrowToCell, storedCell } from "#parts/search-model/cell-filter.ts";
import { initialFilters } from "#parts/search-model/filter-list.ts";
import { columnsOf, type FormFilter, settingOf, storedFilter, withSetting } from "#parts/search-model/form-filter.ts";
import { storedTimeRange } from "#parts/search-model/time-range.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";

/** Display settings of a saved search that was loaded into a form. */
export interface LoadedView {
  name: string;
  columns: readonly string[] | null;
  sort: readonly SortKey[];
  mode: ViewMode | null;
  /** Parts that the dataset no longer has. */
  leftOut: readonly string[];
  /** Columns that the search adds, which its filters may name. */
  added?: SearchColumns | undefined;
}

/** A form and the display settings of the saved search it came from, if any; else the columns that its search adds. */
type StoredForm = SearchFilters & { loaded?: LoadedView | undefined; added?: SearchColumns | undefined };

/** The forms of this tab by dataset, kept across screens, datasets and reloads. */
const useForms = create<{ forms: Readonly<Record<string, StoredForm>> }>(() => ({ forms: {} }));

const maxForms = 100;

const storedForms = recordOf(
  z.string(),
  z.object({
    geospatial: storedArea.nullable(),
    within: storedCell.optional(),
    timeRange: storedTimeRange.nullable(),
    dynamic: z.array(storedFilter),
    loaded: z
      .object({
        name: z.string(),
        columns: z.array(z.string()).nullable(),
        sort: z.array(sortKey),
        mode: z.enum(viewModes).nullable(),
        leftOut: z.array(z.string()),
        added: searchColumns.optional(),
      })
      .optional(),
    added: searchColumns.optional(),
  }),
);

const remember = rememberInTab("dataset-forms", {
  restore(state) {
    const parsed = storedForms.safeParse(state);
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
  /** Fills the form from a saved search; `loaded` undefined resets the display settings. */
  readonly load: (filters: SearchFilters, loaded: LoadedView | undefined) => void;
  /** Resets the display settings; columns that filters may name stay. */
  readonly forgetView: () => void;
}

/** The form of a dataset and functions to change it. The description has the columns that `useFormColumns` returns. */
export function useDatasetForm(description: DatasetDescription): DatasetForm {
  const key = datasetKey(refOf(description));
  const storedForm = useForms(({ forms }) => forms[key]);
  return {
    filters: restoreForm(description, storedForm),
    loaded: storedForm?.loaded,
    setFilters: (filters) => storeForm(key, { ...filters, loaded: storedForm?.loaded, added: storedForm?.added }),
    load: (filters, loaded) => storeForm(key, { ...filters, loaded }),
    forgetView: () => storeForm(key, { ...restoreForm(description, storedForm), added: addedOf(storedForm) }),
  };
}

const addedOf = (form: StoredForm | undefined): SearchColumns | undefined => form?.loaded?.added ?? form?.added;

/** The columns that the search of a dataset's form adds. */
export const useFormColumns = (description: DatasetDescription): SearchColumns | undefined =>
  useForms(({ forms }) => addedOf(forms[datasetKey(refOf(description))]));

/** All forms of this tab, including those of groups. */
export const useStoredForms = (): Readonly<Record<string, SearchFilters>> => useForms(({ forms }) => forms);

export function storeForm(key: string, form: StoredForm): void {
  const { [key]: _, ...others } = useForms.getState().forms;
  const forms = Object.fromEntries([...Object.entries(others).slice(1 - maxForms), [key, form]]);
  useForms.setState({ forms });
  remember(forms);
}

/** Adapts a stored form to the current dataset: always includes static and locked filters, and drops unknown fields. */
export function restoreForm(description: DatasetDescription, storedForm: SearchFilters | undefined): SearchFilters {
  const starting = initialFilters(description);
  if (!storedForm) return { geospatial: null, timeRange: null, dynamic: starting };
  const { supportsTimeRange, supportsGeospatial, additionalFilters } = description.filterSupport;
  const knownFields = new Set([...description.schema.columns.map(({ name }) => name), ...additionalFilters.map(({ name }) => name)]);
  const isStarting = (filter: FormFilter) => starting.some(({ id }) => id === filter.id);
  return {
    geospatial: supportsGeospatial ? storedForm.geospatial : null,
    ...(storedForm.within !== undefined && canNarrowToCell(description) ? { within: storedForm.within } : {}),
    timeRange: supportsTimeRange ? storedForm.timeRange : null,
    dynamic: [
      ...starting.map((filter) => restoreFilter(filter, storedForm.dynamic)),
      ...storedForm.dynamic.filter(
        (filter) => !filter.preFilled && !isStarting(filter) && columnsOf(filter).every((name) => knownFields.has(name)),
      ),
    ],
  };
}

function restoreFilter(filter: FieldFilter, storedFilters: readonly FormFilter[]): FormFilter {
  const match = storedFilters.find(({ id, type }) => id === filter.id && type === filter.type);
  return filter.preFilled || !match ? filter : withSetting(filter, settingOf(match));
}
