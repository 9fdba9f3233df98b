import type { FlowGroupSummary } from "@fairway/contract/flows";
import { compareNames } from "@fairway/contract/name-order";
import { IconGitPullRequest } from "#ui/icons/git-pull-request.ts";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { flowGroupsQuery } from "#parts/flow-groups/queries.ts";
import { WithoutData } from "#ui/kit/query-state.tsx";
import { EmptyState, LoadingRows } from "#ui/states.tsx";
import classes from "./flows.module.css";

/** The user's flow groups by name; undefined until they are loaded, and `state` is shown then, and if there are none. */
export function useFlowGroups(): { groups: readonly FlowGroupSummary[] | undefined; state: ReactNode } {
  const query = useQuery(flowGroupsQuery);
  const groups = query.data?.toSorted((one, other) => compareNames(one.displayName, other.displayName));
  if (groups === undefined) {
    const shown = (
      <div className={classes["list"]}>
        <LoadingRows label="Loading flow groups" />
      </div>
    );
    return { groups, state: <WithoutData query={query} loading={{ shown }} failed="Failed to Load Flow Groups" /> };
  }
  if (groups.length > 0) return { groups, state: null };
  return {
    groups,
    state: (
      <EmptyState title="No flow groups" icon={<IconGitPullRequest size={24} stroke={1.5} aria-hidden />}>
        You are not a member of a flow group. An administrator can make you a member.
      </EmptyState>
    ),
  };
}
