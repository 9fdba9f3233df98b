import { pluralize } from "@fairway/contract/counts";
import type { Flow, FlowGroupSummary } from "@fairway/contract/flows";
import { byName } from "@fairway/contract/name-order";
import { Button } from "@mantine/core";
import { IconPlus } from "#ui/icons/plus.ts";
import { useQueries, type UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { DataTable, type TableColumn } from "#ui/kit/data-table.tsx";
import { PageHeader } from "#ui/page-header.tsx";
import { QueryState } from "#ui/kit/query-state.tsx";
import { EmptyState } from "#ui/states.tsx";
import { useFlowGroups } from "../flow-groups-state.tsx";
import { FlowSearch } from "../flow-search.tsx";
import classes from "../flows.module.css";
import { flowsQuery } from "../queries.ts";
import { ShowMore } from "../show-more.tsx";
import { matchesWords } from "../text-filter.ts";
import { useAddressSearch } from "../use-address-search.ts";
import { Environments } from "./environments.tsx";
import { NewFlowDialog } from "./new-flow-dialog.tsx";
import { ReviewList } from "./review-list.tsx";
import sideClasses from "./side.module.css";

/** The flows of the user's groups, one table per group, and what waits for a review by the user. */
export function FlowsPage() {
  const { groups = [], state } = useFlowGroups();
  const lists = useQueries({ queries: groups.map(({ name }) => flowsQuery(name)) });
  const [filter, setFilter] = useAddressSearch();
  // Null until first opened.
  const [creating, setCreating] = useState<{ opened: boolean; group: string } | null>(null);
  const [first] = groups;
  const sections = groups.map((group, index) => ({ group, list: lists[index], flows: filteredFlows(filter, group, lists[index]?.data) }));
  const isAllLoaded = lists.every(({ data }) => data !== undefined);
  const shown = sections.filter(({ list, flows }) => filter.trim() === "" || list?.data === undefined || flows.length > 0);
  return (
    <>
      <PageHeader
        title="Flows"
        {...(state === null && isAllLoaded
          ? {
              subtitle: subtitle(
                groups,
                lists.flatMap(({ data = [] }) => data),
              ),
            }
          : {})}
      >
        {first && (
          <>
            <FlowSearch label="Filter flows" value={filter} onChange={setFilter} />
            <Button
              leftSection={<IconPlus size={16} aria-hidden />}
              aria-haspopup="dialog"
              onClick={() => setCreating({ opened: true, group: first.name })}
            >
              New Flow
            </Button>
          </>
        )}
      </PageHeader>
      {state ?? (
        <div className={classes["columns"]}>
          <div className={classes["list"]}>
            {shown.map(({ group, list, flows }) => (
              <GroupFlows
                key={group.name}
                group={group}
                list={list}
                flows={flows}
                onCreate={() => setCreating({ opened: true, group: group.name })}
              />
            ))}
            {shown.length === 0 && (
              <EmptyState
                title="No matching flows"
                action={
                  <Button variant="default" onClick={() => setFilter("")}>
                    Show All
                  </Button>
                }
              >
                {`No flow or group matches “${filter.trim()}”.`}
              </EmptyState>
            )}
          </div>
          <div className={sideClasses["side"]}>
            <ReviewList groups={groups} />
            <Environments groups={groups} />
          </div>
        </div>
      )}
      {creating && <NewFlowDialog {...creating} groups={groups} onClose={() => setCreating({ ...creating, opened: false })} />}
    </>
  );
}

/** Those that match by their name or that of their group, by name. */
const filteredFlows = (filter: string, { displayName }: FlowGroupSummary, flows: readonly Flow[] = []): readonly Flow[] =>
  flows.filter(({ name }) => matchesWords(filter, [name, displayName])).sort(byName);

function subtitle(groups: readonly FlowGroupSummary[], flows: readonly Flow[]): string {
  const open = flows.reduce((sum, { openRequests }) => sum + openRequests, 0);
  return `${pluralize(flows.length, "flow")} in ${pluralize(groups.length, "group")}, ${pluralize(open, "open request")}`;
}

interface GroupFlowsProps {
  group: FlowGroupSummary;
  list: UseQueryResult<Flow[]> | undefined;
  /** As filtered. */
  flows: readonly Flow[];
  onCreate: () => void;
}

function GroupFlows({ group: { name: group, displayName, description }, list, flows, onCreate }: GroupFlowsProps) {
  return (
    <section className={`${classes["group"]} ${classes["narrow"]}`} aria-label={displayName}>
      <div className={classes["head"]}>
        <h2 title={description === "" ? undefined : description}>{displayName}</h2>
        {list?.data && <span>{pluralize(flows.length, "flow")}</span>}
        <IconButton label={`New Flow in ${displayName}`} aria-haspopup="dialog" onClick={onCreate}>
          <IconPlus size={16} aria-hidden />
        </IconButton>
      </div>
      {list && (
        <QueryState query={list} loading={{ label: `Loading the flows of ${displayName}`, rows: 3 }} failed="Failed to Load Flows">
          {() =>
            flows.length === 0 ? (
              <p className={classes["none"]}>The group has no flows yet.</p>
            ) : (
              <ShowMore items={flows}>
                {(shown) => (
                  <DataTable
                    columns={columnsOf(group)}
                    rows={shown}
                    rowKey={({ id }) => id}
                    label={`Flows of ${displayName}`}
                    edges="flush"
                    head="line"
                    hovers
                    className={classes["table"]}
                  />
                )}
              </ShowMore>
            )
          }
        </QueryState>
      )}
    </section>
  );
}

const columnsOf = (groupName: string): readonly TableColumn<Flow>[] => [
  {
    id: "name",
    header: "Name",
    isRowHeader: true,
    cell: ({ id, name }) => (
      <Link to="/niflow-flows/$groupName/$flowId" params={{ groupName, flowId: String(id) }}>
        {name}
      </Link>
    ),
  },
  {
    id: "openRequests",
    header: "# Open Requests",
    align: "end",
    nowrap: true,
    tabular: true,
    cell: ({ name, openRequests }) =>
      openRequests === 0 ? (
        <span className={classes["none"]}>{openRequests}</span>
      ) : (
        <Link to="/niflow-requests" search={{ search: name }} aria-label={`${pluralize(openRequests, "open request")} of ${name}`}>
          {openRequests}
        </Link>
      ),
  },
];
