import { type FocusEvent, type RefObject, useCallback, useLayoutEffect, useRef, useState } from "react";

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
