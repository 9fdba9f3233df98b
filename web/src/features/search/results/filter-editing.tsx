import type { Column } from "@fairway/contract/columns";
import type { DatasetDescription, FieldFilter } from "@fairway/contract/datasets";
import { pluralize } from "@fairway/contract/counts";
import type { CellValue } from "@fairway/contract/search";
import { type ReactNode, useState } from "react";
import { graphsExtension, summariesExtension } from "#features/search/search-extensions.ts";
import { AreaDialog } from "#parts/area/islands.tsx";
import {
  availableFilters,
  canSearch,
  columnFilter,
  filterableColumns,
  isLinked,
  allowedOperators,
} from "#parts/search-model/filter-list.ts";
import { FilterDialog } from "#parts/filters/filter-dialog.tsx";
import { TimeRangeDialog } from "#parts/filters/time-range-dialog.tsx";
import { readFilter } from "#parts/filters/filter-value.ts";
import { SuggestionSourceContext } from "#parts/filters/suggestion-source.ts";
import { withAlternative } from "#parts/filters/with-alternative.ts";
import { canFilterByValue, type ValueOperator, withValueFilter } from "#parts/filters/value-filter.ts";
import { type FormFilter, isCompared } from "#parts/search-model/form-filter.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { droppedExtension, sliceOf } from "#parts/search-model/search-extensions.ts";
import { toastError, toastUndo } from "#ui/toast/toast.ts";
import { useLastShown } from "#ui/use-last-shown.ts";
import { summarizesInDialog } from "./views.ts";

type OpenDialog =
  | { kind: "filter"; offered: readonly FieldFilter[]; edited: FormFilter | null; suggested?: FieldFilter; alternativeTo?: FormFilter }
  | { kind: "time" }
  | { kind: "area" }
  | null;

export interface FilterEditing {
  canAdd: boolean;
  add: () => void;
  edit: (filter: FormFilter) => void;
  /** Adds an alternative to a filter. Null where the dataset takes none. */
  addAlternative: ((filter: FormFilter) => void) | null;
  editTime: () => void;
  showArea: () => void;
  canFilterOn: (column: Column) => boolean;
  filterOn: (column: Column) => void;
  /** Keeps only (`=`) or excludes (`<>`) rows with this value. */
  filterByValue: (column: Column, value: CellValue | undefined, operator: ValueOperator) => void;
  /** Searches again with these filters, unless the dataset's requirements would no longer be met; then it shows why. */
  apply: (filters: SearchFilters) => void;
  dialogs: ReactNode;
}

/** Adds, edits and removes filters of an open search, using the dialogs of the datasets screen. */
export function useFilterEditing(record: SearchRecord): FilterEditing {
  const { datasetDescription: description, filters, isSample } = record;
  const [open, setOpen] = useState<OpenDialog>(null);
  const shown = useLastShown(open);
  const offered = offeredFilters(description, filters.dynamic);

  const apply = (next: SearchFilters) => {
    const { hint } = canSearch(description, next);
    if (hint === null) setFilters(record, next);
    else toastError("Filters not changed", hint);
  };
  const saveFilter = (filter: FormFilter) => {
    const value = readFilter(filter);
    if (shown?.kind === "filter" && shown.alternativeTo) {
      apply({ ...filters, dynamic: withAlternative(description, filters.dynamic, shown.alternativeTo, value) });
      return;
    }
    const exists = filters.dynamic.some((other) => other.id === value.id);
    const dynamic = exists ? filters.dynamic.map((other) => (other.id === value.id ? value : other)) : [...filters.dynamic, value];
    apply({ ...filters, dynamic });
  };
  const filterOn = (column: Column) => {
    const edited = description.filterSupport.supportsAdvancedFiltering
      ? undefined
      : filters.dynamic.find((filter) => filter.name === column.name && !filter.preFilled && !isLinked(filter) && hasValue(filter));
    const suggested = offered.find((filter) => filter.name === column.name);
    if (edited) setOpen({ kind: "filter", offered: [], edited });
    else if (suggested) setOpen({ kind: "filter", offered, edited: null, suggested });
  };
  return {
    canAdd: offered.length > 0,
    add: () => setOpen({ kind: "filter", offered, edited: null }),
    edit: (filter) => setOpen({ kind: "filter", offered, edited: filter }),
    addAlternative: description.moreOperators.includes("any")
      ? (filter) => setOpen({ kind: "filter", offered, edited: null, alternativeTo: filter })
      : null,
    editTime: () => setOpen({ kind: "time" }),
    showArea: () => setOpen({ kind: "area" }),
    canFilterOn: (column) => !isSample && column.combined === null && isFilterable(description, column),
    filterOn,
    filterByValue: (column, value, operator) => {
      const dynamic = canFilterByValue(value) ? withValueFilter(description, filters.dynamic, { column, operator, value }) : null;
      const unsupported = dynamic?.filter(isCompared).find((filter) => !allowedOperators(filter).includes(filter.operator));
      if (unsupported)
        toastError("Filters not changed", `${unsupported.display} can only be filtered with ${allowedOperators(unsupported).join(" ")}.`);
      else if (dynamic !== null) apply({ ...filters, dynamic });
    },
    apply,
    dialogs: shown && (
      <>
        {shown.kind === "filter" ? (
          <SuggestionSourceContext value={{ description, filters, added: record.added }}>
            <FilterDialog
              opened={open !== null}
              description={description}
              offered={shown.offered}
              edited={shown.edited}
              suggested={shown.suggested}
              wording={shown.alternativeTo && { title: "Add alternative", submit: "Add alternative" }}
              onClose={() => setOpen(null)}
              onDone={saveFilter}
            />
          </SuggestionSourceContext>
        ) : shown.kind === "area" ? (
          <AreaDialog
            opened={open !== null}
            value={filters.geospatial}
            readOnly
            onClose={() => setOpen(null)}
            onDone={(geospatial) => apply({ ...filters, geospatial })}
          />
        ) : (
          <TimeRangeDialog
            opened={open !== null}
            value={filters.timeRange}
            extent={description.timeExtent}
            dataset={description}
            onClose={() => setOpen(null)}
            onDone={(timeRange) => apply({ ...filters, timeRange })}
          />
        )}
      </>
    ),
  };
}

/** Searches again. What the user loses, a filter or the graphs, can be brought back. */
function setFilters(record: SearchRecord, next: SearchFilters): void {
  const { id, filters: previous } = record;
  const drawn = [graphsExtension, summariesExtension].map((extension) => ({ extension, slice: sliceOf(record, extension) }));
  const graphCount = drawn.reduce((count, { slice }) => count + (Array.isArray(slice) ? slice.length : 0), 0);
  openSearches.setFilters(id, next);
  const run = findRecord(id)?.run;
  const isRemoval = filterCount(next) < filterCount(previous);
  if (!isRemoval && graphCount === 0) return;
  const graphsText =
    graphCount === 0 ? "" : isRemoval ? `, with ${pluralize(graphCount, "graph")}` : `, ${pluralize(graphCount, "graph")} removed`;
  const title = `${isRemoval ? "Filter removed" : "Filters changed"}${graphsText}`;
  const undo = () => {
    const current = findRecord(id);
    if (!current) return;
    if (current.run !== run) return toastError("Not undone", "The search ran again since.");
    openSearches.setFilters(id, previous);
    for (const { extension, slice } of drawn) if (slice !== undefined) openSearches.setSlice(id, extension, slice);
    openSearches.setSlice(id, droppedExtension, sliceOf(record, droppedExtension));
  };
  if (graphCount === 0) toastUndo(title, undo);
  else toastUndo(title, undo, { label: "Draw again", run: () => void drawGraphsAgain(id) });
}

/** Loads with the view, which is where they are drawn; in a dialog, if the dataset has no such view. */
async function drawGraphsAgain(searchId: string): Promise<void> {
  const { drawAgain } = await import("#features/search/graphs/draw-again.ts");
  drawAgain(searchId);
  const record = findRecord(searchId);
  if (record && summarizesInDialog(record)) openSearches.setViewMode(searchId, "graphs");
}

const filterCount = ({ timeRange, geospatial, within, dynamic }: SearchFilters): number =>
  [timeRange, geospatial, within].filter((filter) => filter !== null && filter !== undefined).length + dynamic.filter(hasValue).length;

/** The filters that Add filter offers: any column with advanced filtering, otherwise the dataset's own unused filters. */
function offeredFilters(description: DatasetDescription, dynamic: readonly FormFilter[]): FieldFilter[] {
  if (description.filterSupport.supportsAdvancedFiltering) {
    return filterableColumns(description).map((column) => columnFilter(column, dynamic));
  }
  return [
    ...dynamic.filter(isCompared).filter((filter) => !filter.preFilled && !hasValue(filter)),
    ...availableFilters(description, dynamic),
  ];
}

function isFilterable({ filterSupport }: DatasetDescription, { name }: Column): boolean {
  const { supportsAdvancedFiltering, staticFilters, additionalFilters } = filterSupport;
  return supportsAdvancedFiltering || [...staticFilters, ...additionalFilters].some((filter) => filter.name === name);
}
