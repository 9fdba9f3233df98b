import type { ResultRow } from "@fairway/contract/search";
import { useEffect, useRef } from "react";

/** The cell of the table that Tab reaches: the one whose row's details were open. */
export const activeCell = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="grid"] [data-row][tabindex="0"]');

/** A filter set from a cell puts other rows in the table's place: the focus, which was in the table, goes on there. */
export function useFocusBackInTable(rows: readonly ResultRow[]): void {
  const wasInTable = useRef(false);
  useEffect(() => {
    const onFocus = () => {
      wasInTable.current = document.activeElement?.closest('[role="grid"]') !== null;
    };
    document.addEventListener("focusin", onFocus);
    return () => document.removeEventListener("focusin", onFocus);
  }, []);
  useEffect(() => {
    if (rows.length === 0 || !wasInTable.current || document.activeElement !== document.body) return undefined;
    // The table's columns are there once it has measured itself.
    const frame = requestAnimationFrame(() => activeCell()?.focus());
    return () => cancelAnimationFrame(frame);
  }, [rows]);
}
