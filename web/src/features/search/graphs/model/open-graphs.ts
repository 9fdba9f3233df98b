import { messagesOf } from "#lib/gateway-error.ts";
import { findRecord, patchRecord } from "#parts/open-searches/records.ts";
import { countDataOf } from "#parts/open-searches/search-data.ts";
import type { SearchRecord } from "#parts/open-searches/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { fetchGraph } from "./graph-calls.ts";
import { asksTheSame, type GraphPlan, planOf } from "./graph-plan.ts";
import { beginGraphRun, dropGraphRun, isCurrentGraphRun } from "#parts/graphs/graph-runs.ts";
import { newGraph } from "#parts/graphs/graph-record.ts";
import { definitionOf, type Graph, type GraphDefinition } from "#parts/graphs/graph.ts";

/** The graphs of an open search. Definitions are kept over a reload; a late answer is not heard. */
export const openGraphs = {
  /** Adds a graph at the end, or puts it in the place of the one with `id`, and asks for its values. Answers its id. */
  save(searchId: string, definition: GraphDefinition, { id, hasWarned }: { id: string | null; hasWarned: boolean }): string | null {
    const record = findRecord(searchId);
    if (!record) return null;
    const before = record.graphs.find((graph) => graph.id === id);
    const asNew = { id: before?.id ?? crypto.randomUUID(), hasShownLargeGroupingWarning: hasWarned, isCancelled: false };
    const fresh = newGraph({ ...definition, ...asNew }, record);
    // Another title, type or colour asks for nothing: only groups and labels are read anew.
    const plan = planFor(fresh, record);
    const same = before?.data && asksTheSame(plan, planFor(before, record)) ? before.data : null;
    const graph: Graph = { ...fresh, isZoomed: before?.isZoomed ?? false, data: same && { ...same, groups: plan.groups } };
    const graphs = before ? record.graphs.map((other) => (other === before ? graph : other)) : [...record.graphs, graph];
    if (before) dropGraphRun(searchId, before.id);
    openSearches.setGraphs(searchId, graphs);
    if (!graph.data) openGraphs.load(searchId, graph.id);
    return graph.id;
  },

  remove(searchId: string, graphId: string): void {
    dropGraphRun(searchId, graphId);
    const graphs = findRecord(searchId)?.graphs.filter(({ id }) => id !== graphId);
    if (graphs) openSearches.setGraphs(searchId, graphs);
  },

  /** One graph fills the view, or none. */
  zoom(searchId: string, graphId: string | null): void {
    for (const { id } of findRecord(searchId)?.graphs ?? []) patchGraph(searchId, id, { isZoomed: id === graphId });
  },

  /** Asks for the values, again after a failure. */
  load(searchId: string, graphId: string): void {
    const record = findRecord(searchId);
    const graph = record?.graphs.find(({ id }) => id === graphId);
    if (!record || !graph) return;
    const plan = planFor(graph, record);
    const run = beginGraphRun(searchId, graphId);
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
      if (!isCurrentGraphRun(searchId, graphId, run)) return;
      dropGraphRun(searchId, graphId);
      patchGraph(searchId, graphId, { ...change, isLoading: false, startedMs: null });
    };
    const onProgress = (done: number): void => {
      if (isCurrentGraphRun(searchId, graphId, run)) patchGraph(searchId, graphId, { progress: { done, of: plan.values } });
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
    dropGraphRun(searchId, graphId);
    keepGraph(searchId, graphId, { isLoading: false, isCancelled: true, startedMs: null });
  },

  /** Graphs that came back with a reload have no values yet. */
  loadWaiting(searchId: string): void {
    for (const graph of findRecord(searchId)?.graphs ?? []) if (isWaiting(graph)) openGraphs.load(searchId, graph.id);
  },
};

/** Nothing has been asked for it yet. */
export const isWaiting = ({ data, isLoading, isCancelled, hasLoadingError }: Graph): boolean =>
  data === null && !isLoading && !isCancelled && !hasLoadingError;

const planFor = (graph: GraphDefinition, record: SearchRecord): GraphPlan =>
  planOf(definitionOf(graph), countDataOf(record), record.filters.timeRange);

/** A change that the tab keeps over a reload. */
function keepGraph(searchId: string, graphId: string, change: Partial<Graph>): void {
  patchGraph(searchId, graphId, change);
  const graphs = findRecord(searchId)?.graphs;
  if (graphs) openSearches.setGraphs(searchId, graphs);
}

function patchGraph(searchId: string, graphId: string, change: Partial<Graph>): void {
  const graphs = findRecord(searchId)?.graphs ?? [];
  const at = graphs.findIndex(({ id }) => id === graphId);
  const graph = graphs[at];
  if (graph) patchRecord(searchId, { graphs: graphs.with(at, { ...graph, ...change }) });
}
