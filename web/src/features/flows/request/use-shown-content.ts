import type { FlowIteration } from "@fairway/contract/flow-requests";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { contentQuery } from "./queries.ts";
import { useRequest } from "./request-context.ts";
import { contentState } from "./content-state.tsx";

interface ShownContent {
  iteration: FlowIteration | undefined;
  /** Undefined while it loads or after it failed. */
  content: string | undefined;
  /** The state shown in its place meanwhile. */
  state: ReactNode;
}

/** The shown iteration and its content. */
export function useShownContent(): ShownContent {
  const { ids, iterations, shown } = useRequest();
  const iteration = iterations[shown.iteration - 1];
  const query = useQuery({ ...contentQuery(ids, iteration?.id ?? 0), enabled: iteration !== undefined });
  return { iteration, content: query.data, state: contentState(query, `iteration ${shown.iteration}`) };
}
