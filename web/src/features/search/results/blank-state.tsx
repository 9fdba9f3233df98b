import { Button } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconSearch } from "@tabler/icons-react";
import { openSearches } from "#parts/open-searches/store.ts";
import { filterText } from "#parts/filters/filter-value.ts";
import { hasValue } from "#parts/search-model/search-data.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { EmptyState, ErrorState } from "#ui/states.tsx";
import { lazyPart } from "#ui/lazy-part.tsx";
import type { BlankState } from "./views.ts";

const OtherCase = lazyPart(() => import("./other-case.tsx"));

/** Shown in place of rows when there are none. */
export function BlankResult({ state, record, onEditFilters }: { state: BlankState; record: SearchRecord; onEditFilters: () => void }) {
  const { id, isSample, searchError } = record;
  const rerun = () => openSearches.rerun(id);
  switch (state) {
    case "empty":
      return (
        <EmptyState
          title="no results"
          icon={<IconSearch size={24} stroke={1.5} aria-hidden />}
          action={
            isSample ? undefined : (
              <>
                <OtherCase record={record} />
                <Button variant="default" onClick={onEditFilters}>
                  Edit filters
                </Button>
              </>
            )
          }
        >
          {isSample ? "The dataset has no rows." : noMatchText(record.filters)}
        </EmptyState>
      );
    case "failed":
      return <ErrorState message="Error Occurred" details={["Error getting search results.", ...(searchError ?? [])]} onRetry={rerun} />;
    case "cancelled":
      return (
        <EmptyState
          title="Search canceled"
          icon={<IconPlayerStop size={24} stroke={1.5} aria-hidden />}
          action={
            <Button variant="default" leftSection={<IconRefresh size={16} aria-hidden />} onClick={rerun}>
              Rerun Search
            </Button>
          }
        >
          It was stopped before any rows arrived.
        </EmptyState>
      );
    case "nothing":
      return <ErrorState message="Error Occurred" details={["The search holds no results."]} onRetry={rerun} />;
    default:
      return state satisfies never;
  }
}

const maxNamed = 3;

/** Names the filters that no row matches. */
function noMatchText({ timeRange, geospatial, dynamic }: SearchFilters): string {
  const filters = [
    ...(timeRange ? [timeRange.text] : []),
    ...(geospatial ? [geospatial.text] : []),
    ...dynamic.filter(hasValue).map(filterText),
  ];
  if (filters.length === 0) return "The dataset has no rows.";
  const more = filters.length - maxNamed;
  const named = filters.slice(0, maxNamed).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `No rows match ${named}. Remove or change a filter.`;
}
