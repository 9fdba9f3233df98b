import { type FocusEvent, type KeyboardEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";
import type { ColumnActions } from "./column-actions.ts";
import { type ResultTableProps, rowHeightPx } from "./table-props.ts";

/** A place in the grid. Row 0 is the header. */
export interface GridPlace {
  row: number;
  column: number;
}

export interface GridSize {
  /** Without the header. */
  rows: number;
  columns: number;
  /** Rows that one screen holds. */
  page: number;
}

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** Where a key leads from a place; null for a key that moves nothing, the same place at an edge. */
export function placeAfter(pressed: Pressed, { row, column }: GridPlace, { rows, columns, page }: GridSize): GridPlace | null {
  if (pressed.altKey || pressed.shiftKey) return null;
  const far = pressed.ctrlKey || pressed.metaKey;
  const at = (nextRow: number, nextColumn: number): GridPlace => ({
    row: Math.min(rows, Math.max(0, nextRow)),
    column: Math.min(columns - 1, Math.max(0, nextColumn)),
  });
  switch (pressed.key) {
    case "ArrowUp":
      return at(far ? 1 : row - 1, column);
    case "ArrowDown":
      return at(far ? rows : row + 1, column);
    case "ArrowLeft":
      return at(row, far ? 0 : column - 1);
    case "ArrowRight":
      return at(row, far ? columns - 1 : column + 1);
    case "Home":
      return far ? at(Math.min(1, rows), 0) : at(row, 0);
    case "End":
      return far ? at(rows, columns - 1) : at(row, columns - 1);
    case "PageUp":
      return at(Math.max(Math.min(1, rows), row - page), column);
    case "PageDown":
      return at(row + page, column);
    default:
      return null;
  }
}

/** A cell: row 0 is the header, row n the nth loaded row; a column by its name, null when there is none. */
export interface ActiveCell {
  row: number;
  column: string | null;
}

export interface GridFocus {
  active: ActiveCell;
  /** Makes a cell the one that Tab reaches; with `take` it also takes the focus. */
  moveTo: (cell: ActiveCell, options: { take: boolean }) => void;
  /** Another row becomes the active one, in the same column, without taking the focus. */
  followRow: (row: number) => void;
  onFocus: (event: FocusEvent<HTMLElement>) => void;
}

/** One cell of the grid is in the tab order; arrow keys move which one. */
export function useGridFocus({
  scroller,
  names,
  rowCount,
}: {
  scroller: RefObject<HTMLElement | null>;
  names: readonly string[];
  rowCount: number;
}): GridFocus {
  const [wanted, setWanted] = useState<ActiveCell>({ row: 0, column: null });
  const taking = useRef(false);
  // Columns go and rows become fewer: the active cell then is the nearest that is left.
  const column = wanted.column !== null && names.includes(wanted.column) ? wanted.column : (names[0] ?? null);
  const row = Math.min(wanted.row, rowCount);

  useLayoutEffect(() => {
    if (!taking.current) return;
    taking.current = false;
    cellAt(scroller.current, { row, column })?.focus({ preventScroll: true });
  });

  const moveTo = useCallback((cell: ActiveCell, { take }: { take: boolean }) => {
    taking.current = take;
    setWanted(cell);
  }, []);
  const onFocus = useCallback((event: FocusEvent<HTMLElement>) => {
    const cell = event.target.closest<HTMLElement>("[data-row]");
    const name = cell?.dataset["column"];
    if (cell && name !== undefined) setWanted({ row: Number(cell.dataset["row"]), column: name });
  }, []);
  const followRow = useCallback((next: number) => setWanted((now) => (now.row === next ? now : { ...now, row: next })), []);
  return { active: { row, column }, moveTo, followRow, onFocus };
}

export function cellAt(scroller: HTMLElement | null, { row, column }: ActiveCell): HTMLElement | null {
  return column === null ? null : (scroller?.querySelector(`[data-row="${row}"][data-column="${CSS.escape(column)}"]`) ?? null);
}

const resizeStepPx = 16;

type Options = Pick<ResultTableProps, "columns" | "rows" | "selectedRow" | "onSelectRow" | "onSort" | "onCopyCell"> & {
  focus: GridFocus;
  names: readonly string[];
  actions: ColumnActions;
  reveal: (row: number, column: string | null) => void;
  scroller: RefObject<HTMLElement | null>;
};

/** Keys of the grid pattern, and those of a header: Enter sorts, Alt+Down opens its menu, Alt+arrows move it, Shift+arrows resize it. */
export function useGridKeys(options: Options): (event: KeyboardEvent<HTMLElement>) => void {
  const { columns, rows, selectedRow, focus, names, actions, reveal, scroller } = options;
  return (event) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    // A menu above the table, or a button in a cell, has keys of its own.
    if (target === null || target.dataset["row"] === undefined) return;
    const { row, column } = focus.active;
    if (column === null) return;
    if (row === 0 ? headerKey(event, column) : cellKey(event, row - 1, column)) {
      event.preventDefault();
      return;
    }
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeightPx) - 2);
    const next = placeAfter(event, { row, column: names.indexOf(column) }, { rows: rows.length, columns: names.length, page });
    const nextName = next ? names[next.column] : undefined;
    if (!next || nextName === undefined) return;
    event.preventDefault();
    reveal(next.row - 1, nextName);
    focus.moveTo({ row: next.row, column: nextName }, { take: true });
    if (selectedRow !== null && next.row > 0) options.onSelectRow(next.row - 1, { wantsFocus: false });
  };

  /** True when the key did something. */
  function headerKey(event: KeyboardEvent, name: string): boolean {
    const { key, altKey, shiftKey } = event;
    if (key === "Enter" || key === " ") {
      const canSort = options.onSort !== undefined && columns.find((column) => column.name === name)?.combined === null;
      if (canSort) actions.clickSort(name, shiftKey);
      return canSort;
    }
    if ((altKey && key === "ArrowDown") || (shiftKey && key === "F10") || key === "ContextMenu") {
      const header = cellAt(scroller.current, { row: 0, column: name });
      header?.querySelector<HTMLElement>("[data-column-menu]")?.click();
      return true;
    }
    const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    if (step === 0 || altKey === shiftKey) return false;
    if (altKey) {
      actions.move(name, step);
      focus.moveTo({ row: 0, column: name }, { take: true });
    } else actions.resize(name, step * resizeStepPx);
    return true;
  }

  function cellKey(event: KeyboardEvent, index: number, name: string): boolean {
    const row = rows[index];
    const column = columns.find((candidate) => candidate.name === name);
    if (!row || !column) return false;
    if (event.key === "Enter") {
      options.onSelectRow(index, { wantsFocus: true });
      return true;
    }
    const copies = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "c";
    // With text selected, the browser copies that.
    if (!copies || getSelection()?.isCollapsed === false) return false;
    options.onCopyCell(column, row);
    return true;
  }
}
