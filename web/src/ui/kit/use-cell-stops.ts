import { type KeyboardEvent, useEffect, useRef, useState } from "react";
import { nextRowIndex } from "#ui/next-row-index.ts";

interface CellStop<Cell> {
  key: string;
  cell: Cell;
}

interface Options<Cell> {
  /** Number of rows. */
  count: number;
  keyOf: (index: number) => string | undefined;
  /** Undefined for a row that is not there. */
  indexOf: (key: string) => number | undefined;
  /** The tab stop is in this row until another one had the focus. */
  selected: string | null;
  /** The cells of a row that can have the focus. The right one names the row. */
  cells: readonly [left: Cell, right: Cell];
  /** Whether the left cell of a row can have the focus. */
  hasLeft?: (index: number) => boolean;
  /** Brings a row into view that is about to get the focus. Default: the browser does. */
  reveal?: (index: number) => void;
  /** A character was typed in the rows; it belongs in the search field. */
  onType: () => void;
}

/**
 * One tab stop for a grid whose rows have two cells with a control: up and down move between rows, left and right between the
 * cells. A row has its index as `data-index`, and each of the controls what `stopProps` says.
 */
export function useCellStops<Cell extends string>(options: Options<Cell>) {
  const { count, keyOf, indexOf, selected, cells, hasLeft, reveal, onType } = options;
  const [left, right] = cells;
  const [active, setActive] = useState<CellStop<Cell> | null>(null);
  const pending = useRef<{ grid: Element; cell: Cell } | null>(null);
  const activeIndex = active === null ? undefined : indexOf(active.key);
  const stop = activeIndex ?? (selected === null ? undefined : indexOf(selected)) ?? 0;
  const stopCell = activeIndex !== undefined && active ? active.cell : right;

  // The row may be rendered only now.
  useEffect(() => {
    if (pending.current === null) return;
    const { grid, cell } = pending.current;
    pending.current = null;
    const control = grid.querySelector<HTMLElement>(`[data-index="${stop}"] [data-cell="${cell}"]`);
    control?.focus({ preventScroll: reveal !== undefined });
  });

  const move = (grid: Element, index: number, wanted: Cell) => {
    const key = keyOf(index);
    if (key === undefined) return;
    const cell = wanted === left && hasLeft?.(index) === false ? right : wanted;
    pending.current = { grid, cell };
    reveal?.(index);
    setActive({ key, cell });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const grid = event.currentTarget;
    const next = nextRowIndex(event.key, stop, count);
    if (next !== undefined) move(grid, next, stopCell);
    else if (event.key === "ArrowLeft") move(grid, stop, left);
    else if (event.key === "ArrowRight") move(grid, stop, right);
    // The field has the focus by the time the character is inserted.
    else if (event.key.length === 1 && event.key !== " " && event.key !== "/" && event.key !== "?") return onType();
    else return;
    event.preventDefault();
  };
  return { stop, stopCell, setActive, onKeyDown };
}

/** Attributes of a control that can be the tab stop. */
export const stopProps = <Cell extends string>(stop: CellStop<Cell>, isStop: boolean, setActive: (stop: CellStop<Cell>) => void) => ({
  "data-cell": stop.cell,
  tabIndex: isStop ? 0 : -1,
  onFocus: () => setActive(stop),
});
