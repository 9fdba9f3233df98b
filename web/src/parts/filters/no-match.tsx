import { Button, Text } from "@mantine/core";
import { IconSearch } from "#ui/icons/search.ts";
import type { ReactNode } from "react";
import { coarseColumnsOf, coarseNote } from "#parts/reader-part/coarse-columns.ts";
import { chipText } from "./filter-value.ts";
import { canSearch, isLinked, withoutValue } from "#parts/search-model/filter-list.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { RemovableChips, type RemovableChip } from "#ui/removable-chips.tsx";
import { EmptyState } from "#ui/states.tsx";

interface Props {
  record: SearchRecord;
  /** The text for a search without filters. */
  withoutFilters?: string;
  /** Searches again. */
  onChange: (filters: SearchFilters) => void;
  onEditFilters: () => void;
  /** Further ways on. */
  children?: ReactNode;
}

/** No row or item matches: every filter with its way out. Removing one searches again. */
export function NoMatch({ record, withoutFilters = "The dataset has no rows.", onChange, onEditFilters, children }: Props) {
  const { isSample } = record;
  const chips = isSample ? [] : chipsOf(record, onChange);
  const notes = isSample ? [] : coarseNotesOf(record);
  return (
    <EmptyState
      title="no results"
      icon={<IconSearch size={24} stroke={1.5} aria-hidden />}
      action={
        isSample ? undefined : (
          <>
            {chips.length > 0 && <RemovableChips label="Filters of this search" chips={chips} />}
            {notes.map((note) => (
              <Text key={note} size="sm" w="100%">
                {note}
              </Text>
            ))}
            {children}
            <Button variant="default" onClick={onEditFilters}>
              Edit filters
            </Button>
          </>
        )
      }
    >
      {chips.length === 0 ? withoutFilters : chips.length === 1 ? "Nothing matches this filter:" : "Nothing matches all of these filters:"}
    </EmptyState>
  );
}

/** How the values are coarse that the filters compare: exact ones match nothing there. */
function coarseNotesOf({ filters, datasetDescription }: SearchRecord): string[] {
  const coarse = coarseColumnsOf(datasetDescription);
  const names = new Set(filters.dynamic.filter(hasValue).map(({ name }) => name));
  return [...names].flatMap((name) => {
    const form = coarse.get(name);
    return form === undefined ? [] : `≈ ${name}: ${coarseNote(form)}`;
  });
}

function chipsOf({ filters, datasetDescription }: SearchRecord, onChange: (filters: SearchFilters) => void): RemovableChip[] {
  const { timeRange, geospatial, within, dynamic } = filters;
  // Without a filter that the dataset requires, the search would be refused.
  const removal = (changed: Partial<SearchFilters>): (() => void) | undefined => {
    const next = { ...filters, ...changed };
    return canSearch(datasetDescription, next).enabled ? () => onChange(next) : undefined;
  };
  return [
    ...(timeRange ? [{ key: "time", text: timeRange.text, onRemove: removal({ timeRange: null }) }] : []),
    ...(geospatial ? [{ key: "area", text: geospatial.text, onRemove: removal({ geospatial: null }) }] : []),
    ...(within ? [{ key: "cell", text: within.text, onRemove: removal({ within: undefined }) }] : []),
    ...dynamic.filter(hasValue).map((filter) => ({
      key: filter.id,
      text: chipText(filter, datasetDescription.schema.columns),
      // The dataset, a link or a requirement keeps the others.
      onRemove:
        filter.preFilled || isLinked(filter) || filter.required
          ? undefined
          : removal({ dynamic: withoutValue(datasetDescription, dynamic, filter) }),
    })),
  ];
}
