import type { Polygon } from "geojson";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import landUrl from "world-atlas/land-110m.json?url";
import { loadOnce } from "#lib/pacing/load-once.ts";

type Ring = Polygon["coordinates"][number];

/** The coasts of the world in little detail, as rings of longitude and latitude. Fetched once. */
export const loadLand = loadOnce(async (): Promise<readonly Ring[]> => {
  const response = await fetch(landUrl);
  if (!response.ok) throw new Error(`The land of the world answered ${response.status}.`);
  const topology = (await response.json()) as Topology<{ land: GeometryCollection }>;
  return feature(topology, topology.objects.land).features.flatMap(({ geometry }) =>
    geometry.type === "MultiPolygon" ? geometry.coordinates.flat() : geometry.type === "Polygon" ? geometry.coordinates : [],
  );
});

/** The rings that an extent may show, as a path with y pointing down. */
export function landPath(rings: readonly Ring[], view: { west: number; north: number; width: number; height: number }): string {
  const [east, south] = [view.west + view.width, view.north - view.height];
  const isWithin = (ring: Ring): boolean => {
    const lngs = ring.map(([lng = 0]) => lng);
    const lats = ring.map(([, lat = 0]) => lat);
    return Math.max(...lngs) >= view.west && Math.min(...lngs) <= east && Math.max(...lats) >= south && Math.min(...lats) <= view.north;
  };
  return rings
    .filter(isWithin)
    .map((ring) => `${ring.map((point, index) => `${startsPart(ring[index - 1], point) ? "M" : "L"}${pointText(point)}`).join("")}Z`)
    .join("");
}

/** At the antimeridian a ring goes on at the other end of the map, where no line may lead. */
const startsPart = (previous: Ring[number] | undefined, [lng = 0]: Ring[number]): boolean =>
  previous === undefined || Math.abs((previous[0] ?? 0) - lng) > 180;

const pointText = ([lng = 0, lat = 0]: Ring[number]): string => `${lng.toFixed(1)} ${(-lat).toFixed(1)}`;
