import type { Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { logFailure } from "#lib/browser/log.ts";
import { prefersReducedMotion } from "#lib/browser/reduced-motion.ts";
import { recolorMap } from "#parts/area/basemap.ts";
import { dataBounds } from "./data-bounds.ts";
import type { Bounds, MapCanvas, MapCanvasOptions, Picked, PickListener, Viewpoint } from "./map-canvas.ts";
import { DirectionPainter } from "./direction-painter.ts";
import { findFaIcon } from "#ui/fa-icon.ts";
import { groupItems } from "./item-groups.ts";
import { copyOf, createOverlay, NoWebGl, openFrame, shownLatitude, sizeOverlay, viewOf } from "./map-frame.ts";
import { NamePainter } from "./name-painter.ts";
import { Painter } from "./painter.ts";
import { readPalette } from "./palette.ts";
import { latitudeAt, longitudeAt, worldSize } from "./projection.ts";
import { Scene } from "./scene.ts";
import type { View } from "./view.ts";

/** The zoom from which coastlines give enough context. */
const minLookAtZoom = 3;

/** Opens the map in the element, which determines its size. The map owns the element's content until `destroy`. */
export async function openMapCanvas(container: HTMLElement, options: MapCanvasOptions): Promise<MapCanvas> {
  return createMapCanvas(await openFrame(container, options), options);
}

/**
 * The data has its own canvas above the base map: during playback only the data is redrawn, and not the base map, which
 * alone takes longer. When the map moves, both are drawn in the same frame.
 */
function createMapCanvas(map: MapLibreMap, { icon, highlights }: MapCanvasOptions): MapCanvas {
  const canvas = createOverlay();
  const nameCanvas = createOverlay();
  const gl = canvas.getContext("webgl2", { premultipliedAlpha: true, antialias: false, depth: false, stencil: false });
  if (gl === null) {
    map.remove();
    throw new NoWebGl("No second WebGL 2 context is available.");
  }
  map.getCanvasContainer().append(canvas, nameCanvas);
  const scene = new Scene();
  let palette = readPalette(highlights);
  const painter = new Painter(gl, palette);
  const nameContext = nameCanvas.getContext("2d");
  const namePainter = nameContext && new NamePainter(nameContext, getComputedStyle(document.body).fontFamily);
  const directionPainter = nameContext && new DirectionPainter(nameContext);
  const pickListeners = new Set<PickListener>();
  const moveListeners = new Set<(viewpoint: Viewpoint, bounds: Bounds) => void>();
  const closed = new AbortController();
  /** A copy of the base map as it was rendered last, for pictures. */
  let world: HTMLCanvasElement | null = null;
  let isGrouped = false;
  let marks: readonly string[] = [];
  let frame: number | null = null;
  let hovering: MapMouseEvent | null = null;

  const paint = () => {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    const ratio = map.getPixelRatio();
    const view = viewOf(map);
    for (const overlay of [canvas, nameCanvas]) sizeOverlay(overlay, view, ratio);
    scene.grouped = isGrouped ? groupItems(scene, view) : null;
    painter.paint(scene, view, ratio);
    if (nameContext) clear(nameContext, view, ratio);
    directionPainter?.paint(scene, view, palette);
    namePainter?.paint(scene, view, palette);
    if (hovering) pick(hovering, "point");
    hovering = null;
  };
  const scheduleFrame = () => {
    frame ??= requestAnimationFrame(paint);
  };
  const change = (apply: () => void) => {
    apply();
    scheduleFrame();
  };

  const pick = ({ point, originalEvent }: MapMouseEvent, how: "point" | "press") => {
    const view = viewOf(map);
    const pixel = worldSize / view.worldPixels;
    const [x, y] = [view.x + (point.x - view.width / 2) * pixel, view.y + (point.y - view.height / 2) * pixel];
    // A finger is less precise than a mouse.
    const radius = how === "press" && "pointerType" in originalEvent && originalEvent.pointerType === "touch" ? 24 : 12;
    const [dx, dy] = [point.x - view.width / 2, point.y - view.height / 2];
    const group = scene.grouped?.groups.find((one) => Math.hypot(one.dx - dx, one.dy - dy) <= one.radius);
    if (group && how === "press") {
      const center = map.unproject([group.dx + view.width / 2, group.dy + view.height / 2]);
      map.easeTo({ center, zoom: Math.min(map.getMaxZoom(), map.getZoom() + 2), animate: !prefersReducedMotion(), duration: 400 });
      return;
    }
    const hit = group ? null : scene.pick(x, y, radius * pixel);
    const worldOffset = hit === null ? 0 : Math.round((view.x - hit.x) / worldSize) * worldSize;
    const picked: Picked | null = hit && {
      ...(hit.kind === "item" ? { kind: "item", id: hit.id } : { kind: "point", id: hit.id, index: hit.index }),
      x: view.width / 2 + (hit.x + worldOffset - view.x) / pixel,
      y: view.height / 2 + (hit.y - view.y) / pixel,
      latitude: latitudeAt(hit.y),
      longitude: longitudeAt(hit.x),
    };
    map.getCanvas().style.cursor = picked || group ? "pointer" : "";
    for (const listener of pickListeners) listener(picked, how);
  };

  const subscriptions = [
    map.on("moveend", (event) => {
      if ("fits" in event) return;
      const { lng, lat } = map.getCenter().wrap();
      for (const listener of moveListeners) listener({ lng, lat, zoom: map.getZoom() }, boundsOf(map));
    }),
    map.on("render", () => {
      world = null;
      paint();
    }),
    map.on("click", (event) => pick(event, "press")),
    map.on("mousemove", (event) => {
      if (map.isMoving()) return;
      hovering = event;
      scheduleFrame();
    }),
    map.on("mouseout", () => {
      hovering = null;
      for (const listener of pickListeners) listener(null, "point");
    }),
  ];
  canvas.addEventListener("webglcontextlost", (event) => event.preventDefault(), { signal: closed.signal });
  canvas.addEventListener("webglcontextrestored", () => change(() => painter.reset()), { signal: closed.signal });
  const theme = new MutationObserver(() =>
    change(() => {
      palette = readPalette(highlights, marks);
      painter.setPalette(palette);
      recolorMap(map);
    }),
  );
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });
  if (icon !== null) {
    findFaIcon(icon).then(
      (found) => {
        if (found !== null && !closed.signal.aborted) change(() => painter.setIcon(found));
      },
      (cause: unknown) => logFailure("The marker icon could not be loaded", cause),
    );
  }

  return {
    setItems: (items) =>
      change(() => {
        scene.setItems(items);
        namePainter?.reset();
      }),
    setColors: (colors, newMarks = []) =>
      change(() => {
        scene.setColors(colors);
        if (newMarks === marks) return;
        marks = newMarks;
        palette = readPalette(highlights, marks);
        painter.setPalette(palette);
      }),
    setGrouped: (grouped) => change(() => (isGrouped = grouped)),
    setPaths: (paths, gapMs) => change(() => scene.setPaths(paths, gapMs)),
    setTime: (window) => change(() => scene.setWindow(window)),
    select: (id) => change(() => (scene.selected = id)),
    hover: (id) => change(() => (scene.hovered = id)),
    fitTo: (given = null, { left, right, bottom } = { left: 0, right: 0, bottom: 0 }) => {
      const bounds = given ?? dataBounds(scene);
      if (bounds === null) return;
      const [west, south, east, north] = bounds;
      map.fitBounds(
        [west, shownLatitude(south), east, shownLatitude(north)],
        {
          padding: { top: 48, left: left + 48, right: right + 48, bottom: bottom + 48 },
          // A single position has no size.
          maxZoom: 9,
          animate: !prefersReducedMotion(),
          duration: 400,
        },
        { fits: true },
      );
    },
    lookAt: ({ lng, lat, zoom = Math.max(minLookAtZoom, map.getZoom()) }, [x, y] = [0, 0]) =>
      map.easeTo({ center: [lng, lat], zoom, offset: [x, y], animate: !prefersReducedMotion(), duration: 400 }),
    get bounds() {
      return boundsOf(map);
    },
    get size() {
      return { width: map.getCanvas().width, height: map.getCanvas().height };
    },
    drawInto: (context) => {
      if (world === null) {
        // A rendered frame can be read in the same task only.
        map.redraw();
        world = copyOf(map.getCanvas());
      } else paint();
      for (const layer of [world, canvas, nameCanvas]) context.drawImage(layer, 0, 0, map.getCanvas().width, map.getCanvas().height);
    },
    onMove: (listener) => {
      moveListeners.add(listener);
      return () => void moveListeners.delete(listener);
    },
    onPick: (listener) => {
      pickListeners.add(listener);
      return () => void pickListeners.delete(listener);
    },
    destroy: () => {
      // An Error as the reason would retain the stack, and with it the data, as long as the signal is referenced.
      closed.abort("closed");
      for (const subscription of subscriptions) subscription.unsubscribe();
      theme.disconnect();
      pickListeners.clear();
      moveListeners.clear();
      if (frame !== null) cancelAnimationFrame(frame);
      painter.release();
      // Browsers limit the number of contexts, so do not wait for garbage collection.
      gl.getExtension("WEBGL_lose_context")?.loseContext();
      canvas.remove();
      nameCanvas.remove();
      world = null;
      scene.clear();
      namePainter?.reset();
      // MapLibre creates and retains an Error until the next map; remove the map outside of the caller's stack.
      queueMicrotask(() => map.remove());
    },
  };
}

/** Clears a canvas, and makes the middle of the view the origin of CSS pixels. */
function clear(context: CanvasRenderingContext2D, view: View, ratio: number): void {
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio, 0, 0, ratio, (view.width / 2) * ratio, (view.height / 2) * ratio);
}

function boundsOf(map: MapLibreMap): Bounds {
  const [[west, south], [east, north]] = map.getBounds().toArray();
  return [west, south, east, north];
}
