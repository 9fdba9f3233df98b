import type { Column } from "@fairway/contract/columns";
import { ownValue } from "@fairway/contract/records";
import type { ResultRow } from "@fairway/contract/search";
import { useMemo } from "react";
import { clampWidth, type ColumnLayout, visibleNames } from "./column-layout.ts";
import { fitWidths } from "./column-width.ts";

/** Extra padding that aligns the first cell with the page's other content. */
const firstCellExtraPx = 12;

/** Space for the pin icon in a pinned column's header. */
const pinIconPx = 18;

/** A visible column with its position in pixels from the left edge of the table. */
export interface PlacedColumn {
  column: Column;
  /** One-based, over every visible column. */
  index: number;
  left: number;
  width: number;
  /** The width in the layout, without the extra padding of the first cell. */
  ownWidth: number;
  isPinned: boolean;
  isFirst: boolean;
}

interface Placed {
  placed: readonly PlacedColumn[];
  totalWidth: number;
}

/** The visible columns in order, pinned ones first, with positions and widths. */
export function useTableColumns(columns: readonly Column[], rows: readonly ResultRow[], layout: ColumnLayout): Placed {
  // Fitted once to the first rows of a result; further pages do not change widths.
  const [firstRow] = rows;
  // oxlint-disable-next-line react/exhaustive-deps -- `rows` grows by pages; only a new first row means a new result
  const fittedWidths = useMemo(() => fitWidths(columns, rows), [columns, firstRow]);
  return useMemo(() => placeColumns(columns, layout, fittedWidths), [columns, layout, fittedWidths]);
}

function placeColumns(columns: readonly Column[], layout: ColumnLayout, fittedWidths: Readonly<Record<string, number>>): Placed {
  const byName = new Map(columns.map((column) => [column.name, column]));
  const placed: PlacedColumn[] = [];
  let left = 0;
  for (const name of visibleNames(layout)) {
    const column = byName.get(name);
    if (!column) continue;
    const isFirst = placed.length === 0;
    const isPinned = layout.pinned.has(name);
    const ownWidth = clampWidth(ownValue(layout.widths, name) ?? (fittedWidths[name] ?? 0) + (isPinned ? pinIconPx : 0));
    const width = ownWidth + (isFirst ? firstCellExtraPx : 0);
    placed.push({ column, index: placed.length + 1, left, width, ownWidth, isPinned, isFirst });
    left += width;
  }
  return { placed, totalWidth: left };
}
