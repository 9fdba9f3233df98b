import { page } from "vitest/browser";
import type { DrawnPath, MapCanvas, MapItems } from "#features/search/map/canvas/map-canvas.ts";
import { openMapCanvas } from "#features/search/map/canvas/open-map-canvas.ts";

/** Not larger than what the tests look at, because without a GPU a map costs by the pixel. */
export const [width, height] = [640, 320];
export const hourMs = 3_600_000;

export function openContainer(size = { width, height }): HTMLElement {
  document.documentElement.dataset["mantineColorScheme"] = "light";
  const container = document.createElement("div");
  container.dataset["testid"] = "map";
  container.style.cssText = `position: relative; width: ${size.width}px; height: ${size.height}px`;
  document.body.append(container);
  return container;
}

export const container = () => page.getByTestId("map");

/** Opens the map over the South Atlantic, where there is little land. One degree is 10 pixels. */
export const openSea = (icon: string | null = null, size = { width, height }): Promise<MapCanvas> =>
  openMapCanvas(openContainer(size), {
    icon,
    highlights: ["rgb(0, 128, 0)"],
    bounds: null,
    viewpoint: { lng: -20, lat: -10, zoom: Math.log2((10 * 360) / 512) },
  });

export const itemsOf = (rows: [id: string, lat: number, lng: number, hours: number, color: number][]): MapItems => ({
  ids: rows.map(([id]) => id),
  latitudes: Float64Array.from(rows, ([, lat]) => lat),
  longitudes: Float64Array.from(rows, ([, , lng]) => lng),
  timesMs: Float64Array.from(rows, ([, , , hours]) => hours * hourMs),
  colors: Uint8Array.from(rows, ([, , , , color]) => color),
});

export const pathOf = (id: string, rows: [lat: number, lng: number, hours: number, color: number][]): DrawnPath => ({
  id,
  latitudes: Float64Array.from(rows, ([lat]) => lat),
  longitudes: Float64Array.from(rows, ([, lng]) => lng),
  timesMs: Float64Array.from(rows, ([, , hours]) => hours * hourMs),
  colors: Uint8Array.from(rows, ([, , , color]) => color),
});
