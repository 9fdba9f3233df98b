import { formatCount, pluralize } from "@fairway/contract/counts";
import { Button, NativeSelect, SegmentedControl } from "@mantine/core";
import { IconGitCompare } from "#ui/icons/git-compare.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQueries } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { PageHeader } from "#ui/page-header.tsx";
import { EmptyState } from "#ui/states.tsx";
import { TimeZoneToggle } from "#ui/time-zone-toggle.tsx";
import { useFlowGroups } from "../flow-groups-state.tsx";
import { FlowSearch } from "../flow-search.tsx";
import classes from "../flows.module.css";
import { requestCountsQuery } from "../queries.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { GroupRequests } from "./group-requests.tsx";
import { NewRequestDialog } from "./new-request-dialog.tsx";
import { type RequestsView, requestsFilter, requestsView, requestsSearch, type Shown, statusFilters } from "./requests-view.ts";
import requestClasses from "./requests.module.css";

/** The requests of the user's groups, one table per group. Filters and search are in the address, so that Back and links work. */
export function RequestsPage() {
  const address: Readonly<Record<string, unknown>> = useSearch({ strict: false });
  const view = requestsView(address);
  const navigate = useNavigate();
  const setView = (next: RequestsView) =>
    void navigate({ to: ".", search: (previous: Record<string, unknown>) => ({ ...previous, ...requestsSearch(next) }) });
  const [search, setSearch] = useAddressSearch();
  const { groups = [], state } = useFlowGroups();
  // As the address has it, which follows what is typed a moment later.
  const searched = typeof address["search"] === "string" ? address["search"].trim() : "";
  const filter = requestsFilter(view, searched);
  const counts = useQueries({ queries: groups.map(({ name }) => requestCountsQuery(name, filter)) });
  // Null until first opened: the dialog mounts on first use, and stays mounted to fade out.
  const [isCreating, setCreating] = useState<boolean | null>(null);

  const isAllCounted = counts.every(({ data }) => data !== undefined);
  const total = (show: Shown) => counts.reduce((sum, { data }) => sum + (data?.[show] ?? 0), 0);
  const shown = groups.map((group, index) => ({ group, count: counts[index]?.data?.[view.show] })).filter(({ count }) => count !== 0);
  const newRequest = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} aria-haspopup="dialog" onClick={() => setCreating(true)}>
      New Request
    </Button>
  );
  const label = (show: Shown, text: string) => (isAllCounted ? `${text} ${formatCount(total(show))}` : text);
  return (
    <>
      <PageHeader
        title="Flow Requests"
        {...(state === null
          ? {
              subtitle: (
                <span className={requestClasses["subtitle"]}>
                  {isAllCounted && <span role="status">{countText(view, total(view.show))}</span>}
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
              value={view.filter.value}
              onChange={(event) => setView({ ...view, filter: requestsView({ status: event.currentTarget.value }).filter })}
            />
            <SegmentedControl
              aria-label="Show"
              value={view.show}
              onChange={(show) => setView({ ...view, show })}
              data={[
                { value: "all", label: label("all", "All") },
                { value: "review", label: label("review", "Needs my review") },
                { value: "mine", label: label("mine", "Mine") },
              ]}
            />
          </div>
          <div className={classes["list"]}>
            {shown.map(({ group, count }) => (
              <GroupRequests key={group.name} group={group} filter={filter} show={view.show} count={count} />
            ))}
            {shown.length === 0 && (
              <EmptyState
                title="No flow requests"
                icon={<IconGitCompare size={24} stroke={1.5} aria-hidden />}
                action={
                  searched === "" ? (
                    newRequest
                  ) : (
                    <Button variant="default" onClick={() => setSearch("")}>
                      Show All
                    </Button>
                  )
                }
              >
                {emptyText(view, searched)}
              </EmptyState>
            )}
          </div>
        </>
      )}
      {isCreating !== null && <NewRequestDialog opened={isCreating} groups={groups} onClose={() => setCreating(false)} />}
    </>
  );
}

/** `open requests`, `accepted requests`, as the filter names them. */
const countText = ({ filter: { label } }: RequestsView, count: number): string => pluralize(count, `${label.toLowerCase()} request`);

function emptyText({ filter: { label, status }, show }: RequestsView, search: string): string {
  const what = status === undefined ? `${label.toLowerCase()} flow request` : `flow request with the status ${label}`;
  if (search !== "") return `No ${what}${show === "all" ? "" : " among these"} matches “${search}”.`;
  if (show === "review") return `No ${what} is waiting for your review.`;
  return show === "mine" ? `You have created no ${what}.` : `There is no ${what}.`;
}
