import "maplibre-gl/dist/maplibre-gl.css";
import "./basemap.css";
import {
  AttributionControl,
  Map as MapLibreMap,
  NavigationControl,
  type RasterSourceSpecification,
  setWorkerUrl,
  type StyleSpecification,
} from "maplibre-gl";
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import type { MapTiles } from "@fairway/contract/settings";
import { usePortal } from "#lib/gateway/portal-settings.ts";
import { prefersReducedMotion } from "#lib/browser/reduced-motion.ts";
import { loadWorld, type World } from "./world.ts";

setWorkerUrl(workerUrl);

/** How a map shows bounds when it opens. */
export const initialFit = (maxZoom = 6) => ({ padding: 32, maxZoom });

type Bounds = [west: number, south: number, east: number, north: number];

/**
 * Opens a map of the world that loads nothing from other hosts unless the operator configured tiles. Resolves once it is drawn.
 * Bounds may be a function, which is called as late as possible.
 */
export async function openMap(container: HTMLElement, bounds: Bounds | (() => Bounds), maxInitialZoom?: number): Promise<MapLibreMap> {
  const world = await loadWorld();
  const { mapTiles } = usePortal.getState().settings;
  const map = new MapLibreMap({
    container,
    style: worldStyle(world, mapTiles),
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
  if (mapTiles !== null && mapTiles.attribution !== "") map.addControl(new AttributionControl({ compact: false }));
  await map.once("load");
  return map;
}

/** Applies the colors of the page's current theme. */
export function recolorMap(map: MapLibreMap): void {
  for (const [layer, property, name] of worldColors) map.setPaintProperty(layer, property, themeColor(name));
}

const worldColors = [
  ["sea", "background-color", "--sea"],
  ["graticule", "line-color", "--border"],
  ["land", "fill-color", "--land"],
  ["borders", "line-color", "--border"],
  ["names", "text-color", "--map-label"],
  ["names", "text-halo-color", "--land"],
] as const;

const themeColor = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function worldStyle({ land, borders, names, graticule }: World, tiles: MapTiles | null): StyleSpecification {
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: land },
      borders: { type: "geojson", data: borders },
      names: { type: "geojson", data: names },
      graticule: { type: "geojson", data: graticule },
      ...(tiles === null ? {} : { tiles: tileSource(tiles) }),
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": themeColor("--sea") } },
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": themeColor("--border"), "line-width": 0.5, "line-opacity": 0.5 },
      },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": themeColor("--land") } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": themeColor("--border"), "line-width": 0.7 } },
      {
        id: "names",
        type: "symbol",
        source: "names",
        layout: {
          "text-field": ["get", "name"],
          "text-font": ["sans-serif"],
          "text-size": 11,
          "text-max-width": 6,
          "symbol-sort-key": ["get", "rank"],
        },
        paint: { "text-color": themeColor("--map-label"), "text-halo-color": themeColor("--land"), "text-halo-width": 1 },
      },
      // Above the bundled world, which stays visible wherever a tile is missing.
      ...(tiles === null ? [] : [{ id: "tiles", type: "raster" as const, source: "tiles" }]),
    ],
  };
}

const tileSource = ({ url, attribution, maxZoom }: MapTiles): RasterSourceSpecification => ({
  type: "raster",
  tiles: [url],
  tileSize: 256,
  maxzoom: maxZoom,
  // MapLibre renders it as HTML, but the setting is plain text.
  attribution: attribution.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
});
