import type { Column } from "@fairway/contract/columns";
import { type CellFormat, cellText } from "./cell-export.ts";
import { rowsText } from "./dot-export.ts";
import type { ShownCells } from "./use-cells.ts";

type Shown = Pick<ShownCells, "loaded" | "inView" | "placed">;

/** Writes what a map shows: the cells in view, or the rows that are shown one by one. Null without any. */
export function shownExport({ loaded, inView, placed }: Shown, columns: readonly Column[]): ((format: CellFormat) => string) | null {
  if (loaded === null || inView.length === 0) return null;
  const { content } = loaded;
  return (format) => (content.kind === "cells" ? cellText(content.cells, inView, format) : rowsText(placed, inView, columns, format));
}
