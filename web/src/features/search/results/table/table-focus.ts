import type { ResultRow } from "@fairway/contract/search";
import { useEffect, useRef } from "react";

/** About one second. */
const maxFrames = 60;

/** The focusable cell of the table, which belongs to the row whose details were open. */
export const activeCell = (): HTMLElement | null => document.querySelector<HTMLElement>('[role="grid"] [data-row][tabindex="0"]');

/** Filtering from a cell replaces the rows; this returns the focus to the table if it was there. */
export function useRestoreTableFocus(rows: readonly ResultRow[]): void {
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
    // The columns are rendered after the table has measured itself, which can take more than one frame.
    let frame = 0;
    const attempt = (framesLeft: number): void => {
      frame = requestAnimationFrame(() => {
        if (document.activeElement !== document.body) return;
        const cell = activeCell();
        if (cell) cell.focus();
        else if (framesLeft > 0) attempt(framesLeft - 1);
      });
    };
    attempt(maxFrames);
    return () => cancelAnimationFrame(frame);
  }, [rows]);
}
