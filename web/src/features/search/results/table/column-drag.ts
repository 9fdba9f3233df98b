import { type PointerEvent as ReactPointerEvent, type RefObject, useCallback, useEffect, useRef, useState } from "react";

const dragThresholdPx = 6;
const edgePx = 48;

/** A column being dragged. */
export interface ColumnDrag {
  name: string;
  /** Pointer position in the window. */
  x: number;
  y: number;
  /** The drop target, and the side of it on which the drop marker is shown. */
  target: string | undefined;
  side: "left" | "right";
}

interface Options {
  scroller: RefObject<HTMLElement | null>;
  onDrop: (name: string, target: string) => void;
}

/**
 * Drags columns by their headers with mouse or pen; touch scrolls, and moves columns through the menu. `wasDragged`
 * distinguishes the click that ends a drag from one that sorts.
 */
export function useColumnDrag({ scroller, onDrop }: Options) {
  const [drag, setDrag] = useState<ColumnDrag | null>(null);
  const stop = useRef<(() => void) | null>(null);
  const dragged = useRef(false);
  useEffect(() => () => stop.current?.(), []);

  const onPointerDown = useCallback(
    (event: ReactPointerEvent, name: string) => {
      dragged.current = false;
      if (event.button !== 0 || event.pointerType === "touch") return;
      const { clientX: fromX, clientY: fromY } = event;
      let current: ColumnDrag | null = null;
      const move = ({ clientX: x, clientY: y }: PointerEvent) => {
        if (!current && Math.hypot(x - fromX, y - fromY) < dragThresholdPx) return;
        dragged.current = true;
        scrollAtEdge(scroller.current, x);
        current = { name, x, y, ...targetAt(scroller.current, name, x) };
        setDrag(current);
      };
      const end = (drop: boolean) => {
        stop.current?.();
        if (drop && current?.target !== undefined) onDrop(name, current.target);
      };
      const up = () => end(true);
      const cancel = () => end(false);
      const key = (pressed: KeyboardEvent) => {
        if (pressed.key !== "Escape" || !current) return;
        pressed.stopPropagation();
        cancel();
      };
      stop.current?.();
      addEventListener("pointermove", move);
      addEventListener("pointerup", up);
      addEventListener("pointercancel", cancel);
      addEventListener("keydown", key, true);
      stop.current = () => {
        removeEventListener("pointermove", move);
        removeEventListener("pointerup", up);
        removeEventListener("pointercancel", cancel);
        removeEventListener("keydown", key, true);
        stop.current = null;
        setDrag(null);
      };
    },
    [scroller, onDrop],
  );
  const wasDragged = useCallback(() => dragged.current, []);
  return { drag, onPointerDown, wasDragged };
}

function targetAt(scroller: HTMLElement | null, name: string, x: number): Pick<ColumnDrag, "target" | "side"> {
  const headers = [...(scroller?.querySelectorAll<HTMLElement>("[role=columnheader]") ?? [])];
  // Pinned headers come first and overlap the others.
  const over = headers.find((header) => {
    const { left, right } = header.getBoundingClientRect();
    return x >= left && x < right;
  });
  const target = over?.dataset["column"];
  if (over === undefined || target === undefined || target === name) return { target: undefined, side: "left" };
  const from = headers.find((header) => header.dataset["column"] === name);
  const rightward = from ? Number(over.ariaColIndex) > Number(from.ariaColIndex) : false;
  return { target, side: rightward ? "right" : "left" };
}

function scrollAtEdge(scroller: HTMLElement | null, x: number): void {
  if (!scroller) return;
  const { left, right } = scroller.getBoundingClientRect();
  if (x > right - edgePx) scroller.scrollBy({ left: edgePx / 3 });
  else if (x < left + edgePx) scroller.scrollBy({ left: -edgePx / 3 });
}
