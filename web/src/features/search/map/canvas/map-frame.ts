import { GPUInitializationError, type Map as MapLibreMap } from "maplibre-gl";
import { openMap } from "#parts/area/basemap.ts";
import type { Bounds, Viewpoint } from "./map-canvas.ts";
import { projectedX, projectedY } from "./projection.ts";
import type { View } from "./view.ts";

/** WebGL 2 is unavailable: switched off, or too many contexts are open. */
export class NoWebGl extends Error {}

/** The bounds of a map that has nothing to show yet. */
const wholeWorld: Bounds = [-150, -55, 150, 70];

/** Opens the base map of a canvas. Rejects with `NoWebGl`, too. */
export async function openFrame(
  container: HTMLElement,
  { bounds = null, viewpoint }: { readonly bounds?: Bounds | null; readonly viewpoint?: Viewpoint | null },
): Promise<MapLibreMap> {
  const [west, south, east, north] = bounds ?? wholeWorld;
  const map = await openMap(container, [west, south, east, north]).catch((error: unknown) => {
    throw error instanceof GPUInitializationError ? new NoWebGl(error.message, { cause: error }) : error;
  });
  // Boards have several maps, each of which is a landmark.
  const name = container.getAttribute("aria-label");
  if (name !== null) map.getCanvas().setAttribute("aria-label", name);
  if (viewpoint) map.jumpTo({ center: viewpoint, zoom: viewpoint.zoom });
  return map;
}

/** A canvas over the map that takes no input. */
export function createOverlay(): HTMLCanvasElement {
  const canvas = document.createElement("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.cssText = "position:absolute;left:0;top:0;pointer-events:none";
  return canvas;
}

/** Gives an overlay the size of the view. `ratio`: screen pixels per CSS pixel. */
export function sizeOverlay(overlay: HTMLCanvasElement, view: View, ratio: number): void {
  const [width, height] = [Math.round(view.width * ratio), Math.round(view.height * ratio)];
  if (overlay.width === width && overlay.height === height) return;
  [overlay.width, overlay.height] = [width, height];
  [overlay.style.width, overlay.style.height] = [`${view.width}px`, `${view.height}px`];
}

/** A copy of a canvas that was rendered in this task. */
export function copyOf(source: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement("canvas");
  [copy.width, copy.height] = [source.width, source.height];
  copy.getContext("2d")?.drawImage(source, 0, 0);
  return copy;
}

export function viewOf(map: MapLibreMap): View {
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

/** Within what the map shows of the world. */
export const shownLatitude = (latitude: number): number => Math.min(85, Math.max(-85, latitude));
