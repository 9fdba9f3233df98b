import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from "react";
import { pressed } from "#ui/shortcut-keys.ts";
import { type SizedColumn, useVirtualCells, type VirtualCells } from "./use-virtual-cells.ts";

/** Row 0 is the header. */
type GridPosition = Record<"row" | "column", number>;
/** Rows do not count the header; a page is what a screen holds of them. */
type GridSize = Record<"rows" | "columns" | "page", number>;
type KeyPress = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey">;

/** The position after a key; null for keys that do not move. At an edge the position stays the same. */
export function nextPosition(keyPress: KeyPress, { row, column }: GridPosition, size: GridSize): GridPosition | null {
  const { rows, columns, page } = size;
  if (keyPress.altKey || keyPress.shiftKey) return null;
  const toEdge = keyPress.ctrlKey || keyPress.metaKey;
  const clampTo = (nextRow: number, nextColumn: number): GridPosition => ({
    row: Math.min(rows, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  });
  switch (keyPress.key) {
    case "ArrowUp":
      return clampTo(toEdge ? 1 : row - 1, column);
    case "ArrowDown":
      return clampTo(toEdge ? rows : row + 1, column);
    case "ArrowLeft":
      return clampTo(row, toEdge ? 0 : column - 1);
    case "ArrowRight":
      return clampTo(row, toEdge ? columns - 1 : column + 1);
    case "Home":
      return toEdge ? clampTo(Math.min(1, rows), 0) : clampTo(row, 0);
    case "End":
      return toEdge ? clampTo(rows, columns - 1) : clampTo(row, columns - 1);
    case "PageUp":
      return clampTo(Math.max(Math.min(1, rows), row - page), column);
    case "PageDown":
      return clampTo(row + page, column);
    default:
      return null;
  }
}

/** By how many pixels a key on a header resizes its column; undefined for other keys. */
export function resizedBy(event: KeyPress): number | undefined {
  const key = pressed(event, "table.resizeColumn");
  return key === null ? undefined : key === "Shift+ArrowLeft" ? -16 : 16;
}

/** A cell: row 0 is the header, row n the nth loaded row; columns are identified by their ids, null if there are none. */
export interface CellAt {
  row: number;
  column: string | null;
}

export interface CellsColumn extends SizedColumn {
  isPinned: boolean;
  align: "end" | undefined;
  mono: boolean;
}

export type Cells<Column extends CellsColumn> = ReturnType<typeof useCells<Column>>;

/** Virtual cells of which one is the tab stop, which the keys of a `CellsTable` move. */
export function useCells<Column extends CellsColumn>({ columns, count, ...sizes }: Omit<VirtualCells<Column>, "kept">) {
  const [requested, setRequested] = useState<CellAt>({ row: 0, column: null });
  const pendingFocus = useRef(false);
  const ids = useMemo(() => columns.map(({ id }) => id), [columns]);
  // If columns or rows disappear, the nearest remaining cell becomes active.
  const column = requested.column !== null && ids.includes(requested.column) ? requested.column : (ids[0] ?? null);
  const row = Math.min(requested.row, count);
  const virtual = useVirtualCells({ columns, count, ...sizes, kept: { row: row - 1, column } });
  const { scroller, down, across, center } = virtual;

  useLayoutEffect(() => {
    if (!pendingFocus.current) return;
    pendingFocus.current = false;
    cellAt(scroller.current, { row, column })?.focus({ preventScroll: true });
  });

  /** Makes a cell the tab stop; with `take` it also receives the focus. */
  const moveTo = useCallback((cell: CellAt, { take }: { take: boolean }) => {
    if (take) pendingFocus.current = true;
    setRequested((before) => (before.row === cell.row && before.column === cell.column && !take ? before : cell));
  }, []);
  const reveal = useCallback(
    ({ row: wanted, column: id }: CellAt) => {
      if (wanted > 0) down.scrollToIndex(wanted - 1);
      else down.scrollToOffset(0);
      const index = center.findIndex((candidate) => candidate.id === id);
      if (index >= 0) across.scrollToIndex(index);
    },
    [down, across, center],
  );
  /** Makes another row active and brings it into view, in the same column and without moving the focus. */
  const follow = useCallback(
    (next: number) => {
      down.scrollToIndex(next - 1);
      setRequested((before) => (before.row === next ? before : { ...before, row: next }));
    },
    [down],
  );
  return { ...virtual, ids, columns, active: { row, column }, moveTo, reveal, follow };
}

export function cellAt(scroller: HTMLElement | null, { row, column }: CellAt): HTMLElement | null {
  return column === null ? null : (scroller?.querySelector(`[data-row="${row}"][data-column="${CSS.escape(column)}"]`) ?? null);
}

/** The cell that an element is in. */
export function cellOf(target: EventTarget): { row: number; column: string } | null {
  const cell = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  const column = cell?.dataset["column"];
  return cell === null || column === undefined ? null : { row: Number(cell.dataset["row"]), column };
}
