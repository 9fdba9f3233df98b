import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { useQuery } from "@tanstack/react-query";
import type { ComparisonProps } from "../changes/comparison-props.ts";
import { acceptedQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";

/** The other side of the comparison by components, as `useBase` has it for texts; undefined while that is read. */
export function useAgainst(): ComparisonProps["against"] | undefined {
  const { ids, iterations, shown, request } = useRequest();
  const isReplaced = shown.base === "accepted" && request.status === flowRequestStatus.accepted;
  const { data: accepted, error } = useQuery({ ...acceptedQuery(ids), enabled: isReplaced });
  if (shown.base !== "accepted") {
    const base = iterations[shown.base - 1];
    return base ? { id: base.id, number: base.number } : "accepted";
  }
  if (!isReplaced || error) return "accepted";
  if (!accepted) return undefined;
  const replaced = accepted[accepted.findIndex(({ requestId }) => requestId === request.id) + 1]?.iteration;
  return replaced ? { id: replaced.id, number: replaced.number } : "none";
}
