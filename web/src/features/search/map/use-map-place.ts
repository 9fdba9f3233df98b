import { useCallback } from "react";
import { findRecord } from "#parts/open-searches/records.ts";
import type { SearchRecord } from "#parts/open-searches/search-record.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { type MapPlace, startPlace } from "#parts/map-results/map-place.ts";

/** Where the person is on the map of a search, and the way to change it. */
export function useMapPlace({ id, map }: SearchRecord): [MapPlace, (change: (now: MapPlace) => Partial<MapPlace>) => void] {
  const change = useCallback(
    (make: (now: MapPlace) => Partial<MapPlace>) => {
      const record = findRecord(id);
      if (!record) return;
      const now = record.map ?? startPlace;
      openSearches.setMapPlace(id, { ...now, ...make(now) });
    },
    [id],
  );
  return [map ?? startPlace, change];
}
