import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { AreaDrawing, type DrawingListener, type DrawingTool, type DrawnShape } from "./area-drawing.ts";
import { openMap, recolorMap } from "./basemap.ts";
import type { Bounds } from "./data-extent.ts";
import { StartingView } from "./starting-view.ts";

interface AreaShapes {
  shapes: readonly DrawnShape[];
  add: (rings: readonly DrawnShape["ring"][]) => void;
  remove: (id: string) => void;
  /** Null until the map is ready. */
  drawing: AreaDrawing | null;
  failed: boolean;
}

/**
 * The shapes of an area, and a map in the element to draw them on. Before the map is ready, shapes can be added and removed, too.
 * Without shapes, the map starts at the extent of the data if that is known before the user touches it, and otherwise at the world.
 */
export function useAreaDrawing(
  container: RefObject<HTMLElement | null>,
  initialShapes: () => readonly DrawnShape[],
  initialTool: DrawingTool | "static",
  listener: Omit<DrawingListener, "onChange">,
  dataExtent: () => Promise<Bounds | null>,
): AreaShapes {
  const [shapes, setShapes] = useState(initialShapes);
  const [drawing, setDrawing] = useState<AreaDrawing | null>(null);
  const [failed, setFailed] = useState(false);
  /** Set once the drawing has taken over all shapes. A file may be read while the map opens. */
  const owner = useRef<AreaDrawing | null>(null);
  const latest = useRef({ shapes, listener, dataExtent });
  useLayoutEffect(() => {
    latest.current = { shapes, listener, dataExtent };
  });
  useLayoutEffect(() => {
    if (!drawing) return;
    drawing.add(latest.current.shapes.map(({ ring }) => ring));
    drawing.use(initialTool);
    owner.current = drawing;
  }, [drawing, initialTool]);
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    const hasShapes = () => latest.current.shapes.length > 0;
    const view = new StartingView(element, () => (hasShapes() ? Promise.resolve(null) : latest.current.dataExtent()));
    openMap(element, () => (hasShapes() ? null : view.take()) ?? boundsOf(latest.current.shapes)).then(
      (map) => {
        if (!isOpen) return map.remove();
        void view.show(map, () => !hasShapes());
        const opened = new AreaDrawing(map, {
          onChange: setShapes,
          onCrossing: (isCrossing) => latest.current.listener.onCrossing(isCrossing),
          onDrawing: (isDrawing) => latest.current.listener.onDrawing(isDrawing),
        });
        setDrawing(opened);
        const theme = new MutationObserver(() => recolorMap(map));
        theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });
        close = () => {
          theme.disconnect();
          owner.current = null;
          opened.close();
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
      view.close();
      close();
    };
  }, [container]);
  return {
    shapes,
    add: (rings) => {
      if (owner.current) owner.current.add(rings);
      else
        setShapes((current) => [...current, ...rings.map((ring) => ({ id: crypto.getRandomValues(new Uint32Array(2)).join("-"), ring }))]);
    },
    remove: (id) => {
      if (owner.current) owner.current.remove(id);
      else setShapes((current) => current.filter((shape) => shape.id !== id));
    },
    drawing,
    failed,
  };
}

function boundsOf(shapes: readonly DrawnShape[]): [number, number, number, number] {
  const points = shapes.flatMap(({ ring }) => ring);
  if (points.length === 0) return [-150, -55, 150, 70];
  const [lngs, lats] = [points.map(({ lng }) => lng), points.map(({ lat }) => Math.max(-85, Math.min(85, lat)))];
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)];
}
