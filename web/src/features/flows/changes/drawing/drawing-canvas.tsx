import { useComputedColorScheme } from "@mantine/core";
import { IconMaximize } from "#ui/icons/maximize.ts";
import { IconMinus } from "#ui/icons/minus.ts";
import { IconPlus } from "#ui/icons/plus.ts";
import { type KeyboardEvent, type Ref, useEffect, useImperativeHandle, useLayoutEffect, useRef } from "react";
import { IconButton } from "#ui/icon-button.tsx";
import { type DrawnGroup, type DrawnItem, itemAt } from "./drawing-model.ts";
import { paint } from "./paint.ts";
import { type Palette, readPalette } from "./palette.ts";
import { useGestures } from "./use-gestures.ts";
import { type Bounds, fitted, panned, type Point, revealed, type Size, toWorld, type Viewport, zoomed } from "./viewport.ts";
import classes from "./drawing.module.css";
import { pressed } from "#ui/shortcut-keys.ts";

export interface DrawingCanvasHandle {
  /** Moves a component into view. */
  readonly reveal: (bounds: Bounds) => void;
}

interface Props {
  ref: Ref<DrawingCanvasHandle>;
  group: DrawnGroup;
  /** Describes the drawing. */
  label: string;
  selectedId: string | null;
  onSelect: (item: DrawnItem | null) => void;
  /** Enters a process group. */
  onEnter: (groupId: string) => void;
  onLeave: () => void;
  /** Shows the drawing on the whole screen, or as it was before. */
  onFill: () => void;
}

const stepPx = 60;
const zoomStep = 1.3;
const reachPx = 8;

/** The canvas. Its view is kept outside of React's state: a frame repaints, and renders nothing. */
export function DrawingCanvas({ ref, group, label, selectedId, onSelect, onEnter, onLeave, onFill }: Props) {
  const element = useRef<HTMLCanvasElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const views = useRef(new Map<string, Viewport>());
  const size = useRef<Size>({ width: 0, height: 0 });
  const palette = useRef<Palette | null>(null);
  const requested = useRef(0);
  const scheme = useComputedColorScheme();
  const paintedScheme = useRef(scheme);

  const viewOf = (): Viewport => views.current.get(group.id) ?? fitted(group.bounds, size.current);
  const repaint = () => {
    cancelAnimationFrame(requested.current);
    requested.current = requestAnimationFrame(() => {
      const canvas = element.current;
      const context = canvas?.getContext("2d", { alpha: false });
      if (!canvas || !context || size.current.width === 0) return;
      palette.current ??= readPalette(canvas);
      const { current } = size;
      paint(context, { group, view: viewOf(), size: current, pixelRatio: devicePixelRatio, palette: palette.current, selectedId });
    });
  };
  const show = (view: Viewport) => {
    views.current.set(group.id, view);
    repaint();
  };
  const zoom = (factor: number, at: Point = { x: size.current.width / 2, y: size.current.height / 2 }) =>
    show(zoomed(viewOf(), factor, at, fitted(group.bounds, size.current).scale));
  const fit = () => {
    views.current.delete(group.id);
    repaint();
  };
  const at = (point: Point) => itemAt(group, toWorld(viewOf(), point), reachPx / viewOf().scale);

  useImperativeHandle(ref, () => ({ reveal: (bounds) => show(revealed(viewOf(), bounds, size.current)) }));
  const latestRepaint = useRef(repaint);
  useLayoutEffect(() => {
    latestRepaint.current = repaint;
    // The next frame reads the colors of the new theme.
    if (paintedScheme.current !== scheme) palette.current = null;
    paintedScheme.current = scheme;
    repaint();
  });
  useEffect(() => {
    const observed = frame.current;
    if (!observed) return undefined;
    const observer = new ResizeObserver(([entry]) => {
      const canvas = element.current;
      if (!entry || !canvas) return;
      const { width, height } = entry.contentRect;
      size.current = { width, height };
      canvas.width = Math.round(width * devicePixelRatio);
      canvas.height = Math.round(height * devicePixelRatio);
      latestRepaint.current();
    });
    observer.observe(observed);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(requested.current);
    };
  }, []);

  useGestures(element, {
    onPan: (byX, byY) => show(panned(viewOf(), byX, byY)),
    onZoom: zoom,
    onTap: (point) => onSelect(at(point) ?? null),
    onDoubleTap: (point) => {
      const item = at(point);
      if (item?.shape === "node" && item.kind === "process-group") onEnter(item.id);
    },
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.shiftKey ? 4 * stepPx : stepPx;
    const run = actionOf(event, {
      pan: (x, y) => show(panned(viewOf(), x * step, y * step)),
      zoom,
      fit,
      leave: onLeave,
      fill: onFill,
      enter: () => {
        const item = group.nodes.find(({ id }) => id === selectedId);
        if (item?.kind === "process-group") onEnter(item.id);
      },
    });
    if (!run) return;
    event.preventDefault();
    run();
  };

  return (
    <div ref={frame} className={classes["frame"]}>
      <canvas
        ref={element}
        className={classes["canvas"]}
        // oxlint-disable-next-line jsx-a11y/no-interactive-element-to-noninteractive-role -- keys move the drawing, not the reader
        role="application"
        aria-roledescription="drawing"
        aria-label={label}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- moved and zoomed by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
        aria-keyshortcuts="ArrowLeft ArrowRight ArrowUp ArrowDown + - 0 F"
      />
      <div className={classes["zoom"]} role="group" aria-label="Zoom">
        <IconButton label="Zoom in (+)" onClick={() => zoom(zoomStep)}>
          <IconPlus size={16} aria-hidden />
        </IconButton>
        <IconButton label="Zoom out (−)" onClick={() => zoom(1 / zoomStep)}>
          <IconMinus size={16} aria-hidden />
        </IconButton>
        <IconButton label="Fit (0)" onClick={fit}>
          <IconMaximize size={16} aria-hidden />
        </IconButton>
      </div>
    </div>
  );
}

interface KeyActions {
  pan: (x: number, y: number) => void;
  zoom: (factor: number) => void;
  fit: () => void;
  enter: () => void;
  leave: () => void;
  fill: () => void;
}

function actionOf(event: KeyboardEvent, { pan, zoom, fit, enter, leave, fill }: KeyActions): (() => void) | undefined {
  const zoomed = pressed(event, "drawing.zoom");
  if (zoomed) return () => zoom(zoomed === "-" ? 1 / zoomStep : zoomStep);
  if (pressed(event, "drawing.fit")) return fit;
  if (pressed(event, "drawing.fill")) return fill;
  if (pressed(event, "drawing.enter")) return enter;
  if (pressed(event, "drawing.leave")) return leave;
  switch (event.key) {
    case "ArrowLeft":
      return () => pan(1, 0);
    case "ArrowRight":
      return () => pan(-1, 0);
    case "ArrowUp":
      return () => pan(0, 1);
    case "ArrowDown":
      return () => pan(0, -1);
    default:
      return undefined;
  }
}
