import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ColumnActions } from "./column-actions.ts";
import { type ResultTableProps, rowHeights } from "./table-props.ts";
import { pressed } from "#ui/shortcut-keys.ts";

/** A position in the grid. Row 0 is the header. */
export interface GridPosition {
  row: number;
  column: number;
}

export interface GridSize {
  /** Without the header. */
  rows: number;
  columns: number;
  /** Rows per screen. */
  page: number;
}

interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** The position after a key; null for keys that do not move. At an edge the position stays the same. */
export function nextPosition(keyPress: KeyPress, { row, column }: GridPosition, { rows, columns, page }: GridSize): GridPosition | null {
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

/** A cell: row 0 is the header, row n the nth loaded row; columns are identified by name, null if there are none. */
export interface ActiveCell {
  row: number;
  column: string | null;
}

export interface GridFocus {
  active: ActiveCell;
  /** Makes a cell focusable; with `take` it also receives the focus. */
  moveTo: (cell: ActiveCell, options: { take: boolean }) => void;
  /** Makes another row active, in the same column, without moving the focus. */
  followRow: (row: number) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** Roving tabindex: one cell is in the tab order; arrow keys move it. */
export function useGridFocus({
  scroller,
  names,
  rowCount,
}: {
  scroller: RefObject<HTMLElement | null>;
  names: readonly string[];
  rowCount: number;
}): GridFocus {
  const [requested, setRequested] = useState<ActiveCell>({ row: 0, column: null });
  const pendingFocus = useRef(false);
  // If columns or rows disappear, the nearest remaining cell becomes active.
  const column = requested.column !== null && names.includes(requested.column) ? requested.column : (names[0] ?? null);
  const row = Math.min(requested.row, rowCount);

  useLayoutEffect(() => {
    if (!pendingFocus.current) return;
    pendingFocus.current = false;
    cellAt(scroller.current, { row, column })?.focus({ preventScroll: true });
  });

  const moveTo = useCallback((cell: ActiveCell, { take }: { take: boolean }) => {
    pendingFocus.current = take;
    setRequested(cell);
  }, []);
  const onFocus = useCallback((event: FocusEvent<HTMLElement>) => {
    const cell = event.target.closest<HTMLElement>("[data-row]");
    const name = cell?.dataset["column"];
    if (cell && name !== undefined) setRequested({ row: Number(cell.dataset["row"]), column: name });
  }, []);
  const followRow = useCallback(
    (next: number) => setRequested((previous) => (previous.row === next ? previous : { ...previous, row: next })),
    [],
  );
  return { active: { row, column }, moveTo, followRow, onFocus };
}

export function cellAt(scroller: HTMLElement | null, { row, column }: ActiveCell): HTMLElement | null {
  return column === null ? null : (scroller?.querySelector(`[data-row="${row}"][data-column="${CSS.escape(column)}"]`) ?? null);
}

const resizeStepPx = 16;

type Options = Pick<
  ResultTableProps,
  "columns" | "rows" | "selectedRow" | "onSelectRow" | "onSort" | "onCopyCell" | "onScrolledPast" | "rowSize" | "onMark"
> & {
  focus: GridFocus;
  names: readonly string[];
  actions: ColumnActions;
  reveal: (row: number, column: string | null) => void;
  scroller: RefObject<HTMLElement | null>;
};

/**
 * Keys of the ARIA grid pattern, plus header keys: Enter sorts, Alt+Down opens the menu, Alt+arrows move and
 * Shift+arrows resize the column.
 */
export function useGridKeys(options: Options): (event: KeyboardEvent<HTMLElement>) => void {
  const { columns, rows, selectedRow, focus, names, actions, reveal, scroller } = options;
  return (event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    // Menus and buttons within cells handle their own keys.
    if (target === null || target.dataset["row"] === undefined) return;
    const { row, column } = focus.active;
    if (column === null) return;
    if (row === 0 ? headerKey(event, column) : cellKey(event, row - 1, column)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeights[options.rowSize]) - 2);
    const next = nextPosition(event, { row, column: names.indexOf(column) }, { rows: rows.length, columns: names.length, page });
    const nextName = next ? names[next.column] : undefined;
    if (!next || nextName === undefined) return;
    event.preventDefault();
    if (row === rows.length && row > 0 && (event.key === "ArrowDown" || event.key === "PageDown")) options.onScrolledPast?.();
    reveal(next.row - 1, nextName);
    focus.moveTo({ row: next.row, column: nextName }, { take: true });
    if (selectedRow !== null && next.row > 0) options.onSelectRow(next.row - 1, { wantsFocus: false });
  };

  /** Returns whether the key was handled. */
  function headerKey(event: KeyboardEvent, name: string): boolean {
    const { shiftKey } = event;
    // With Shift, the column is added to the order.
    if (pressed({ key: event.key, altKey: event.altKey, ctrlKey: event.ctrlKey, metaKey: event.metaKey, shiftKey: false }, "table.sort")) {
      const canSort = options.onSort !== undefined && columns.find((column) => column.name === name)?.combined === null;
      if (canSort) actions.clickSort(name, shiftKey);
      return canSort;
    }
    if (pressed(event, "table.menu")) {
      const header = cellAt(scroller.current, { row: 0, column: name });
      // An open menu closes on a key press outside of it, which this one still is when it reaches the document.
      event.stopPropagation();
      header?.querySelector<HTMLElement>("[data-column-menu]")?.click();
      return true;
    }
    const moved = pressed(event, "table.moveColumn");
    const resized = pressed(event, "table.resizeColumn");
    if (moved) {
      actions.move(name, moved === "Alt+ArrowLeft" ? -1 : 1);
      focus.moveTo({ row: 0, column: name }, { take: true });
    } else if (resized) actions.resize(name, resized === "Shift+ArrowLeft" ? -resizeStepPx : resizeStepPx);
    return moved !== null || resized !== null;
  }

  function cellKey(event: KeyboardEvent, index: number, name: string): boolean {
    const row = rows[index];
    const column = columns.find((candidate) => candidate.name === name);
    if (!row || !column) return false;
    if (pressed(event, "table.details")) {
      options.onSelectRow(index, { wantsFocus: true });
      return true;
    }
    if (pressed(event, "table.select")) {
      options.onMark(index);
      return true;
    }
    // If text is selected, the browser copies that.
    if (!pressed(event, "table.copy") || getSelection()?.isCollapsed === false) return false;
    options.onCopyCell(column, row);
    return true;
  }
}
