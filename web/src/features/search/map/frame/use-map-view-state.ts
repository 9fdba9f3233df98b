import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { create } from "zustand";
import { encodeViewState, type MapViewState, parseViewState } from "#features/search/map/model/map-view-state.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { setItemFilter } from "#features/search/map/model/map-sessions.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { debounce } from "#lib/pacing/debounce.ts";
import { findRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { mapAddressDebounceMs } from "./delays.ts";

/** View states by search as changed in this tab; they hold more than an address carries. */
const useViewStates = create<{ readonly bySearch: ReadonlyMap<string, MapViewState> }>(() => ({ bySearch: new Map() }));

/** The view state of a search's map, and a function to update it. */
export function useMapViewState(record: SearchRecord): [MapViewState, (change: (now: MapViewState) => Partial<MapViewState>) => void] {
  const { id } = record;
  const first = record.datasetDescription.mapView;
  const local = useViewStates(({ bySearch }) => bySearch.get(id));
  const stored = sliceOf(record, mapExtension);
  const viewState = useMemo(() => local ?? parseViewState(stored, first), [local, stored, first]);
  const change = useCallback(
    (getChanges: (now: MapViewState) => Partial<MapViewState>) => {
      const current = findRecord(id);
      if (!current) return;
      const now =
        useViewStates.getState().bySearch.get(id) ?? parseViewState(sliceOf(current, mapExtension), current.datasetDescription.mapView);
      const next = { ...now, ...getChanges(now) };
      useViewStates.setState(({ bySearch }) => ({ bySearch: new Map(bySearch).set(id, next) }));
      openSearches.setSlice(id, mapExtension, encodeViewState(next, current.datasetDescription.mapView));
    },
    [id],
  );
  return [viewState, change];
}

useOpenSearches.subscribe(({ records }) => {
  const { bySearch } = useViewStates.getState();
  const open = [...bySearch].filter(([id]) => records.some((record) => record.id === id));
  if (open.length < bySearch.size) useViewStates.setState({ bySearch: new Map(open) });
});

/**
 * The text filter of the item list, initially that of the address. It takes effect at once and goes into the address
 * after a pause.
 */
export function useMapFilter(
  record: SearchRecord,
  [viewState, updateViewState]: ReturnType<typeof useMapViewState>,
): [string, (text: string) => void] {
  const { id } = record;
  const { itemFilter } = useMapResults(record);
  const first = useRef(viewState.filter);
  useEffect(() => setItemFilter(id, first.current), [id]);
  const [debounced] = useState(() => debounce(mapAddressDebounceMs));
  useEffect(() => debounced.flush, [debounced]);
  const set = (text: string) => {
    setItemFilter(id, text);
    debounced.schedule(() => updateViewState(() => ({ filter: text })));
  };
  return [itemFilter, set];
}
