import type { Map as MapLibreMap } from "maplibre-gl";
import { projectedX, projectedY } from "./projection.ts";
import type { View } from "./view.ts";

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
