import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { codeOfPlace, type MapPlace, placeOfSlice } from "#features/search/map/model/map-place.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { setItemFilter } from "#features/search/map/model/map-sessions.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { debounce } from "#lib/debounce.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { mapPlaceDebounceMs } from "./delays.ts";

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

/** What narrows the list of items: that of the address at first. It takes effect at once, and goes into the address after a pause. */
export function useMapFilter(record: SearchRecord, [place, changePlace]: ReturnType<typeof useMapPlace>): [string, (text: string) => void] {
  const { id } = record;
  const { itemFilter } = useMapResults(record);
  const first = useRef(place.filter);
  useEffect(() => setItemFilter(id, first.current), [id]);
  const [debounced] = useState(() => debounce(mapPlaceDebounceMs));
  useEffect(() => debounced.flush, [debounced]);
  const set = (text: string) => {
    setItemFilter(id, text);
    debounced.schedule(() => changePlace(() => ({ filter: text })));
  };
  return [itemFilter, set];
}
