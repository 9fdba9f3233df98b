import { type Column, isDay, isTimestamp } from "@fairway/contract/columns";
import { ownValue } from "@fairway/contract/records";
import type { ResultRow } from "@fairway/contract/search";
import { useMemo } from "react";
import { alignsRight, cellText, readsAsCode } from "#lib/text/cell-text.ts";
import type { CellsColumn } from "#ui/kit/use-cells.ts";
import { type Placed, placeColumns } from "#ui/kit/use-virtual-cells.ts";
import { clampWidth, type ColumnLayout, visibleNames } from "./column-layout.ts";
import { alignmentOf, fractionDigits } from "./fraction-digits.ts";

/** Extra padding that aligns the first cell with the page's other content. */
const firstCellExtraPx = 12;
/** Space for the pin icon in a pinned column's header. */
const pinIconPx = 18;

const paddingPx = 24;
/** The map pin beside coordinates. */
const pinPx = 36;
/** Digits, dashes and capitals are wider than other letters. */
const widePx = 8.8;
const characterPx = 7.4;
const headerCharacterPx = 6.8;
/** The sort arrow and the menu button beside the name. */
const headerToolsPx = 30;
const minWidth = 88;
const maxWidth = 340;
const timestampPx = 196;
const dayPx = 92;
const sampleRows = 50;

export interface TableColumn extends CellsColumn {
  column: Column;
}

/** The visible columns in order, pinned ones first, with positions and widths. */
export function useTableColumns(columns: readonly Column[], rows: readonly ResultRow[], layout: ColumnLayout): Placed<TableColumn>[] {
  // Fitted once to the first rows of a result; further pages do not change widths.
  const [firstRow] = rows;
  // oxlint-disable-next-line react/exhaustive-deps -- `rows` grows by pages; only a new first row means a new result
  const fitted = useMemo(() => fitWidths(columns, rows), [columns, firstRow]);
  return useMemo(() => {
    const byName = new Map(columns.map((column) => [column.name, column]));
    const shown = visibleNames(layout).flatMap((name): TableColumn[] => {
      const column = byName.get(name);
      if (!column) return [];
      const isPinned = layout.pinned.has(name);
      const width = clampWidth(ownValue(layout.widths, name) ?? (fitted[name] ?? 0) + (isPinned ? pinIconPx : 0));
      return [{ id: name, column, width, isPinned, align: alignsRight(column) ? "end" : undefined, mono: readsAsCode(column) }];
    });
    return placeColumns(shown, firstCellExtraPx);
  }, [columns, layout, fitted]);
}

/** Column widths that fit names and the first rows. Later pages do not change them. */
export function fitWidths(columns: readonly Column[], rows: readonly ResultRow[]): Record<string, number> {
  const sample = rows.slice(0, sampleRows);
  return Object.fromEntries(columns.map((column) => [column.name, fitWidth(column, sample)]));
}

function fitWidth(column: Column, sample: readonly ResultRow[]): number {
  const note = isTimestamp(column.type) ? "" : (column.unit ?? "");
  const header = (column.name.length + (note === "" ? 0 : note.length + 1)) * headerCharacterPx + headerToolsPx;
  const body = isDay(column) ? dayPx : isTimestamp(column.type) ? timestampPx : widestText(column, sample) + (column.combined ? pinPx : 0);
  return Math.round(Math.min(maxWidth, Math.max(minWidth, header + paddingPx, body + paddingPx)));
}

/** Widest text in pixels. */
function widestText(column: Column, sample: readonly ResultRow[]): number {
  // Before rows are loaded, guess by type so that the skeleton resembles the table.
  if (sample.length === 0) return (column.combined ? 20 : column.type === "STRING" ? 16 : 8) * characterPx;
  const digits = fractionDigits([column], sample).get(column.name);
  return sample.reduce((max, row) => {
    const text = cellText(column, row) ?? "";
    return Math.max(max, textPx(text + (alignmentOf(text, digits) ?? "")));
  }, 0);
}

function textPx(text: string): number {
  // Text this long exceeds the maximum width anyway.
  if (text.length * characterPx > maxWidth) return maxWidth;
  const wide = text.match(/[\dA-Z-]/g)?.length ?? 0;
  return wide * widePx + (text.length - wide) * characterPx;
}
