import type { DatasetDescription } from "@fairway/contract/datasets";
import type { Graph, StoredGraph } from "./graph.ts";

/** A graph that nothing has been asked for yet. */
export const newGraph = (stored: StoredGraph, { datasetDescription }: { datasetDescription: DatasetDescription }): Graph => ({
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
