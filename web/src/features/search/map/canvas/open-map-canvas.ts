import { GPUInitializationError, type Map as MapLibreMap, type MapMouseEvent } from "maplibre-gl";
import { logFailure } from "#lib/log.ts";
import { openMap, recolourMap } from "#parts/area/basemap.ts";
import { dataBounds } from "./data-bounds.ts";
import type { Bounds, MapCanvas, MapCanvasOptions, Picked, PickListener, Viewpoint } from "./map-canvas.ts";
import { findFaIcon } from "#ui/fa-icon.ts";
import { Painter } from "./painter.ts";
import { readPalette } from "./palette.ts";
import { latitudeAt, longitudeAt, projectedX, projectedY, worldSize } from "./projection.ts";
import { Scene } from "./scene.ts";
import type { View } from "./view.ts";

/** From this zoom on one sees where on the coast a place is. */
const closeEnough = 3;

/** The browser cannot draw with WebGL 2: switched off, or there are too many such drawings. */
export class NoWebGl extends Error {}

/** Opens the map in the element, which gives it its size; the element's own content is the map's until `destroy`. */
export async function openMapCanvas(container: HTMLElement, options: MapCanvasOptions): Promise<MapCanvas> {
  const { bounds } = options;
  const map = await openMap(container, bounds === null ? [-150, -55, 150, 70] : [...bounds]).catch((error: unknown) => {
    throw error instanceof GPUInitializationError ? new NoWebGl(error.message, { cause: error }) : error;
  });
  if (options.viewpoint) map.jumpTo({ center: options.viewpoint, zoom: options.viewpoint.zoom });
  return drawnMap(map, options);
}

/**
 * The data have a canvas of their own above the map's: while time passes only they are drawn again, and not the world
 * below, which alone takes longer than they do. When the map moves, both are drawn in the same frame.
 */
function drawnMap(map: MapLibreMap, { icon, highlights }: MapCanvasOptions): MapCanvas {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.cssText = "position:absolute;left:0;top:0;pointer-events:none";
  const gl = canvas.getContext("webgl2", { premultipliedAlpha: true, antialias: false, depth: false, stencil: false });
  if (gl === null) {
    map.remove();
    throw new NoWebGl("This browser gives no second drawing with WebGL 2.");
  }
  map.getCanvasContainer().append(canvas);
  const scene = new Scene();
  const painter = new Painter(gl, readPalette(highlights));
  const listeners = new Set<PickListener>();
  const moved = new Set<(viewpoint: Viewpoint) => void>();
  const over = new AbortController();
  let frame: number | null = null;
  let hovering: MapMouseEvent | null = null;

  const paint = () => {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    const ratio = map.getPixelRatio();
    const view = viewOf(map);
    const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      [canvas.style.width, canvas.style.height] = [`${view.width}px`, `${view.height}px`];
    }
    painter.paint(scene, view, ratio);
    if (hovering) pick(hovering, "point");
    hovering = null;
  };
  const later = () => {
    frame ??= requestAnimationFrame(paint);
  };
  const change = (make: () => void) => {
    make();
    later();
  };

  const pick = ({ point, originalEvent }: MapMouseEvent, how: "point" | "press") => {
    const view = viewOf(map);
    const pixel = worldSize / view.worldPixels;
    const [x, y] = [view.x + (point.x - view.width / 2) * pixel, view.y + (point.y - view.height / 2) * pixel];
    // A finger covers more than the tip of a mouse.
    const reach = how === "press" && "pointerType" in originalEvent && originalEvent.pointerType === "touch" ? 24 : 12;
    const hit = scene.pick(x, y, reach * pixel);
    const turn = hit === null ? 0 : Math.round((view.x - hit.x) / worldSize) * worldSize;
    const picked: Picked | null = hit && {
      ...(hit.kind === "item" ? { kind: "item", id: hit.id } : { kind: "point", id: hit.id, index: hit.index }),
      x: view.width / 2 + (hit.x + turn - view.x) / pixel,
      y: view.height / 2 + (hit.y - view.y) / pixel,
      latitude: latitudeAt(hit.y),
      longitude: longitudeAt(hit.x),
    };
    map.getCanvas().style.cursor = picked ? "pointer" : "";
    for (const listener of listeners) listener(picked, how);
  };

  const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const heard = [
    map.on("moveend", (event) => {
      if ("fits" in event) return;
      const { lng, lat } = map.getCenter().wrap();
      for (const listener of moved) listener({ lng, lat, zoom: map.getZoom() });
    }),
    map.on("render", paint),
    map.on("click", (event) => pick(event, "press")),
    map.on("mousemove", (event) => {
      if (map.isMoving()) return;
      hovering = event;
      later();
    }),
    map.on("mouseout", () => {
      hovering = null;
      for (const listener of listeners) listener(null, "point");
    }),
  ];
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault(), { signal: over.signal });
  canvas.addEventListener("webglcontextrestored", () => change(() => painter.forget()), { signal: over.signal });
  const theme = new MutationObserver(() =>
    change(() => {
      painter.setPalette(readPalette(highlights));
      recolourMap(map);
    }),
  );
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });
  if (icon !== null) {
    findFaIcon(icon).then(
      (found) => {
        if (found !== null && !over.signal.aborted) change(() => painter.setIcon(found));
      },
      (cause: unknown) => logFailure("The markers' icon could not be loaded", cause),
    );
  }

  return {
    setItems: (items) => change(() => scene.setItems(items)),
    setColours: (colours) => change(() => scene.setColours(colours)),
    setPaths: (paths, gapMs) => change(() => scene.setPaths(paths, gapMs)),
    setTime: (window) => change(() => scene.setWindow(window)),
    select: (id) => change(() => (scene.selected = id)),
    hover: (id) => change(() => (scene.hovered = id)),
    fitTo: (bounds: Bounds | null = dataBounds(scene)) => {
      if (bounds === null) return;
      const [west, south, east, north] = bounds;
      map.fitBounds(
        [west, Math.max(-85, south), east, Math.min(85, north)],
        { padding: 48, maxZoom: 9, animate: !isStill(), duration: 400 },
        { fits: true },
      );
    },
    lookAt: ({ lng, lat, zoom = Math.max(closeEnough, map.getZoom()) }) =>
      map.easeTo({ center: [lng, lat], zoom, animate: !isStill(), duration: 400 }),
    onMove: (listener) => {
      moved.add(listener);
      return () => void moved.delete(listener);
    },
    onPick: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    destroy: () => {
      // An error as the reason would keep everything on the stack, and so the data, for as long as somebody keeps the signal.
      over.abort("closed");
      for (const subscription of heard) subscription.unsubscribe();
      theme.disconnect();
      listeners.clear();
      moved.clear();
      if (frame !== null) cancelAnimationFrame(frame);
      painter.release();
      // Browsers keep few such contexts; this one is not to wait for the collector.
      gl.getExtension("WEBGL_lose_context")?.loseContext();
      canvas.remove();
      scene.clear();
      // MapLibre makes such an error, and keeps it until the next map: off the stack of whoever closes this one.
      queueMicrotask(() => map.remove());
    },
  };
}

function viewOf(map: MapLibreMap): View {
  const { lng, lat } = map.getCenter();
  const { clientWidth, clientHeight } = map.getCanvas();
  return {
    x: projectedX(lng),
    y: projectedY(lat),
    worldPixels: 512 * 2 ** map.getZoom(),
    width: Math.max(1, clientWidth),
    height: Math.max(1, clientHeight),
  };
}
