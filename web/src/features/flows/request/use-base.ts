import { flowRequestStatus } from "@fairway/contract/flow-requests";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { contentState } from "./content-state.tsx";
import { acceptedQuery, contentQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";

interface Base {
  /** As a side of the differences. */
  name: string;
  /** The flow has no accepted content to compare with. */
  isMissing: boolean;
  /** Undefined while it loads or after it failed. */
  content: string | undefined;
  state: ReactNode;
}

/** The text that the shown iteration is compared with. The accepted state of an accepted request is the one that it replaced. */
export function useBase(): Base {
  const { ids, iterations, shown, request } = useRequest();
  const isAccepted = shown.base === "accepted";
  const accepted = useQuery({ ...acceptedQuery(ids), enabled: isAccepted });
  const own =
    request.status === flowRequestStatus.accepted ? accepted.data?.findIndex(({ requestId }) => requestId === request.id) : undefined;
  const replaced = accepted.data?.[own === undefined ? 0 : own + 1];
  const source = isAccepted
    ? replaced && { requestId: replaced.requestId, id: replaced.iteration.id }
    : { requestId: request.id, id: iterations[Number(shown.base) - 1]?.id ?? 0 };
  const query = useQuery({
    ...contentQuery({ ...ids, requestId: source?.requestId ?? 0 }, source?.id ?? 0),
    enabled: source !== undefined,
  });
  const name = isAccepted ? "Accepted" : `Iteration ${shown.base}`;
  const isMissing = isAccepted && accepted.data !== undefined && source === undefined;
  return { name, isMissing, content: query.data, state: contentState(isAccepted && !accepted.data ? accepted : query, name) };
}
