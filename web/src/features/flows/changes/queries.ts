import { type FlowChange, type FlowChangeCategory, type FlowChangesPage, flowDifferences } from "@fairway/contract/flow-differences";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import type { Compared } from "./comparison-props.ts";

const keyOf = ({ group, flowId, iteration, against }: Compared) =>
  ["flow-groups", group, "flow", flowId, "differences", iteration.id, againstOf(against)] as const;

const againstOf = (against: Compared["against"]): "accepted" | "none" | number => (typeof against === "string" ? against : against.id);

const callOf = ({ group, flowId, iteration, against }: Compared) => ({
  params: { group, flowId: String(flowId) },
  query: { iterationId: iteration.id, against: againstOf(against) },
});

/** All listed changes of the categories; the pages are read one after another. */
export const changesQuery = (compared: Compared, categories: readonly FlowChangeCategory[]) =>
  queryOptions({
    queryKey: [...keyOf(compared), "changes", categories],
    queryFn: async ({ signal }): Promise<FlowChangesPage> => {
      const { params, query } = callOf(compared);
      const read = (offset: number) =>
        call(flowDifferences.changes, { params, query: { ...query, categories: categories.join(","), offset } }, { signal });
      const first = await read(0);
      if (first.outcome !== "compared") return first;
      const changes: FlowChange[] = [...first.changes];
      while (changes.length < first.total) {
        const page = await read(changes.length);
        // Another content was accepted in between: what is shown ends here.
        if (page.outcome !== "compared" || page.changes.length === 0) break;
        changes.push(...page.changes);
      }
      return { ...first, changes };
    },
    // Changes of the same pair stay while those of other categories are read, but not those of another pair.
    placeholderData: (previous, query) => (query && isOfPair(query.queryKey, compared) ? previous : undefined),
  });

const isOfPair = (key: readonly unknown[], compared: Compared): boolean => {
  const pair = keyOf(compared);
  return pair.every((part, index) => part === key[index]);
};

export const drawingQuery = (compared: Compared) =>
  queryOptions({
    queryKey: [...keyOf(compared), "drawing"],
    queryFn: ({ signal }) => call(flowDifferences.drawing, callOf(compared), { signal }),
  });

/** A null environment checks only what the content says by itself. */
export const checksQuery = (group: string, flowId: number, iterationId: number, environmentId: string | null) =>
  queryOptions({
    queryKey: ["flow-groups", group, "flow", flowId, "checks", iterationId, environmentId],
    queryFn: ({ signal }) =>
      call(
        flowDifferences.checks,
        { params: { group, flowId: String(flowId) }, query: { iterationId, ...(environmentId === null ? {} : { environmentId }) } },
        { signal },
      ),
  });

export const checkEnvironmentsQuery = (group: string) =>
  queryOptions({
    queryKey: ["flow-groups", group, "environments"],
    queryFn: ({ signal }) => call(flowDifferences.environments, { params: { group } }, { signal }),
  });
