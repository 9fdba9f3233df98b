import { safeFileName } from "@fairway/contract/file-names";
import { escapeFormula } from "@fairway/contract/formula-text";
import { csvLine } from "#parts/result-export/csv.ts";
import { boxOfCell, cellAt, type CellSet, valueAt } from "./cell-set.ts";

export type CellFormat = "csv" | "geojson";

export const cellFormats: Readonly<Record<CellFormat, { readonly label: string; readonly mime: string }>> = {
  csv: { label: "CSV", mime: "text/csv;charset=utf-8" },
  geojson: { label: "GeoJSON", mime: "application/geo+json" },
};

/** `category_datasetId_cells.csv`. */
export const cellFileName = (category: string, datasetId: string, what: "cells" | "rows", format: CellFormat): string =>
  safeFileName(`${category}_${datasetId}_${what}.${format}`);

/** Writes cells with their boxes in degrees, rows and the value of the measure. */
export function cellText(set: CellSet, indexes: ArrayLike<number>, format: CellFormat): string {
  return format === "csv" ? csvOf(set, indexes) : geoJsonOf(set, indexes);
}

function csvOf(set: CellSet, indexes: ArrayLike<number>): string {
  const { measure } = set;
  const heads = measure === null ? [] : [`count(${measure.column})`, `${measure.aggregation}(${measure.column})`];
  const lines = [csvLine(["west", "south", "east", "north", "rows", ...heads.map(escapeFormula)])];
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] ?? 0;
    const box = boxOfCell(cellAt(set, index));
    const values = set.values === null ? [] : [set.counted?.[index] ?? 0, valueAt(set, index) ?? ""];
    lines.push(csvLine([...box, set.rows[index] ?? 0, ...values].map(String)));
  }
  return lines.join("");
}

function geoJsonOf(set: CellSet, indexes: ArrayLike<number>): string {
  const { measure, values, counted } = set;
  const features: string[] = [];
  for (let at = 0; at < indexes.length; at++) {
    const index = indexes[at] ?? 0;
    const cell = cellAt(set, index);
    const [west, south, east, north] = boxOfCell(cell);
    const ring = [
      [west, south],
      [east, south],
      [east, north],
      [west, north],
      [west, south],
    ];
    const measured =
      measure === null || values === null
        ? {}
        : { counted: counted?.[index] ?? 0, [`${measure.aggregation}(${measure.column})`]: valueAt(set, index) };
    features.push(
      JSON.stringify({
        type: "Feature",
        id: `${cell.level}/${cell.x}/${cell.y}`,
        geometry: { type: "Polygon", coordinates: [ring] },
        properties: { rows: set.rows[index] ?? 0, ...measured },
      }),
    );
  }
  return featureCollection(features);
}

/** A GeoJSON file of features that are written already. */
export const featureCollection = (features: readonly string[]): string =>
  `{"type":"FeatureCollection","features":[\n${features.join(",\n")}\n]}\n`;
