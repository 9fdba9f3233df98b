import { isJsonObject } from "@fairway/contract/json";
import { z } from "zod";
import { graphsExtension, summariesExtension } from "#features/search/search-extensions.ts";
import { addSummaries, summariesOf } from "#features/search/summaries/model/summary-store.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { droppedExtension, sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { graphsIn, newGraph, setGraphs } from "./model/graph-store.ts";
import { storedGraph } from "@fairway/contract/charts/graph";

/** The graphs and summaries that the last reruns of a search removed. */
export function droppedGraphs(record: SearchRecord) {
  const dropped = sliceOf(record, droppedExtension);
  const slices = isJsonObject(dropped) ? dropped : {};
  const graphs = z.array(storedGraph).safeParse(slices[graphsExtension.key]);
  return { graphs: graphs.success ? graphs.data : [], summaries: summariesOf(slices[summariesExtension.key]) };
}

/** Adds them to the search as it is now. Graphs request their values as soon as they are shown. */
export function drawAgain(searchId: string): void {
  const record = findRecord(searchId);
  if (!record) return;
  const { graphs, summaries } = droppedGraphs(record);
  const present = graphsIn(searchId);
  const added = graphs.filter(({ id }) => present.every((graph) => graph.id !== id));
  if (added.length > 0) setGraphs(searchId, [...present, ...added.map((graph) => newGraph({ ...graph, isCancelled: false }, record))]);
  addSummaries(searchId, summaries);
  openSearches.setSlice(searchId, droppedExtension, undefined);
}
