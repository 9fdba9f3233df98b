import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import type { RowLine } from "./raw-model.ts";

interface Options {
  lineOf: (line: number) => RowLine;
  totalLines: number;
  activeLine: number;
  setActive: (line: number) => void;
  toggle: (line: RowLine) => void;
  reveal: (line: number) => void;
  scroller: RefObject<HTMLElement | null>;
}

/** Keys of the ARIA treegrid pattern: up and down, Home and End, Right unfolds and steps in, Left folds and steps out. */
export function useRawKeys({ lineOf, totalLines, activeLine, setActive, toggle, reveal, scroller }: Options) {
  const pendingFocus = useRef(false);
  useLayoutEffect(() => {
    if (!pendingFocus.current) return;
    pendingFocus.current = false;
    scroller.current?.querySelector<HTMLElement>(`[role=row][data-index="${activeLine}"]`)?.focus({ preventScroll: true });
  });

  return (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== "row" || event.altKey || event.shiftKey) return;
    const toEdge = event.ctrlKey || event.metaKey;
    const line = lineOf(activeLine);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 20) - 2);
    let next: number | undefined;
    if (event.key === "ArrowUp") next = activeLine - 1;
    else if (event.key === "ArrowDown") next = activeLine + 1;
    else if (event.key === "PageUp") next = activeLine - page;
    else if (event.key === "PageDown") next = activeLine + page;
    else if (event.key === "Home") next = toEdge ? 0 : activeLine;
    else if (event.key === "End") next = toEdge ? totalLines - 1 : activeLine;
    else if (event.key === "ArrowRight" && line.kind === "open") next = activeLine + 1;
    else if (event.key === "ArrowLeft" && line.kind !== "open") next = parentOf(activeLine, line.depth);
    else if (line.row >= 0 && ["ArrowRight", "ArrowLeft", "Enter", " "].includes(event.key)) {
      const folds = line.kind === "open" && event.key !== "ArrowRight";
      const unfolds = line.kind === "folded" && event.key !== "ArrowLeft";
      if (!folds && !unfolds) return;
      event.preventDefault();
      pendingFocus.current = true;
      toggle(line);
      return;
    }
    if (next === undefined) return;
    event.preventDefault();
    const target = Math.min(totalLines - 1, Math.max(0, next));
    pendingFocus.current = true;
    setActive(target);
    reveal(target);
  };

  /** The opening line of the enclosing container. */
  function parentOf(from: number, depth: number): number {
    for (let line = from - 1; line > 0; line -= 1) if (lineOf(line).depth < depth) return line;
    return 0;
  }
}
