import { type PointerEvent as ReactPointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

const dragThresholdPx = 6;
const edgePx = 48;

/** A column being dragged. */
interface ColumnDrag {
  id: string;
  /** Pointer position in the window. */
  x: number;
  y: number;
  /** The drop target, and the side of it on which the drop marker is shown. */
  target: string | undefined;
  side: "left" | "right";
}

/**
 * Drags columns by their headers with mouse or pen; touch scrolls, and moves columns through the menu. `wasDragged`
 * distinguishes the click that ends a drag from one that sorts.
 */
export function useColumnDrag(scroller: RefObject<HTMLElement | null>, onDrop: (id: string, target: string) => void) {
  const [drag, setDrag] = useState<ColumnDrag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  const dragged = useRef(false);
  useEffect(() => () => stop.current?.(), []);

  const startDrag = useCallback(
    (event: ReactPointerEvent, id: string) => {
      dragged.current = false;
      if (event.button !== 0 || event.pointerType === "touch") return;
      const { clientX: fromX, clientY: fromY } = event;
      let current: ColumnDrag | null = null;
      const move = ({ clientX: x, clientY: y }: PointerEvent) => {
        if (!current && Math.hypot(x - fromX, y - fromY) < dragThresholdPx) return;
        dragged.current = true;
        scrollAtEdge(scroller.current, x);
        current = { id, x, y, ...targetAt(scroller.current, id, x) };
        setDrag(current);
      };
      const drop = () => {
        stop.current?.();
        if (current?.target !== undefined) onDrop(id, current.target);
      };
      const cancelByKey = (pressed: KeyboardEvent) => {
        if (pressed.key !== "Escape" || !current) return;
        pressed.stopPropagation();
        stop.current?.();
      };
      stop.current?.();
      const listening = new AbortController();
      const { signal } = listening;
      stop.current = () => {
        listening.abort();
        stop.current = null;
        setDrag(null);
      };
      addEventListener("pointermove", move, { signal });
      addEventListener("pointerup", drop, { signal });
      addEventListener("pointercancel", stop.current, { signal });
      addEventListener("keydown", cancelByKey, { capture: true, signal });
    },
    [scroller, onDrop],
  );
  const wasDragged = useCallback(() => dragged.current, []);
  return { drag, startDrag, wasDragged };
}

function targetAt(scroller: HTMLElement | null, id: string, x: number): Pick<ColumnDrag, "target" | "side"> {
  const headers = [...(scroller?.querySelectorAll<HTMLElement>("[role=columnheader]") ?? [])];
  // Pinned headers come first and overlap the others.
  const over = headers.find((header) => {
    const { left, right } = header.getBoundingClientRect();
    return x >= left && x < right;
  });
  const target = over?.dataset["column"];
  if (over === undefined || target === undefined || target === id) return { target: undefined, side: "left" };
  const from = headers.find((header) => header.dataset["column"] === id);
  const rightward = from ? Number(over.ariaColIndex) > Number(from.ariaColIndex) : false;
  return { target, side: rightward ? "right" : "left" };
}

function scrollAtEdge(scroller: HTMLElement | null, x: number): void {
  if (!scroller) return;
  const { left, right } = scroller.getBoundingClientRect();
  if (x > right - edgePx) scroller.scrollBy({ left: edgePx / 3 });
  else if (x < left + edgePx) scroller.scrollBy({ left: -edgePx / 3 });
}
