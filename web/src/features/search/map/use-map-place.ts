import { useCallback, useMemo } from "react";
import { create } from "zustand";
import { mapExtension } from "#features/search/search-extensions.ts";
import { codeOfPlace, type MapPlace, placeOfSlice } from "#features/search/map/model/map-place.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Places by search, as they were changed here: more than an address carries. */
const usePlaces = create<{ readonly bySearch: ReadonlyMap<string, MapPlace> }>(() => ({ bySearch: new Map() }));

/** Where the person is on the map of a search, and the way to change it. */
export function useMapPlace(record: SearchRecord): [MapPlace, (change: (now: MapPlace) => Partial<MapPlace>) => void] {
  const { id } = record;
  const changed = usePlaces(({ bySearch }) => bySearch.get(id));
  const stored = sliceOf(record, mapExtension);
  const place = useMemo(() => changed ?? placeOfSlice(stored), [changed, stored]);
  const change = useCallback(
    (make: (now: MapPlace) => Partial<MapPlace>) => {
      const current = findRecord(id);
      if (!current) return;
      const now = usePlaces.getState().bySearch.get(id) ?? placeOfSlice(sliceOf(current, mapExtension));
      const next = { ...now, ...make(now) };
      usePlaces.setState(({ bySearch }) => ({ bySearch: new Map(bySearch).set(id, next) }));
      openSearches.setSlice(id, mapExtension, codeOfPlace(next));
    },
    [id],
  );
  return [place, change];
}

useOpenSearches.subscribe(({ records }) => {
  const { bySearch } = usePlaces.getState();
  const kept = [...bySearch].filter(([id]) => records.some((record) => record.id === id));
  if (kept.length < bySearch.size) usePlaces.setState({ bySearch: new Map(kept) });
});
