import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { mostBars } from "@fairway/contract/charts/chart-model";
import { drawingOf, drawingOption } from "@fairway/contract/charts/drawing";
import { sentenceOf } from "@fairway/contract/charts/sentence";
import { type SummaryTable, summaryTable } from "@fairway/contract/charts/summary-table";
import { safeFileName } from "@fairway/contract/file-names";
import { readChartTheme } from "#features/search/graphs/chart/chart-theme.ts";
import { pictureSize, renderPicture } from "#features/search/graphs/chart/engine.ts";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import { rasterized, svgBlob, svgPicture } from "#features/search/pictures/svg-picture.ts";
import { type DrawnTable, tablePicture } from "#features/search/pictures/table-picture.ts";
import { downloadBlob } from "#lib/browser/download.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { StoredSummary } from "./model/summary.ts";

/** Wider tables are drawn with so many columns. */
const mostColumns = 60;

interface Drawn {
  record: SearchRecord;
  summary: StoredSummary;
  title: string;
  answer: BreakdownAnswer;
}

/** Saves a summary as `dataset_title`: its chart, or its table where that is the chart, with what it says and its search below. */
export async function downloadSummary({ record, summary, title, answer }: Drawn, format: "png" | "svg"): Promise<void> {
  const { schema, datasetId } = record.datasetDescription;
  const { breakdown } = summary;
  const theme = readChartTheme(document.documentElement);
  const chart = drawingOf(summary, answer, schema.columns);
  const table =
    chart === null
      ? summaryTable(summary, answer, schema.columns, { rows: mostBars, columns: mostColumns, hasChanges: false, verb: "drawn" })
      : null;
  const note = chart?.note ?? table?.note ?? null;
  const foot = [
    sentenceOf(breakdown, answer, record.datasetDescription.schema.columns),
    ...(note === null ? [] : [note]),
    ...pictureFoot(record),
  ];
  const save = (blob: Blob) => downloadBlob(blob, safeFileName(`${datasetId}_${title}.${format}`));
  if (chart !== null) {
    const option = drawingOption(chart.drawing, { theme, description: title, standalone: { title, widthPx: pictureSize.width } });
    save(await renderPicture(option, format, foot, theme));
  } else if (table !== null) {
    const { content, ...size } = tablePicture(drawnTable(title, table), theme);
    const picture = svgPicture(content, size, foot, theme);
    save(format === "svg" ? svgBlob(picture.svg) : await rasterized(picture));
  }
}

function drawnTable(title: string, { heads, lines }: SummaryTable): DrawnTable {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string): string => style.getPropertyValue(name).trim();
  const hues = { up: color("--c2"), down: color("--c1") };
  const drawn = lines.map((line) =>
    line.map(({ shade, ...cell }) => ({ ...cell, shade: shade && { color: hues[shade.hue], opacity: shade.percent / 100 } })),
  );
  return { title, heads, lines: drawn, barColor: color("--c1") };
}
