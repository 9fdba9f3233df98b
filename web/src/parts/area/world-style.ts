import type { FeatureCollection } from "geojson";
import type { ExpressionSpecification, LayerSpecification, RasterSourceSpecification, StyleSpecification } from "maplibre-gl";
import type { PortalSettings } from "@fairway/contract/settings";
import { mapFileTiles } from "./map-file-tiles.ts";
import type { World } from "./world.ts";

/** The zoom from which coasts and borders have all their corners, and places their names. */
export const fineZoom = 5;

/** Thousands of inhabitants that a place needs to be named, from each zoom on. */
const namedPlaces: ExpressionSpecification = ["step", ["zoom"], 1_000, 6, 300, 7, 100, 8, 0];

/** Layers that stay legible above cells of data. */
export const layersAboveData = ["borders", "place-dots", "names", "places"] as const;

/** Colors of the page's theme, by layer. */
export const worldColors = [
  ["sea", "background-color", "--sea"],
  ["graticule", "line-color", "--border"],
  ["land", "fill-color", "--land"],
  ["coast", "line-color", "--path-halo"],
  ["borders", "line-color", "--border"],
  ["names", "text-color", "--map-label"],
  ["names", "text-halo-color", "--land"],
  ["place-dots", "circle-color", "--map-label"],
  ["places", "text-color", "--map-label"],
  ["places", "text-halo-color", "--land"],
] as const;

const empty: FeatureCollection = { type: "FeatureCollection", features: [] };

/** The bundled world, and above it what the operator configured; the world stays visible wherever a tile is missing. */
export function worldStyle(
  { land, borders, names, graticule }: World,
  { mapTiles, mapFile }: Pick<PortalSettings, "mapTiles" | "mapFile">,
  colorOf: (token: string) => string,
): StyleSpecification {
  const rasters: Record<string, RasterSourceSpecification> = {
    ...(mapFile === null ? {} : { "map-file": rasterOf({ ...mapFile, url: mapFileTiles }) }),
    ...(mapTiles === null ? {} : { tiles: rasterOf(mapTiles) }),
  };
  const text = { "text-color": colorOf("--map-label"), "text-halo-color": colorOf("--land"), "text-halo-width": 1.6 };
  return {
    version: 8,
    sources: {
      land: { type: "geojson", data: land },
      borders: { type: "geojson", data: borders },
      names: { type: "geojson", data: names },
      graticule: { type: "geojson", data: graticule },
      places: { type: "geojson", data: empty, attribution: "GeoNames" },
      ...rasters,
    },
    layers: [
      { id: "sea", type: "background", paint: { "background-color": colorOf("--sea") } },
      {
        id: "graticule",
        type: "line",
        source: "graticule",
        paint: { "line-color": colorOf("--border"), "line-width": 0.5, "line-opacity": 0.5 },
      },
      { id: "land", type: "fill", source: "land", paint: { "fill-color": colorOf("--land") } },
      { id: "borders", type: "line", source: "borders", paint: { "line-color": colorOf("--border"), "line-width": 0.7 } },
      {
        id: "place-dots",
        type: "circle",
        source: "places",
        minzoom: fineZoom,
        filter: [">=", ["get", "thousands"], namedPlaces],
        paint: { "circle-radius": 1.5, "circle-color": colorOf("--map-label") },
      },
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
        paint: text,
      },
      {
        id: "places",
        type: "symbol",
        source: "places",
        minzoom: fineZoom,
        filter: [">=", ["get", "thousands"], namedPlaces],
        layout: {
          "text-field": ["get", "name"],
          "text-font": ["sans-serif"],
          "text-size": 10,
          "text-max-width": 8,
          "text-variable-anchor": ["left", "right", "top", "bottom"],
          "text-radial-offset": 0.4,
          "symbol-sort-key": ["get", "rank"],
        },
        paint: text,
      },
      ...Object.keys(rasters).map((source): LayerSpecification => ({ id: source, type: "raster", source })),
    ],
  };
}

const rasterOf = ({ url, attribution, maxZoom }: { url: string; attribution: string; maxZoom: number }): RasterSourceSpecification => ({
  type: "raster",
  tiles: [url],
  tileSize: 256,
  maxzoom: maxZoom,
  // MapLibre renders it as HTML, but the setting is plain text.
  attribution: attribution.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`),
});
