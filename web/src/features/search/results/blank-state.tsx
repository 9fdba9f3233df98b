import { Button } from "@mantine/core";
import { IconPlayerStop, IconRefresh, IconSearch } from "@tabler/icons-react";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { EmptyState, ErrorState } from "#ui/states.tsx";
import type { BlankState } from "./views.ts";

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
              <Button variant="default" onClick={onEditFilters}>
                Edit filters
              </Button>
            )
          }
        >
          {isSample ? "The dataset has no rows." : "No row satisfies every filter. Remove one or widen the time range."}
        </EmptyState>
      );
    case "failed":
      return <ErrorState message="Error Occurred" details={["Error getting search results.", ...(searchError ?? [])]} onRetry={rerun} />;
    case "cancelled":
      return (
        <EmptyState
          title="Search cancelled"
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
