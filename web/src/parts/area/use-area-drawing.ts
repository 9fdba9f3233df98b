import { type RefObject, useEffect, useRef, useState } from "react";
import { logFailure } from "#lib/log.ts";
import { AreaDrawing, type DrawingListener, type DrawingTool, type DrawnShape } from "./area-drawing.ts";
import { openMap } from "./basemap.ts";

/** Opens the map in the element and lets shapes be drawn on it. `drawing` is null until it is there; shapes of before are kept. */
export function useAreaDrawing(
  container: RefObject<HTMLElement | null>,
  shapes: readonly DrawnShape[],
  firstTool: DrawingTool | "static",
  listener: DrawingListener,
): { drawing: AreaDrawing | null; failed: boolean } {
  const [drawing, setDrawing] = useState<AreaDrawing | null>(null);
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
        const drawn = new AreaDrawing(map, {
          onChange: (now) => latest.current.listener.onChange(now),
          onCrossing: (crosses) => latest.current.listener.onCrossing(crosses),
          onDrawing: (draws) => latest.current.listener.onDrawing(draws),
        });
        drawn.add(latest.current.shapes.map(({ ring }) => ring));
        drawn.use(firstTool);
        setDrawing(drawn);
        close = () => {
          drawn.close();
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
  }, [container, firstTool]);
  return { drawing, failed };
}

function boundsOf(shapes: readonly DrawnShape[]): [number, number, number, number] {
  const points = shapes.flatMap(({ ring }) => ring);
  if (points.length === 0) return [-150, -55, 150, 70];
  const [lngs, lats] = [points.map(({ lng }) => lng), points.map(({ lat }) => Math.max(-85, Math.min(85, lat)))];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
