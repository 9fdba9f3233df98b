import type { Map as MapLibreMap, MapMouseEvent } from "maplibre-gl";
import { prefersReducedMotion } from "#lib/browser/reduced-motion.ts";
import { recolorMap, showCoast } from "#parts/area/basemap.ts";
import { CellLayer } from "./cell-layer.ts";
import { groupDots } from "./dots.ts";
import type { Viewpoint } from "./map-canvas.ts";
import { copyOf, createOverlay, openFrame, shownLatitude, sizeOverlay, viewOf } from "./map-frame.ts";
import { parseColor } from "./palette.ts";
import { worldSize } from "./projection.ts";
import { type Overlay, type OverlayColors, paintOverlay } from "./rows-overlay.ts";
import type { MapPoint, MapPointListener, RowsCanvas } from "./rows-canvas.ts";

/** Room around what is fitted, in CSS pixels. */
const fitPadding = 32;
const noEdges = { left: 0, right: 0, bottom: 0 };
/** Tags moves that are not a person's. */
const fitTag = { fits: true };

/** Opens a map of all rows in the element, whose content it owns until `destroy`. Rejects with `NoWebGl` like the map of items. */
export async function openRowsCanvas(container: HTMLElement, { viewpoint }: { viewpoint: Viewpoint | null }): Promise<RowsCanvas> {
  const map = await openFrame(container, { viewpoint });
  const layer = new CellLayer(viewOf);
  await showCoast(map, layer);
  // Cells are darker, or lighter, than the land that names are meant for.
  for (const names of ["names", "places"]) map.setPaintProperty(names, "text-halo-width", 2);
  return createRowsCanvas(map, layer);
}

function createRowsCanvas(map: MapLibreMap, layer: CellLayer): RowsCanvas {
  const canvas = createOverlay();
  map.getCanvasContainer().append(canvas);
  const context = canvas.getContext("2d");
  const viewListeners = new Set<Parameters<RowsCanvas["onView"]>[0]>();
  const pointListeners = new Set<MapPointListener>();
  let overlay: Overlay = { dots: null, groups: [], areas: [], selected: null, hovered: null, dot: null };
  let colorNames: readonly string[] = [];
  let colors = readColors(colorNames);
  let groupedPixels = 0;
  let frame: number | null = null;
  let hovering: MapMouseEvent | null = null;
  /** A copy of the map as it was rendered last, for pictures; null if it has changed since. */
  let rendered: HTMLCanvasElement | null = null;

  const paint = () => {
    if (frame !== null) cancelAnimationFrame(frame);
    frame = null;
    const view = viewOf(map);
    const ratio = map.getPixelRatio();
    sizeOverlay(canvas, view, ratio);
    if (context) paintOverlay(context, view, ratio, overlay, colors);
    if (hovering) notify(hovering, "point");
    hovering = null;
  };
  const change = (next: Partial<Overlay>) => {
    overlay = { ...overlay, ...next };
    frame ??= requestAnimationFrame(paint);
  };
  const groupAgain = () => {
    const { worldPixels } = viewOf(map);
    if (worldPixels === groupedPixels) return;
    groupedPixels = worldPixels;
    if (overlay.dots !== null) change({ groups: groupDots(overlay.dots, worldPixels) });
  };
  const notify = ({ point }: MapMouseEvent, how: "point" | "press") => {
    const at = pointAt(map, point.x, point.y);
    for (const listener of pointListeners) listener(at, how);
  };
  const recolor = () => {
    colors = readColors(colorNames);
    layer.setColors(colors.steps.map(parseColor));
    rendered = null;
    change({});
  };

  const subscriptions = [
    map.on("move", (event) => {
      for (const listener of viewListeners) listener({ isMoving: true, isFit: "fits" in event });
    }),
    map.on("moveend", (event) => {
      groupAgain();
      for (const listener of viewListeners) listener({ isMoving: false, isFit: "fits" in event });
    }),
    map.on("resize", () => {
      for (const listener of viewListeners) listener({ isMoving: false, isFit: true });
    }),
    map.on("render", () => {
      rendered = null;
      paint();
    }),
    map.on("click", (event) => notify(event, "press")),
    map.on("mousemove", (event) => {
      if (map.isMoving()) return;
      hovering = event;
      frame ??= requestAnimationFrame(paint);
    }),
    map.on("mouseout", () => {
      hovering = null;
      for (const listener of pointListeners) listener(null, "point");
    }),
    map.on("webglcontextlost", () => layer.reset()),
  ];
  const theme = new MutationObserver(() => {
    recolorMap(map);
    recolor();
  });
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ["data-mantine-color-scheme"] });

  return {
    setDrawing: ({ cells, dots }) => {
      layer.setCells(cells);
      // A video draws its frame before the map does.
      rendered = null;
      if (dots === overlay.dots) return;
      groupedPixels = viewOf(map).worldPixels;
      change({ dots, groups: dots === null ? [] : groupDots(dots, groupedPixels) });
    },
    setColors: (names) => {
      colorNames = names;
      recolor();
    },
    setOutlines: ({ selected, hovered, dot = null }) => change({ selected, hovered, dot }),
    setAreas: (areas) => change({ areas }),
    fitTo: ([west, south, east, north], { covered: { left, right, bottom } = noEdges, maxZoom, isInstant = false }) =>
      void map.fitBounds(
        [west, shownLatitude(south), east, shownLatitude(north)],
        {
          padding: { top: fitPadding, left: left + fitPadding, right: right + fitPadding, bottom: bottom + fitPadding },
          maxZoom,
          animate: !isInstant && !prefersReducedMotion(),
          duration: 400,
        },
        fitTag,
      ),
    lookAt: ({ lng, lat, zoom = map.getZoom() }, [x, y] = [0, 0]) =>
      void map.easeTo({ center: [lng, lat], zoom, offset: [x, y], animate: !prefersReducedMotion(), duration: 400 }),
    container: map.getContainer(),
    get view() {
      return viewOf(map);
    },
    get viewpoint() {
      const { lng, lat } = map.getCenter().wrap();
      return { lng, lat, zoom: map.getZoom() };
    },
    get groups() {
      return overlay.groups;
    },
    onView: (listener) => {
      viewListeners.add(listener);
      return () => void viewListeners.delete(listener);
    },
    onPoint: (listener) => {
      pointListeners.add(listener);
      return () => void pointListeners.delete(listener);
    },
    setPointing: (isOver) => {
      map.getCanvas().style.cursor = isOver ? "pointer" : "";
    },
    get size() {
      return { width: map.getCanvas().width, height: map.getCanvas().height };
    },
    drawInto: (target) => {
      if (rendered === null) {
        // A rendered frame can be read in the same task only.
        map.redraw();
        rendered = copyOf(map.getCanvas());
      } else paint();
      for (const image of [rendered, canvas]) target.drawImage(image, 0, 0, map.getCanvas().width, map.getCanvas().height);
    },
    destroy: () => {
      for (const subscription of subscriptions) subscription.unsubscribe();
      theme.disconnect();
      viewListeners.clear();
      pointListeners.clear();
      if (frame !== null) cancelAnimationFrame(frame);
      canvas.remove();
      rendered = null;
      layer.setCells(null);
      // MapLibre creates and retains an Error until the next map; remove the map outside of the caller's stack.
      queueMicrotask(() => map.remove());
    },
  };
}

function pointAt(map: MapLibreMap, left: number, top: number): MapPoint {
  const view = viewOf(map);
  const pixel = worldSize / view.worldPixels;
  const x = view.x + (left - view.width / 2) * pixel;
  return { left, top, x: ((x % worldSize) + worldSize) % worldSize, y: view.y + (top - view.height / 2) * pixel };
}

/** The current colors of the page's theme. */
function readColors(names: readonly string[]): OverlayColors {
  const styles = getComputedStyle(document.documentElement);
  const read = (color: string) => (color.startsWith("var(") ? styles.getPropertyValue(color.slice(4, -1)).trim() : color);
  return {
    steps: names.map(read),
    accent: read("var(--accent)"),
    ground: read("var(--path-halo)"),
    onDot: read("var(--path-halo)"),
    font: getComputedStyle(document.body).fontFamily,
  };
}
