import { Button } from "@mantine/core";
import { IconPlayerStop } from "#ui/icons/player-stop.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { NoMatch } from "#parts/filters/no-match.tsx";
import { EmptyState, ErrorState } from "#ui/states.tsx";
import OtherCase from "./other-case.tsx";
import type { BlankState } from "./views.ts";

interface Props {
  state: BlankState;
  record: SearchRecord;
  /** Searches again with these filters. */
  onFilters: (filters: SearchFilters) => void;
  onEditFilters: () => void;
}

/** Shown in place of rows when there are none. */
export function BlankResult({ state, record, onFilters, onEditFilters }: Props) {
  const { id, searchError } = record;
  const rerun = () => openSearches.rerun(id);
  switch (state) {
    case "empty":
      return (
        <NoMatch record={record} onChange={onFilters} onEditFilters={onEditFilters}>
          <OtherCase record={record} />
        </NoMatch>
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
      return <ErrorState message="Error Occurred" details={["The search returned no results."]} onRetry={rerun} />;
    default:
      return state satisfies never;
  }
}
