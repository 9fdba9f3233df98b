import type { DatasetDescription } from "@fairway/contract/datasets";
import { useEffect, useMemo, useRef, useState } from "react";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { fetchGraph } from "#features/search/graphs/model/graph-calls.ts";
import { groupedRange } from "@fairway/contract/charts/graph-groups";
import { requestKeyOf } from "#features/search/graphs/model/graph-plan.ts";
import { newGraph } from "#features/search/graphs/model/graph-store.ts";
import { graphProblems, readGraph } from "#features/search/graphs/model/graph-validity.ts";
import { aggregatesOf } from "@fairway/contract/charts/graph-values";
import { workloadText } from "@fairway/contract/charts/graph-wording";
import { type Graph, type GraphDefinition, isDerived } from "@fairway/contract/charts/graph";
import { type ComputedGraph, planFor } from "#features/search/graphs/model/open-graphs.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** A pause in editing that starts a preview. */
const delayMs = 400;

/**
 * `incomplete`: the draft cannot be drawn. `large`: it has many groups and waits for `run`. `stopped`: the user canceled it and may
 * `run` it again. `loading`: the request is running or about to.
 */
type PreviewStatus = "incomplete" | "large" | "stopped" | "loading" | "failed" | "current";

export interface GraphPreview {
  status: PreviewStatus;
  /** The graph drawn last, with the definition that its values belong to; null before the first picture. */
  graph: Graph | null;
  /** The problem of an incomplete draft, or the messages of a failure. */
  messages: readonly string[];
  groups: number;
  /** Size of the computation, such as `61 groups × 2 values: 122 values`. */
  workload: string;
  /** Start of the running request, null while none runs. */
  startedMs: number | null;
  /** The values of the draft as it is now, once they are there. */
  computed: ComputedGraph | null;
  /** Requests the values of a large or stopped preview, or again after a failure. */
  run: () => void;
  cancel: () => void;
}

interface Drawn extends ComputedGraph {
  definition: GraphDefinition;
}

/** How the request of a key ended without values, or that it is running. */
interface Outcome {
  key: string;
  status: "failed" | "stopped" | "running";
  messages: readonly string[];
  startedMs: number | null;
}

/**
 * The graph of a draft, from the request that the saved graph would make. It starts after a pause in editing and is aborted by the
 * next change. `saved` is the graph that is edited: its values need no request, and as many groups as it has are not asked for again.
 */
export function useGraphPreview(record: SearchRecord, draft: GraphDefinition, saved: Graph | null): GraphPreview {
  const { datasetDescription: description, filters } = record;
  const limits = useLimits();
  const range = groupedRange(filters, description);
  const definition = useMemo(() => drawable(draft, description), [draft, description]);
  const problem = graphProblems(definition, { description, range, limits })[0] ?? null;
  const plan = useMemo(() => (problem === null ? planFor(definition, record) : null), [problem, definition, record]);
  const key = useMemo(() => plan && requestKeyOf(plan), [plan]);
  const [drawn, setDrawn] = useState<Drawn | null>(() =>
    saved?.data ? { definition: saved, data: saved.data, key: requestKeyOf(planFor(saved, record)) } : null,
  );
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [allowedGroups, setAllowedGroups] = useState(saved?.data?.groups.length ?? 0);
  // A graph that the user asked for starts at once.
  const [requestedKey, setRequestedKey] = useState<string | null>(null);
  const groups = plan?.groups.length ?? 0;
  const isLarge = groups > limits.graphGroupingsWarning && groups > allowedGroups;
  const isCurrent = key !== null && drawn?.key === key;
  const current = outcome?.key === key ? outcome : null;
  const waits = isLarge || isCurrent || current?.status === "stopped" || current?.status === "failed";
  const { category, datasetId } = description;

  // The key stands for the request: another title or color starts none.
  const latest = useRef({ plan, definition, requestedKey });
  useEffect(() => {
    latest.current = { plan, definition, requestedKey };
  });
  useEffect(() => {
    if (key === null || waits) return undefined;
    const controller = new AbortController();
    const settle = (apply: () => void) => !controller.signal.aborted && apply();
    const start = () => {
      const requested = latest.current;
      if (!requested.plan) return;
      setOutcome({ key, status: "running", messages: [], startedMs: Date.now() });
      fetchGraph({ category: category.id, datasetId }, requested.plan, { signal: controller.signal, onProgress: () => {} }).then(
        (data) => settle(() => setDrawn({ key, definition: requested.definition, data })),
        (error: unknown) => settle(() => setOutcome({ key, status: "failed", messages: messagesOf(error), startedMs: null })),
      );
    };
    const timer = setTimeout(start, key === latest.current.requestedKey ? 0 : delayMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [key, waits, category.id, datasetId]);

  const graph = useMemo(() => {
    if (!drawn) return null;
    const named = { id: "preview", hasShownLargeGroupingWarning: true, isCancelled: false };
    const fresh = newGraph({ ...(isCurrent ? definition : drawn.definition), ...named }, { datasetDescription: description });
    return { ...fresh, data: plan && isCurrent ? { ...drawn.data, groups: plan.groups } : drawn.data };
  }, [drawn, isCurrent, definition, plan, description]);
  const status: PreviewStatus =
    problem !== null
      ? "incomplete"
      : isCurrent
        ? "current"
        : isLarge
          ? "large"
          : current && current.status !== "running"
            ? current.status
            : "loading";
  return {
    status,
    graph,
    messages: problem === null ? (current?.messages ?? []) : [problem],
    groups,
    workload: workloadText(groups, aggregatesOf(draft.columns).length),
    startedMs: status === "loading" ? (current?.startedMs ?? null) : null,
    computed: isCurrent ? drawn : null,
    run: () => {
      setAllowedGroups(Math.max(allowedGroups, groups));
      setRequestedKey(key);
      setOutcome(null);
    },
    cancel: () => key !== null && setOutcome({ key, status: "stopped", messages: [], startedMs: null }),
  };
}

/** The draft with names where it still lacks them, because they do not change its values. */
function drawable(draft: GraphDefinition, description: DatasetDescription): GraphDefinition {
  return readGraph(
    {
      ...draft,
      title: draft.title.trim() || "Untitled graph",
      groupings: draft.groupings.map((group, index) => ({ ...group, label: group.label.trim() || `Group ${index + 1}` })),
      columns: draft.columns.map((column, index) =>
        isDerived(column) ? { ...column, label: column.label.trim() || `Column ${index + 1}` } : column,
      ),
    },
    description,
  );
}
