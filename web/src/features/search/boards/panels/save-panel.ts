import type { BreakdownAnswer } from "@fairway/contract/breakdowns";
import { escapeFormula } from "@fairway/contract/formula-text";
import { safeFileName } from "@fairway/contract/file-names";
import { downloadBlob } from "#lib/browser/download.ts";
import { isDay } from "@fairway/contract/columns";
import { timeText } from "#lib/text/cell-text.ts";
import { downloadGraph } from "#features/search/graphs/download.ts";
import { modelOf } from "@fairway/contract/charts/graph-model";
import { pictureFoot } from "#features/search/pictures/picture-foot.ts";
import { mapCaption } from "#features/search/map/recording/map-caption.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import { pictureOf } from "#features/search/map/recording/save-picture.ts";
import { entryLabel } from "@fairway/contract/charts/figures";
import { csvLine, toCsv } from "#parts/result-export/csv.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { PanelData } from "./load-panel.ts";
import { type SearchPanel, shownColumns, shownTimeMs } from "./panel-search.ts";

// Loaded when something is saved.

export type PanelFile = "png" | "svg" | "csv";

interface Shown {
  panel: SearchPanel;
  record: SearchRecord;
  data: PanelData;
  /** Null unless a map is drawn. */
  map: DrawnMap | null;
  /** Of a map of all rows. */
  rowsCsv: (() => string) | null;
  /** In which times are written. */
  zone: string;
}

/** Saves what a panel shows as a file: its picture, for maps as they are in view, or its data. */
export async function savePanel(format: PanelFile, { panel, record, data, map, rowsCsv, zone }: Shown): Promise<void> {
  const fileName = safeFileName(`${panel.dataset.datasetId}_${panel.title}.${format}`);
  if (data.kind === "summary") {
    downloadBlob(new Blob([summaryCsv(data.answer, record)], { type: "text/csv;charset=utf-8" }), fileName);
  } else if (data.kind === "graph") {
    const model = modelOf(data.graph, record.datasetDescription.schema.columns);
    if (model) await downloadGraph(data.graph, model, format, record);
  } else if (data.kind === "rows") {
    if (format === "csv") {
      if (rowsCsv !== null) downloadBlob(new Blob([rowsCsv()], { type: "text/csv;charset=utf-8" }), fileName);
    } else if (map !== null) downloadBlob(await pictureOf(map, mapCaption(panel.title), "", pictureFoot(record)), fileName);
  } else if (format === "csv") {
    downloadBlob(new Blob([csvOf(panel, record, data)], { type: "text/csv;charset=utf-8" }), fileName);
  } else if (data.kind === "map" && map !== null) {
    const { time } = data.list.fields;
    const shown = timeText(time, shownTimeMs(record, data.list), zone) ?? "";
    downloadBlob(await pictureOf(map, mapCaption(panel.title), isDay(time) ? shown : `${shown} ${zone}`, pictureFoot(record)), fileName);
  }
}

/** A line for each cell: its groups as they are shown, and its figures. */
function summaryCsv({ by, measures, cells }: BreakdownAnswer, { datasetDescription: { schema } }: SearchRecord): string {
  const nameOf = (place: number | undefined, index: number): string => {
    const axis = by[index];
    const entry = place === undefined ? undefined : axis?.entries[place];
    return axis === undefined || entry === undefined ? "" : entryLabel(entry, axis, schema.columns);
  };
  const lines = cells.map(({ at, values }) => [...at.map(nameOf), ...values.map((value) => String(value ?? ""))]);
  return [[...by.map(({ id }) => id), ...measures.map(({ id }) => id)], ...lines].map((line) => csvLine(line.map(guarded))).join("");
}

const guarded = (text: string): string => (Number.isNaN(Number(text)) ? escapeFormula(text) : text);

function csvOf({ title }: SearchPanel, record: SearchRecord, data: Exclude<PanelData, { kind: "graph" | "summary" | "rows" }>): string {
  if (data.kind === "number") return csvLine([title]) + csvLine([String(data.value ?? "")]);
  return toCsv(shownColumns(record), data.kind === "table" ? data.rows : data.list.items.map(({ row }) => row));
}
