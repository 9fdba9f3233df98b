import { type RefObject, useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { AreaDrawing, type DrawingListener, type DrawingTool, type DrawnShape } from "./area-drawing.ts";
import { openMap } from "./basemap.ts";

/** Opens a map in the element and lets the user draw on it, starting with `shapes`. `drawing` is null until the map is ready. */
export function useAreaDrawing(
  container: RefObject<HTMLElement | null>,
  shapes: readonly DrawnShape[],
  initialTool: DrawingTool | "static",
  listener: DrawingListener,
): { drawing: AreaDrawing | null; failed: boolean } {
  const [current, setDrawing] = useState<AreaDrawing | null>(null);
  const [failed, setFailed] = useState(false);
  const latest = useRef({ shapes, listener });
  useEffect(() => {
    latest.current = { shapes, listener };
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    openMap(element, boundsOf(latest.current.shapes)).then(
      (map) => {
        if (!isOpen) return map.remove();
        const drawing = new AreaDrawing(map, {
          onChange: (changed) => latest.current.listener.onChange(changed),
          onCrossing: (isCrossing) => latest.current.listener.onCrossing(isCrossing),
          onDrawing: (isDrawing) => latest.current.listener.onDrawing(isDrawing),
        });
        drawing.add(latest.current.shapes.map(({ ring }) => ring));
        drawing.use(initialTool);
        setDrawing(drawing);
        close = () => {
          drawing.close();
          map.remove();
        };
      },
      (error: unknown) => {
        logFailure("The map cannot be shown", error);
        if (isOpen) setFailed(true);
      },
    );
    return () => {
      isOpen = false;
      close();
    };
  }, [container, initialTool]);
  return { drawing: current, failed };
}

function boundsOf(shapes: readonly DrawnShape[]): [number, number, number, number] {
  const points = shapes.flatMap(({ ring }) => ring);
  if (points.length === 0) return [-150, -55, 150, 70];
  const [lngs, lats] = [points.map(({ lng }) => lng), points.map(({ lat }) => Math.max(-85, Math.min(85, lat)))];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
