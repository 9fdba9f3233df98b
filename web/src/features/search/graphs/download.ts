import { safeFileName } from "@fairway/contract/file-names";
import { downloadBlob } from "#lib/browser/download.ts";
import { pictureSize, renderPicture } from "#features/search/graphs/chart/engine.ts";
import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { chartOption } from "@fairway/contract/charts/option";
import { graphCsv } from "#features/search/graphs/model/graph-csv.ts";
import type { GraphModel } from "@fairway/contract/charts/graph-model";
import type { Graph } from "@fairway/contract/charts/graph";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

export type GraphFile = "png" | "svg" | "csv";

/** Saves a graph as `dataset_title`: as a picture in the current theme, with the search of `record` below, or its values as CSV. */
export async function downloadGraph(graph: Graph, model: GraphModel, format: GraphFile, record: SearchRecord): Promise<void> {
  const name = safeFileName(`${graph.datasetId}_${graph.title}.${format}`);
  downloadBlob(
    format === "csv" ? new Blob([graphCsv(model)], { type: "text/csv;charset=utf-8" }) : await picture(graph, model, format, record),
    name,
  );
}

function picture(graph: Graph, model: GraphModel, format: "png" | "svg", record: SearchRecord): Promise<Blob> {
  const theme = readChartTheme(document.documentElement);
  const context = {
    theme,
    description: graph.title,
    hidden: new Set<number>(),
    standalone: { title: graph.title, widthPx: pictureSize.width },
  };
  return renderPicture(chartOption(graph, model, context), format, pictureFoot(record), theme);
}
