import type { FeatureCollection } from "geojson";

/** As `web/places.ts` writes them: the largest first. */
interface PlaceColumns {
  readonly names: readonly string[];
  readonly longitudes: readonly number[];
  readonly latitudes: readonly number[];
  readonly thousands: readonly number[];
}

/** Points with `name`, `rank` (0 is the largest) and `thousands` of inhabitants. */
export async function loadPlaces(): Promise<FeatureCollection> {
  const response = await fetch(import.meta.env.FAIRWAY_PLACES);
  if (!response.ok) throw new Error(`The places of the map answered ${response.status}.`);
  const { names, longitudes, latitudes, thousands } = (await response.json()) as PlaceColumns;
  return {
    type: "FeatureCollection",
    features: names.map((name, rank) => ({
      type: "Feature",
      properties: { name, rank, thousands: thousands[rank] ?? 0 },
      geometry: { type: "Point", coordinates: [longitudes[rank] ?? 0, latitudes[rank] ?? 0] },
    })),
  };
}
