import fineWorldUrl from "world-atlas/countries-10m.json?url";
import worldUrl from "world-atlas/countries-50m.json?url";
import type { Feature, FeatureCollection, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import { loadOnce } from "#lib/pacing/load-once.ts";

export interface Outlines {
  readonly land: FeatureCollection;
  /** The lines between land and sea. */
  readonly coast: () => Feature;
  /** Between countries. */
  readonly borders: Feature;
}

export interface World extends Outlines {
  /** One point per country, with its name and its rank by size. */
  readonly names: FeatureCollection;
  readonly graticule: Feature;
}

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;

/** The countries of the world, served by this portal. Fetched once. */
export const loadWorld = loadOnce(async (): Promise<World> => {
  const outlines = outlinesOf(await fetchCountries(worldUrl));
  return {
    ...outlines,
    names: { type: "FeatureCollection", features: namesOf(outlines.land.features) },
    graticule: graticule(10),
  };
});

/** The same outlines with five times as many corners. Fetched once, when a map needs them. */
export const loadFineOutlines = loadOnce(async (): Promise<Outlines> => outlinesOf(await fetchCountries(fineWorldUrl)));

async function fetchCountries(url: string): Promise<Countries> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`The map of the world answered ${response.status}.`);
  return (await response.json()) as Countries;
}

function outlinesOf(topology: Countries): Outlines {
  const { countries } = topology.objects;
  const land = feature(topology, countries).features.map(({ properties, geometry }): Feature => ({
    type: "Feature",
    properties,
    geometry: unwrapGeometry(geometry),
  }));
  const line = (isKept: (a: unknown, b: unknown) => boolean): Feature => {
    const { coordinates } = mesh(topology, countries, isKept);
    return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates: coordinates.map(unwrapLine) } };
  };
  return {
    land: { type: "FeatureCollection", features: land },
    coast: () => line((a, b) => a === b),
    borders: line((a, b) => a !== b),
  };
}

/** Unwraps rings that cross the antimeridian: longitudes go on beyond ±180. A ring around a pole is closed over the pole. */
function unwrapGeometry(geometry: Feature["geometry"]): Feature["geometry"] {
  if (geometry.type === "Polygon") return { ...geometry, coordinates: geometry.coordinates.map(unwrapRing) };
  if (geometry.type === "MultiPolygon") {
    return { ...geometry, coordinates: geometry.coordinates.map((polygon) => polygon.map(unwrapRing)) };
  }
  return geometry;
}

function unwrapRing(ring: Position[]): Position[] {
  const points = unwrapLine(ring);
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first[0] === last[0]) return points;
  const pole = (last[1] ?? 0) < 0 ? -90 : 90;
  return [...points, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
}

/** A line whose longitudes go on beyond ±180 where it crosses the antimeridian. */
function unwrapLine(line: readonly Position[]): Position[] {
  let shift = 0;
  let previousLng: number | undefined;
  return line.map(([lng = 0, lat = 0]): Position => {
    if (previousLng !== undefined && Math.abs(lng - previousLng) > 180) shift += lng < previousLng ? 360 : -360;
    previousLng = lng;
    return [lng + shift, lat];
  });
}

function namesOf(countries: readonly Feature[]): Feature[] {
  return countries
    .map(({ geometry, properties }) => ({ name: String(properties?.["name"] ?? ""), ring: largestRing(geometry) }))
    .filter(({ ring }) => ring.length > 0)
    .toSorted((a, b) => extent(b.ring) - extent(a.ring))
    .map(({ name, ring }, rank) => ({
      type: "Feature",
      properties: { name, rank },
      geometry: { type: "Point", coordinates: centroid(ring) },
    }));
}

function largestRing(geometry: Feature["geometry"]): Position[] {
  const polygons = geometry.type === "Polygon" ? [geometry.coordinates] : geometry.type === "MultiPolygon" ? geometry.coordinates : [];
  return polygons.map(([outer = []]) => outer).toSorted((a, b) => extent(b) - extent(a))[0] ?? [];
}

const extent = (ring: readonly Position[]): number => Math.abs(signedArea(ring));

const signedArea = (ring: readonly Position[]): number =>
  ring.reduce((sum, [lng = 0, lat = 0], index) => {
    const [nextLng = 0, nextLat = 0] = ring[(index + 1) % ring.length] ?? [];
    return sum + lng * nextLat - nextLng * lat;
  }, 0) / 2;

/** The centroid, where a country's name is placed. */
function centroid(ring: readonly Position[]): Position {
  const area = signedArea(ring);
  let [x, y] = [0, 0];
  for (const [index, [lng = 0, lat = 0]] of ring.entries()) {
    const [nextLng = 0, nextLat = 0] = ring[(index + 1) % ring.length] ?? [];
    const cross = lng * nextLat - nextLng * lat;
    x += (lng + nextLng) * cross;
    y += (lat + nextLat) * cross;
  }
  return [x / (6 * area), y / (6 * area)];
}

function graticule(step: number): Feature {
  const lines: Position[][] = [];
  for (let lng = -180; lng <= 180; lng += step)
    lines.push([
      [lng, -85],
      [lng, 85],
    ]);
  for (let lat = -80; lat <= 80; lat += step)
    lines.push([
      [-180, lat],
      [180, lat],
    ]);
  return { type: "Feature", properties: {}, geometry: { type: "MultiLineString", coordinates: lines } };
}
