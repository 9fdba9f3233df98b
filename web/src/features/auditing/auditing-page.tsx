import { formatCount, pluralize } from "@fairway/contract/counts";
import type { AuditEvent, AuditPage } from "@fairway/contract/audit";
import { Button } from "@mantine/core";
import { IconChevronDown } from "#ui/icons/chevron-down.ts";
import { IconChevronUp } from "#ui/icons/chevron-up.ts";
import { IconDownload } from "#ui/icons/download.ts";
import { IconRefresh } from "#ui/icons/refresh.ts";
import { useInfiniteQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { browserZone } from "#lib/time/time-zone.ts";
import { IconButton } from "#ui/icon-button.tsx";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState, ErrorState } from "#ui/states.tsx";
import AuditDetails from "./audit-details.tsx";
import { AuditFilterBar } from "./audit-filters.tsx";
import { AuditTable } from "./audit-table.tsx";
import classes from "./auditing.module.css";
import { type AuditQuery, eventsOf, eventsQuery, exportUrl, initialFilters } from "./queries.ts";

const loadFailed = "Failed to load audit logs";

/** The audit log, newest first. */
export function AuditingPage() {
  const [filters, setFilters] = useState<AuditQuery>(initialFilters);
  const [filtersOpened, setFiltersOpened] = useState(false);
  const filtersId = useId();
  const { hideBackground, ...active } = filters;
  const activeCount = Object.keys(active).length;
  const client = useQueryClient();
  const query = useInfiniteQuery(eventsQuery(filters));
  const [shown, setShown] = useState<{ event: AuditEvent; opened: boolean } | null>(null);
  const events = useMemo(() => eventsOf(query.data?.pages ?? []), [query.data]);
  const newest = query.data?.pages[0];
  const refresh = () => void client.resetQueries({ queryKey: ["audit"] });
  return (
    <>
      <PageHeader title="Audit Logs" subtitle={subtitle(newest, hideBackground === "true")}>
        <IconButton label="Refresh" onClick={refresh}>
          <IconRefresh size={16} aria-hidden />
        </IconButton>
        <div className={classes["exports"]}>
          <Button
            variant="default"
            className={classes["disclosure"] ?? ""}
            aria-expanded={filtersOpened}
            aria-controls={filtersId}
            rightSection={filtersOpened ? <IconChevronUp size={16} aria-hidden /> : <IconChevronDown size={16} aria-hidden />}
            onClick={() => setFiltersOpened(!filtersOpened)}
          >
            {activeCount === 0 ? "Filters" : `Filters (${activeCount})`}
          </Button>
          <ExportLink filters={filters} format="csv" label="Export CSV" />
          <ExportLink filters={filters} format="json" label="Export JSON" />
        </div>
      </PageHeader>
      <AuditFilterBar id={filtersId} opened={filtersOpened} filters={filters} onChange={setFilters} />
      {newest === undefined ? (
        <WithoutData query={query} loading={{ label: "Loading audit events", rows: 12 }} failed={loadFailed} />
      ) : events.length === 0 ? (
        <EmptyState title="No events">
          {activeCount > 0
            ? "No events match these filters."
            : hideBackground === "true"
              ? "No events besides background reads."
              : "No events yet."}
        </EmptyState>
      ) : (
        <AuditTable
          events={events}
          total={newest.totalIsLowerBound ? -1 : newest.totalElements}
          onOpen={(event) => setShown({ event, opened: true })}
        >
          <div className={classes["footer"]}>
            {query.isFetchNextPageError ? (
              <ErrorState message={loadFailed} details={messagesOf(query.error)} onRetry={() => void query.fetchNextPage()} />
            ) : (
              query.hasNextPage && (
                <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                  Load More
                </Button>
              )
            )}
            <span role="status">{countText(events.length, newest)}</span>
          </div>
        </AuditTable>
      )}
      {shown && <AuditDetails {...shown} onClose={() => setShown({ ...shown, opened: false })} />}
    </>
  );
}

/** Exports all matching events as a file. */
function ExportLink({ filters, format, label }: { filters: AuditQuery; format: "csv" | "json"; label: string }) {
  return (
    <Button component="a" variant="default" href={exportUrl(filters, format)} download leftSection={<IconDownload size={16} aria-hidden />}>
      {label}
    </Button>
  );
}

function subtitle(page: AuditPage | undefined, isBackgroundHidden: boolean): string {
  const zone = `Times in ${browserZone()}`;
  if (page === undefined) return zone;
  return [totalText(page), ...(isBackgroundHidden ? ["background reads hidden"] : []), zone].join(" · ");
}

function totalText({ totalElements, totalIsLowerBound }: AuditPage): string {
  if (totalIsLowerBound) return `More than ${formatCount(totalElements)} events`;
  return pluralize(totalElements, "event");
}

const countText = (loaded: number, { totalElements, totalIsLowerBound }: AuditPage): string =>
  `${formatCount(loaded)} of ${totalIsLowerBound ? "more than " : ""}${formatCount(Math.max(loaded, totalElements))} shown`;
