import "maplibre-gl/dist/maplibre-gl.css";
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
import { usePortal } from "#lib/portal-settings.ts";
import { loadWorld, type World } from "./world.ts";

setWorkerUrl(workerUrl);

/** Opens a map of the world in the element, without anything from elsewhere unless the operator names tiles. Resolves when it is drawn, no closer than that zoom. */
export async function openMap(
  container: HTMLElement,
  bounds: [west: number, south: number, east: number, north: number],
  closest = 6,
): Promise<MapLibreMap> {
  const world = await loadWorld();
  const { mapTiles } = usePortal.getState().settings;
  const map = new MapLibreMap({
    container,
    style: worldStyle(world, mapTiles),
    bounds,
    fitBoundsOptions: { padding: 32, maxZoom: closest },
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    maxZoom: 14,
  });
  map.touchZoomRotate.disableRotation();
  map.addControl(new NavigationControl({ showCompass: false }), "top-right");
  if (mapTiles !== null && mapTiles.attribution !== "") map.addControl(new AttributionControl({ compact: false }));
  await map.once("load");
  return map;
}

/** The world in the colours of the page's theme as it is now. */
export function recolourMap(map: MapLibreMap): void {
  for (const [layer, property, name] of worldColours) map.setPaintProperty(layer, property, themeColour(name));
}

const worldColours = [
  ["sea", "background-color", "--sea"],
  ["graticule", "line-color", "--border"],
  ["land", "fill-color", "--land"],
  ["borders", "line-color", "--border"],
  ["names", "text-color", "--map-label"],
  ["names", "text-halo-color", "--land"],
] as const;

const themeColour = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

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
      { id: "sea", type: "background", paint: { "background-color": themeColour("--sea") } },
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": themeColour("--border"), "line-width": 0.5, "line-opacity": 0.5 },
      },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": themeColour("--land") } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": themeColour("--border"), "line-width": 0.7 } },
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
        paint: { "text-color": themeColour("--map-label"), "text-halo-color": themeColour("--land"), "text-halo-width": 1 },
      },
      // Above the bundled world, which shows wherever a tile does not come.
      ...(tiles === null ? [] : [{ id: "tiles", type: "raster" as const, source: "tiles" }]),
    ],
  };
}

const tileSource = ({ url, attribution, maxZoom }: MapTiles): RasterSourceSpecification => ({
  type: "raster",
  tiles: [url],
  tileSize: 256,
  maxzoom: maxZoom,
  // MapLibre shows it as HTML; what the operator wrote is text.
  attribution: attribution.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`),
});
