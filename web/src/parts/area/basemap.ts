import "maplibre-gl/dist/maplibre-gl.css";
import "./basemap.css";
import {
  AttributionControl,
  type CustomLayerInterface,
  Map as MapLibreMap,
  NavigationControl,
  ScaleControl,
  setWorkerUrl,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { prefersReducedMotion } from "#lib/browser/reduced-motion.ts";
import { refineWhenNear } from "./fine-world.ts";
import { fineZoom, layersAboveData, worldColors, worldStyle } from "./world-style.ts";
import { loadFineOutlines, loadWorld } from "./world.ts";

setWorkerUrl(workerUrl);

/** How a map shows bounds when it opens. */
export const initialFit = (maxZoom = 6) => ({ padding: 32, maxZoom });

type Bounds = [west: number, south: number, east: number, north: number];

/**
 * Opens a map of the world that loads nothing from other hosts unless the operator configured tiles. Resolves once it is drawn.
 * Bounds may be a function, which is called as late as possible.
 */
export async function openMap(container: HTMLElement, bounds: Bounds | (() => Bounds), maxInitialZoom?: number): Promise<MapLibreMap> {
  const { mapTiles, mapFile } = usePortal.getState().settings;
  const [world, registerMapFile] = await Promise.all([
    loadWorld(),
    mapFile && import("./map-file.ts").then((loaded) => loaded.registerMapFile),
  ]);
  registerMapFile?.();
  const map = new MapLibreMap({
    container,
    style: worldStyle(world, { mapTiles, mapFile }, themeColor),
    bounds: typeof bounds === "function" ? bounds() : bounds,
    fitBoundsOptions: initialFit(maxInitialZoom),
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 14,
    // The whole map is redrawn in every frame while the names of countries fade in.
    fadeDuration: prefersReducedMotion() ? 0 : 300,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  map.addControl(new ScaleControl({ maxWidth: 96 }), "bottom-left");
  map.addControl(new AttributionControl({ compact: false }));
  await map.once("load");
  refineWhenNear(map);
  return map;
}

/** Applies the colors of the page's current theme. */
export function recolorMap(map: MapLibreMap): void {
  for (const [layer, property, name] of worldColors) {
    if (map.getLayer(layer) !== undefined) map.setPaintProperty(layer, property, themeColor(name));
  }
}

/** Puts a layer above the land, or the operator's tiles, and below coasts, borders and names. */
export async function showCoast(map: MapLibreMap, below: CustomLayerInterface): Promise<void> {
  const { coast } = map.getZoom() < fineZoom ? await loadWorld() : await loadFineOutlines();
  map.addSource("coast", { type: "geojson", data: coast() });
  map.addLayer(below);
  map.addLayer({
    id: "coast",
    type: "line",
    source: "coast",
    paint: { "line-color": themeColor("--path-halo"), "line-width": 1.3, "line-opacity": 0.72 },
  });
  for (const layer of layersAboveData) map.moveLayer(layer);
}

const themeColor = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
