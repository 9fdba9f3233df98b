import type { Point } from "@fairway/contract/areas";
import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { toCsv } from "#parts/result-export/csv.ts";
import { type CellFormat, cellText, featureCollection } from "./cell-export.ts";
import type { ShownCells } from "./use-cells.ts";

type Shown = Pick<ShownCells, "loaded" | "inView" | "placed">;

/** Writes what a map shows: the cells in view, or the rows that are shown one by one. Null without any. */
export function shownExport({ loaded, inView, placed }: Shown, columns: readonly Column[]): ((format: CellFormat) => string) | null {
  if (loaded === null || inView.length === 0) return null;
  const { content } = loaded;
  return (format) => (content.kind === "cells" ? cellText(content.cells, inView, format) : rowsText(placed, inView, columns, format));
}

interface PlacedRows {
  readonly rows: readonly ResultRow[];
  readonly points: readonly Point[];
}

/** Writes rows that a map shows one by one, with the columns that it has of them. Positions of GeoJSON are within 180 degrees. */
export function rowsText({ rows, points }: PlacedRows, indexes: ArrayLike<number>, columns: readonly Column[], format: CellFormat): string {
  const chosen = Array.from(indexes);
  if (format === "csv") {
    const [first = {}] = rows;
    const plain = columns.filter(({ name, combined }) => combined === null && name in first);
    return toCsv(
      plain,
      chosen.map((index) => rows[index] ?? {}),
    );
  }
  const features = chosen.flatMap((index) => {
    const point = points[index];
    if (point === undefined) return [];
    const geometry = { type: "Point", coordinates: [point.lng > 180 ? point.lng - 360 : point.lng, point.lat] };
    return [JSON.stringify({ type: "Feature", geometry, properties: rows[index] ?? {} })];
  });
  return featureCollection(features);
}
