import type { KeyboardEvent, RefObject } from "react";
import { placeAfter } from "./grid-keys.ts";
import type { ResultTableProps } from "./table-props.ts";
import { rowHeightPx } from "./row-height.ts";
import type { ColumnActions } from "./column-actions.ts";
import { cellAt, type GridFocus } from "./use-grid-focus.ts";

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
