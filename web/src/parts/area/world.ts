import worldUrl from "world-atlas/countries-50m.json?url";
import type { Feature, FeatureCollection, Position } from "geojson";
import { feature, mesh } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";

export interface World {
  readonly land: FeatureCollection;
  readonly borders: Feature;
  /** One point per country, with its name and its rank by size. */
  readonly names: FeatureCollection;
  readonly graticule: Feature;
}

type Countries = Topology<{ countries: GeometryCollection<{ name: string }> }>;

let loading: Promise<World> | undefined;

/** The countries of the world, served by this portal. Fetched once. */
export function loadWorld(): Promise<World> {
  loading ??= fetchWorld().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchWorld(): Promise<World> {
  const response = await fetch(worldUrl);
  if (!response.ok) throw new Error(`The map of the world answered ${response.status}.`);
  const topology = (await response.json()) as Countries;
  const { features } = feature(topology, topology.objects.countries);
  const land = features.map(({ properties, geometry }): Feature => ({ type: "Feature", properties, geometry: unwrapGeometry(geometry) }));
  const borders = mesh(topology, topology.objects.countries, (a, b) => a !== b);
  return {
    land: { type: "FeatureCollection", features: land },
    borders: { type: "Feature", properties: {}, geometry: borders },
    names: { type: "FeatureCollection", features: namesOf(land) },
    graticule: graticule(10),
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
  let shift = 0;
  let previousLng: number | undefined;
  const points = ring.map(([lng = 0, lat = 0]): Position => {
    if (previousLng !== undefined && Math.abs(lng - previousLng) > 180) shift += lng < previousLng ? 360 : -360;
    previousLng = lng;
    return [lng + shift, lat];
  });
  const [first, last] = [points[0], points.at(-1)];
  if (shift === 0 || first === undefined || last === undefined) return points;
  const pole = (last[1] ?? 0) < 0 ? -90 : 90;
  return [...points, [last[0] ?? 0, pole], [first[0] ?? 0, pole], first];
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
