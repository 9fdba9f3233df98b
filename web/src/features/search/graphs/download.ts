import { safeFileName } from "@fairway/contract/file-names";
import { downloadBlob } from "#lib/download.ts";
import { pictureOf } from "#features/search/graphs/chart/engine.ts";
import { inkOf } from "#features/search/graphs/chart/ink.ts";
import { chartOption } from "#features/search/graphs/chart/option.ts";
import { graphCsv } from "#features/search/graphs/model/graph-csv.ts";
import type { GraphModel } from "#features/search/graphs/model/graph-model.ts";
import type { Graph } from "#features/search/graphs/model/graph.ts";

export type GraphFile = "png" | "svg" | "csv";

/** Saves a graph as `dataset_title`: its picture in the page's colors, or its numbers. */
export async function downloadGraph(graph: Graph, model: GraphModel, format: GraphFile): Promise<void> {
  const name = safeFileName(`${graph.datasetId}_${graph.title}.${format}`);
  downloadBlob(
    format === "csv" ? new Blob([graphCsv(model)], { type: "text/csv;charset=utf-8" }) : await picture(graph, model, format),
    name,
  );
}

function picture(graph: Graph, model: GraphModel, format: "png" | "svg"): Promise<Blob> {
  const look = { ink: inkOf(document.documentElement), description: graph.title, hidden: new Set<number>(), alone: { title: graph.title } };
  return pictureOf(chartOption(graph, model, look), format);
}
