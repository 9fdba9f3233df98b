import { groupedRange } from "@fairway/contract/charts/graph-groups";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { fetchGraph } from "./graph-calls.ts";
import { requestKeyOf, type GraphPlan, createPlan } from "./graph-plan.ts";
import { startRequest, dropRequest, graphsIn, isCurrentRequest, storeGraph, newGraph, patchGraph, setGraphs } from "./graph-store.ts";
import { definitionOf, type Graph, type GraphData, type GraphDefinition } from "@fairway/contract/charts/graph";

/** Values that are there already, such as those of a preview, and the key of their request. */
export interface ComputedGraph {
  key: string;
  data: GraphData;
}

interface SaveOptions {
  /** The graph to replace; null for a new one. */
  id: string | null;
  hasWarned: boolean;
  computed?: ComputedGraph | null;
}

/** The graphs of an open search. Definitions survive reloads; late responses are ignored. */
export const openGraphs = {
  /** Adds a graph at the end or replaces the one with `id`, requests its values and returns its id. */
  save(searchId: string, definition: GraphDefinition, { id, hasWarned, computed = null }: SaveOptions): string | null {
    const record = findRecord(searchId);
    if (!record) return null;
    const all = graphsIn(searchId);
    const previous = all.find((graph) => graph.id === id);
    const stored = { id: previous?.id ?? crypto.randomUUID(), hasShownLargeGroupingWarning: hasWarned, isCancelled: false };
    const fresh = newGraph({ ...definition, ...stored }, record);
    // Another title, type or color needs no request; only groups and labels are recomputed.
    const plan = planFor(fresh, record);
    const key = requestKeyOf(plan);
    const isSameAsBefore = previous?.data && requestKeyOf(planFor(previous, record)) === key;
    const reusable = isSameAsBefore ? previous.data : computed?.key === key ? computed.data : null;
    const graph: Graph = { ...fresh, isZoomed: previous?.isZoomed ?? false, data: reusable && { ...reusable, groups: plan.groups } };
    const graphs = previous ? all.map((other) => (other === previous ? graph : other)) : [...all, graph];
    if (previous) dropRequest(searchId, previous.id);
    setGraphs(searchId, graphs);
    if (!graph.data) openGraphs.load(searchId, graph.id);
    return graph.id;
  },

  /** Returns what brings the graph back to its place, also after the search ran again. */
  remove(searchId: string, graphId: string): () => void {
    dropRequest(searchId, graphId);
    const all = graphsIn(searchId);
    const run = findRecord(searchId)?.run;
    const index = all.findIndex(({ id }) => id === graphId);
    const removed = all[index];
    setGraphs(searchId, all.toSpliced(index, removed ? 1 : 0));
    return () => {
      const record = findRecord(searchId);
      if (!record || !removed) return;
      const restored = removed.data && record.run === run ? removed : newGraph(removed, record);
      setGraphs(searchId, graphsIn(searchId).toSpliced(index, 0, restored));
      if (needsLoading(restored)) openGraphs.load(searchId, graphId);
    };
  },

  /** Zooms one graph, or none. */
  zoom(searchId: string, graphId: string | null): void {
    for (const { id } of graphsIn(searchId)) patchGraph(searchId, id, { isZoomed: id === graphId });
  },

  /** Requests the values, also again after a failure. */
  load(searchId: string, graphId: string): void {
    const record = findRecord(searchId);
    const graph = graphsIn(searchId).find(({ id }) => id === graphId);
    if (!record || !graph) return;
    const plan = planFor(graph, record);
    const run = startRequest(searchId, graphId);
    storeGraph(searchId, graphId, {
      isLoading: true,
      isCancelled: false,
      hasLoadingError: false,
      loadingErrors: [],
      data: null,
      startedMs: Date.now(),
      progress: { done: 0, of: plan.values },
      searchPayload: plan.search,
    });
    const settle = (patch: Partial<Graph>): void => {
      if (!isCurrentRequest(searchId, graphId, run)) return;
      dropRequest(searchId, graphId);
      patchGraph(searchId, graphId, { ...patch, isLoading: false, startedMs: null });
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

  /** Records that the warning about many groupings was shown, so that it is not repeated. */
  setWarned(searchId: string, graphId: string): void {
    storeGraph(searchId, graphId, { hasShownLargeGroupingWarning: true });
  },

  /** Cancels a run. The graph offers to start again, also after a reload. */
  cancel(searchId: string, graphId: string): void {
    dropRequest(searchId, graphId);
    storeGraph(searchId, graphId, { isLoading: false, isCancelled: true, startedMs: null });
  },

  /** Requests the values of graphs restored by a reload. */
  loadMissing(searchId: string): void {
    for (const graph of graphsIn(searchId)) if (needsLoading(graph)) openGraphs.load(searchId, graph.id);
  },
};

/** Whether its values have not been requested yet. */
export const needsLoading = ({ data, isLoading, isCancelled, hasLoadingError }: Graph): boolean =>
  data === null && !isLoading && !isCancelled && !hasLoadingError;

/** The request of the graph for this search. */
export const planFor = (graph: GraphDefinition, record: SearchRecord): GraphPlan =>
  createPlan(definitionOf(graph), countDataOf(record), groupedRange(record.filters, record.datasetDescription));
