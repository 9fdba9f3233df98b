import { useMemo } from "react";
import { z } from "zod";
import { create } from "zustand";
import { graphsExtension } from "#features/search/search-extensions.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { definitionOf, type Graph, type StoredGraph, storedGraph } from "@fairway/contract/charts/graph";

/** The graphs of one run of a search; a new run starts without them. */
interface RunGraphs {
  readonly run: number;
  readonly graphs: readonly Graph[];
}

const useGraphStore = create<{ readonly bySearch: ReadonlyMap<string, RunGraphs> }>(() => ({ bySearch: new Map() }));

/** Running requests by search and graph, at most one per graph. */
const requests = new Map<string, Map<string, AbortController>>();

/** The graphs of an open search. */
export function useGraphs(record: SearchRecord): readonly Graph[] {
  const entry = useGraphStore(({ bySearch }) => bySearch.get(record.id));
  return useMemo(() => graphsOf(record, entry), [record, entry]);
}

export function graphsIn(searchId: string): readonly Graph[] {
  const record = findRecord(searchId);
  return record ? graphsOf(record, useGraphStore.getState().bySearch.get(searchId)) : [];
}

function graphsOf(record: SearchRecord, entry: RunGraphs | undefined): readonly Graph[] {
  if (entry?.run === record.run) return entry.graphs;
  const stored = z.array(storedGraph).safeParse(sliceOf(record, graphsExtension));
  return stored.success ? stored.data.map((graph) => newGraph(graph, record)) : [];
}

/** A graph without values or requests. */
export const newGraph = (stored: StoredGraph, { datasetDescription }: Pick<SearchRecord, "datasetDescription">): Graph => ({
  ...stored,
  data: null,
  isLoading: false,
  hasLoadingError: false,
  loadingErrors: [],
  startedMs: null,
  progress: { done: 0, of: 0 },
  isZoomed: false,
  searchPayload: {},
  datasetCategory: datasetDescription.category.id,
  datasetId: datasetDescription.datasetId,
});

/** Replaces the graphs of a search; their definitions survive reloads. */
export function setGraphs(searchId: string, graphs: readonly Graph[]): void {
  showGraphs(searchId, graphs);
  openSearches.setSlice(
    searchId,
    graphsExtension,
    graphs.map(({ id, hasShownLargeGroupingWarning, isCancelled, ...graph }) => ({
      ...definitionOf(graph),
      id,
      hasShownLargeGroupingWarning,
      isCancelled,
    })),
  );
}

/** Changes a graph in memory only. */
export function patchGraph(searchId: string, graphId: string, patch: Partial<Graph>): void {
  showGraphs(searchId, withPatch(graphsIn(searchId), graphId, patch));
}

/** Changes a graph, including its stored definition. */
export function storeGraph(searchId: string, graphId: string, patch: Partial<Graph>): void {
  setGraphs(searchId, withPatch(graphsIn(searchId), graphId, patch));
}

const withPatch = (graphs: readonly Graph[], graphId: string, patch: Partial<Graph>): readonly Graph[] =>
  graphs.map((graph) => (graph.id === graphId ? { ...graph, ...patch } : graph));

function showGraphs(searchId: string, graphs: readonly Graph[]): void {
  const record = findRecord(searchId);
  if (!record) return;
  useGraphStore.setState(({ bySearch }) => ({ bySearch: new Map(bySearch).set(searchId, { run: record.run, graphs }) }));
}

/** Starts a request for a graph, replacing a running one. */
export function startRequest(searchId: string, graphId: string): AbortController {
  dropRequest(searchId, graphId);
  const controller = new AbortController();
  requests.set(searchId, (requests.get(searchId) ?? new Map<string, AbortController>()).set(graphId, controller));
  return controller;
}

export const isCurrentRequest = (searchId: string, graphId: string, request: AbortController): boolean =>
  requests.get(searchId)?.get(graphId) === request;

/** Aborts a graph's request silently. */
export function dropRequest(searchId: string, graphId: string): void {
  requests.get(searchId)?.get(graphId)?.abort();
  requests.get(searchId)?.delete(graphId);
}

// Drop graphs and requests of searches that were closed or run again.
useOpenSearches.subscribe(({ records }) => {
  for (const [searchId, { run }] of useGraphStore.getState().bySearch) {
    if (records.some((record) => record.id === searchId && record.run === run)) continue;
    for (const request of requests.get(searchId)?.values() ?? []) request.abort();
    requests.delete(searchId);
    useGraphStore.setState(({ bySearch }) => ({ bySearch: new Map([...bySearch].filter(([id]) => id !== searchId)) }));
  }
});
