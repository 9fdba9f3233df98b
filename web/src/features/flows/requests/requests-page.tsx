import { formatCount, pluralize } from "@fairway/contract/counts";
import type { FlowGroupSummary, FlowRequest } from "@fairway/contract/flows";
import { Button, NativeSelect, SegmentedControl } from "@mantine/core";
import { IconGitCompare, IconPlus } from "@tabler/icons-react";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { messagesOf } from "#lib/gateway-error.ts";
import { lazyPart } from "#ui/lazy-part.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState, ErrorState, LoadingRows } from "#ui/states.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { useFlowGroups } from "../flow-groups-state.tsx";
import { FlowSearch } from "../flow-search.tsx";
import { groupRequestsQuery } from "../queries.ts";
import { ShowMore } from "../show-more.tsx";
import { matchesWords } from "../text-filter.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { isShown, type RequestsPlace, requestsPlace, requestsSearch, type Shown, statusFilters } from "./requests-place.ts";
import { RequestsTable } from "./requests-table.tsx";
import classes from "../flows.module.css";
import requestClasses from "./requests.module.css";

const NewRequestDialog = lazyPart(async () => ({ default: (await import("./new-request-dialog.tsx")).NewRequestDialog }));

/** The requests of the user's groups, one table per group. Filters and search are in the address, so that Back and links work. */
export function RequestsPage() {
  const address = useSearch({ strict: false });
  const place = requestsPlace(address);
  const navigate = useNavigate();
  const setPlace = (next: RequestsPlace) =>
    void navigate({ to: ".", search: (previous: Record<string, unknown>) => ({ ...previous, ...requestsSearch(next) }) });
  const [search, setSearch] = useAddressSearch();
  const { groups = [], state } = useFlowGroups();
  const lists = useQueries({ queries: groups.map(({ name }) => groupRequestsQuery(name, place.filter.state)) });
  // Null until first opened: the dialog loads on first use, and stays mounted to fade out.
  const [isCreating, setCreating] = useState<boolean | null>(null);

  const sections = groups.map((group, index) => ({
    group,
    list: lists[index],
    requests: filteredRequests({ place, search }, group, lists[index]?.data),
  }));
  const filtered = sections.flatMap(({ requests }) => requests);
  const isAllLoaded = lists.every(({ data }) => data !== undefined);
  const shown = sections
    .map(({ group, list, requests }) => ({ group, list, requests: requests.filter(isShown[place.show]) }))
    .filter(({ list, requests }) => list?.data === undefined || requests.length > 0);
  const newRequest = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} aria-haspopup="dialog" onClick={() => setCreating(true)}>
      New Request
    </Button>
  );
  const label = (show: Shown, text: string) => (isAllLoaded ? `${text} ${formatCount(filtered.filter(isShown[show]).length)}` : text);
  return (
    <>
      <PageHeader
        title="Flow Requests"
        {...(state === null
          ? {
              subtitle: (
                <span className={requestClasses["subtitle"]}>
                  {isAllLoaded && <span role="status">{countText(place, filtered.filter(isShown[place.show]).length)}</span>}
                  <TimeZoneToggle />
                </span>
              ),
            }
          : {})}
      >
        {state === null && (
          <>
            <FlowSearch label="Filter requests" value={search} onChange={setSearch} />
            {newRequest}
          </>
        )}
      </PageHeader>
      {state ?? (
        <>
          <div className={requestClasses["filters"]} role="search" aria-label="Filters">
            <NativeSelect
              label="Status Filter"
              className={requestClasses["status"] ?? ""}
              data={statusFilters.map(({ value, label: text }) => ({ value, label: text }))}
              value={place.filter.value}
              onChange={(event) => setPlace({ ...place, filter: requestsPlace({ status: event.currentTarget.value }).filter })}
            />
            <SegmentedControl
              aria-label="Show"
              className={requestClasses["show"] ?? ""}
              value={place.show}
              onChange={(show) => setPlace({ ...place, show })}
              data={[
                { value: "all", label: label("all", "All") },
                { value: "review", label: label("review", "Needs my review") },
                { value: "mine", label: label("mine", "Mine") },
              ]}
            />
          </div>
          <div className={classes["list"]}>
            {shown.map(({ group, list, requests }) => (
              <GroupRequests key={group.name} group={group} list={list} requests={requests} />
            ))}
            {shown.length === 0 && (
              <EmptyState
                title="No flow requests"
                icon={<IconGitCompare size={24} stroke={1.5} aria-hidden />}
                action={
                  search.trim() === "" ? (
                    newRequest
                  ) : (
                    <Button variant="default" onClick={() => setSearch("")}>
                      Show All
                    </Button>
                  )
                }
              >
                {emptyText(place, search.trim())}
              </EmptyState>
            )}
          </div>
        </>
      )}
      {isCreating !== null && <NewRequestDialog opened={isCreating} groups={groups} onClose={() => setCreating(false)} />}
    </>
  );
}

/** Those of the status that match the search, the newest first. */
const filteredRequests = (
  { place: { filter }, search }: { place: RequestsPlace; search: string },
  { displayName }: FlowGroupSummary,
  requests: readonly FlowRequest[] = [],
): readonly FlowRequest[] =>
  requests
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .filter(({ name, flowName, creatorUsername }) => matchesWords(search, [name, flowName, creatorUsername, displayName]))
    .sort((one, other) => other.createdDateMs - one.createdDateMs || other.id - one.id);

/** `open requests`, `accepted requests`, as the filter names them. */
const countText = ({ filter: { label } }: RequestsPlace, count: number): string => pluralize(count, `${label.toLowerCase()} request`);

function emptyText({ filter: { label, status }, show }: RequestsPlace, search: string): string {
  const what = status === undefined ? `${label.toLowerCase()} flow request` : `flow request with the status ${label}`;
  if (search !== "") return `No ${what}${show === "all" ? "" : " among these"} matches “${search}”.`;
  if (show === "review") return `No ${what} waits for your review.`;
  return show === "mine" ? `You have created no ${what}.` : `There is no ${what}.`;
}

interface GroupRequestsProps {
  group: FlowGroupSummary;
  list: UseQueryResult<FlowRequest[]> | undefined;
  /** As filtered. */
  requests: readonly FlowRequest[];
}

function GroupRequests({ group, list, requests }: GroupRequestsProps) {
  const { name, displayName, description } = group;
  return (
    <section className={classes["group"]} aria-label={displayName}>
      <div className={classes["head"]}>
        <h2 title={description === "" ? undefined : description}>{displayName}</h2>
        {list?.data && <span>{pluralize(requests.length, "request")}</span>}
      </div>
      {list?.data !== undefined ? (
        <ShowMore items={requests}>
          {(shown) => <RequestsTable group={name} label={`Requests of ${displayName}`} requests={shown} />}
        </ShowMore>
      ) : list?.error && !list.isFetching ? (
        <ErrorState message="Failed to Load Flow Requests" details={messagesOf(list.error)} onRetry={() => void list.refetch()} />
      ) : (
        <LoadingRows label={`Loading the requests of ${displayName}`} rows={3} />
      )}
    </section>
  );
}
