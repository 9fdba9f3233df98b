import type { GeoJSONSource, Map as MapLibreMap } from "maplibre-gl";
import { logFailure } from "#lib/browser/log.ts";
import { loadPlaces } from "./places.ts";
import { fineZoom } from "./world-style.ts";
import { loadFineOutlines } from "./world.ts";

/** Gives a map coasts and borders with all their corners, and the names of places, once it is near enough for them. */
export function refineWhenNear(map: MapLibreMap): void {
  const refine = () => {
    if (map.getZoom() < fineZoom) return;
    map.off("zoomend", refine);
    let isOpen = true;
    map.once("remove", () => (isOpen = false));
    const set = (source: string, data: GeoJSON.GeoJSON) => {
      if (isOpen) void map.getSource<GeoJSONSource>(source)?.setData(data);
    };
    Promise.all([
      loadFineOutlines().then(({ land, borders, coast }) => {
        set("land", land);
        set("borders", borders);
        if (isOpen && map.getSource("coast") !== undefined) set("coast", coast());
      }),
      loadPlaces().then((places) => set("places", places)),
    ]).catch((error: unknown) => {
      logFailure("The map could not be refined", error);
      // The next zoom tries again.
      if (isOpen) map.on("zoomend", refine);
    });
  };
  map.on("zoomend", refine);
  refine();
}
