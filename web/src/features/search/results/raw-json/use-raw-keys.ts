import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from "react";
import type { PlacedLine } from "./raw-model.ts";

interface Options {
  at: (line: number) => PlacedLine;
  lineTotal: number;
  activeLine: number;
  setActive: (line: number) => void;
  toggle: (line: PlacedLine) => void;
  reveal: (line: number) => void;
  scroller: RefObject<HTMLElement | null>;
}

/** Keys of the treegrid pattern: up and down, Home and End, Right unfolds and steps in, Left folds and steps out. */
export function useRawKeys({ at, lineTotal, activeLine, setActive, toggle, reveal, scroller }: Options) {
  const taking = useRef(false);
  useLayoutEffect(() => {
    if (!taking.current) return;
    taking.current = false;
    scroller.current?.querySelector<HTMLElement>(`[role=row][data-index="${activeLine}"]`)?.focus({ preventScroll: true });
  });

  return (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.target instanceof HTMLElement) || event.target.role !== "row" || event.altKey || event.shiftKey) return;
    const far = event.ctrlKey || event.metaKey;
    const line = at(activeLine);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / 20) - 2);
    let next: number | undefined;
    if (event.key === "ArrowUp") next = activeLine - 1;
    else if (event.key === "ArrowDown") next = activeLine + 1;
    else if (event.key === "PageUp") next = activeLine - page;
    else if (event.key === "PageDown") next = activeLine + page;
    else if (event.key === "Home") next = far ? 0 : activeLine;
    else if (event.key === "End") next = far ? lineTotal - 1 : activeLine;
    else if (event.key === "ArrowRight" && line.kind === "open") next = activeLine + 1;
    else if (event.key === "ArrowLeft" && line.kind !== "open") next = parentOf(activeLine, line.depth);
    else if (line.row >= 0 && ["ArrowRight", "ArrowLeft", "Enter", " "].includes(event.key)) {
      const folds = line.kind === "open" && event.key !== "ArrowRight";
      const unfolds = line.kind === "folded" && event.key !== "ArrowLeft";
      if (!folds && !unfolds) return;
      event.preventDefault();
      taking.current = true;
      toggle(line);
      return;
    }
    if (next === undefined) return;
    event.preventDefault();
    const to = Math.min(lineTotal - 1, Math.max(0, next));
    taking.current = true;
    setActive(to);
    reveal(to);
  };

  /** The line that opens what this line is in. */
  function parentOf(from: number, depth: number): number {
    for (let line = from - 1; line > 0; line -= 1) if (at(line).depth < depth) return line;
    return 0;
  }
}
