import { messagesOf } from "#lib/gateway-error.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { fetchGraph } from "./graph-calls.ts";
import { asksTheSame, type GraphPlan, planOf } from "./graph-plan.ts";
import { beginRequest, dropRequest, graphsIn, isCurrentRequest, keepGraph, newGraph, patchGraph, setGraphs } from "./graph-store.ts";
import { definitionOf, type Graph, type GraphDefinition } from "./graph.ts";

/** The graphs of an open search. Definitions are kept over a reload; a late answer is not heard. */
export const openGraphs = {
  /** Adds a graph at the end, or puts it in the place of the one with `id`, and asks for its values. Answers its id. */
  save(searchId: string, definition: GraphDefinition, { id, hasWarned }: { id: string | null; hasWarned: boolean }): string | null {
    const record = findRecord(searchId);
    if (!record) return null;
    const all = graphsIn(searchId);
    const before = all.find((graph) => graph.id === id);
    const asNew = { id: before?.id ?? crypto.randomUUID(), hasShownLargeGroupingWarning: hasWarned, isCancelled: false };
    const fresh = newGraph({ ...definition, ...asNew }, record);
    // Another title, type or color asks for nothing: only groups and labels are read anew.
    const plan = planFor(fresh, record);
    const same = before?.data && asksTheSame(plan, planFor(before, record)) ? before.data : null;
    const graph: Graph = { ...fresh, isZoomed: before?.isZoomed ?? false, data: same && { ...same, groups: plan.groups } };
    const graphs = before ? all.map((other) => (other === before ? graph : other)) : [...all, graph];
    if (before) dropRequest(searchId, before.id);
    setGraphs(searchId, graphs);
    if (!graph.data) openGraphs.load(searchId, graph.id);
    return graph.id;
  },

  remove(searchId: string, graphId: string): void {
    dropRequest(searchId, graphId);
    setGraphs(
      searchId,
      graphsIn(searchId).filter(({ id }) => id !== graphId),
    );
  },

  /** One graph fills the view, or none. */
  zoom(searchId: string, graphId: string | null): void {
    for (const { id } of graphsIn(searchId)) patchGraph(searchId, id, { isZoomed: id === graphId });
  },

  /** Asks for the values, again after a failure. */
  load(searchId: string, graphId: string): void {
    const record = findRecord(searchId);
    const graph = graphsIn(searchId).find(({ id }) => id === graphId);
    if (!record || !graph) return;
    const plan = planFor(graph, record);
    const run = beginRequest(searchId, graphId);
    keepGraph(searchId, graphId, {
      isLoading: true,
      isCancelled: false,
      hasLoadingError: false,
      loadingErrors: [],
      data: null,
      startedMs: Date.now(),
      progress: { done: 0, of: plan.values },
      searchPayload: plan.search,
    });
    const settle = (change: Partial<Graph>): void => {
      if (!isCurrentRequest(searchId, graphId, run)) return;
      dropRequest(searchId, graphId);
      patchGraph(searchId, graphId, { ...change, isLoading: false, startedMs: null });
    };
    const onProgress = (done: number): void => {
      if (isCurrentRequest(searchId, graphId, run)) patchGraph(searchId, graphId, { progress: { done, of: plan.values } });
    };
    const dataset = { category: graph.datasetCategory, datasetId: graph.datasetId };
    fetchGraph(dataset, plan, { signal: run.signal, onProgress }).then(
      (data) => settle({ data }),
      (error: unknown) => settle({ hasLoadingError: true, loadingErrors: messagesOf(error) }),
    );
  },

  /** The question about many groupings was put, whatever the answer: the graph is not asked about again. */
  setWarned(searchId: string, graphId: string): void {
    keepGraph(searchId, graphId, { hasShownLargeGroupingWarning: true });
  },

  /** Stops a run; the graph says so and offers to begin again, also after a reload. */
  cancel(searchId: string, graphId: string): void {
    dropRequest(searchId, graphId);
    keepGraph(searchId, graphId, { isLoading: false, isCancelled: true, startedMs: null });
  },

  /** Graphs that came back with a reload have no values yet. */
  loadWaiting(searchId: string): void {
    for (const graph of graphsIn(searchId)) if (isWaiting(graph)) openGraphs.load(searchId, graph.id);
  },
};

/** Nothing has been asked for it yet. */
export const isWaiting = ({ data, isLoading, isCancelled, hasLoadingError }: Graph): boolean =>
  data === null && !isLoading && !isCancelled && !hasLoadingError;

const planFor = (graph: GraphDefinition, record: SearchRecord): GraphPlan =>
  planOf(definitionOf(graph), countDataOf(record), record.filters.timeRange);
