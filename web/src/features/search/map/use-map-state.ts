import { useCallback, useDeferredValue, useMemo } from "react";
import { itemTimes, staleColors } from "#features/search/map/model/item-age.ts";
import { filteredItems, type MapItem, type MapItemList } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { useLimits } from "#lib/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useEventTimes, useMapClock } from "./use-map-clock.ts";
import { useItemPaths } from "./use-map-paths.ts";
import { useMapFilter, useMapViewState } from "./use-map-view-state.ts";

export type MapState = ReturnType<typeof useMapState>;

/** What list and map show of a search: items and paths at the clock's time, selection and filters. */
export function useMapState(record: SearchRecord, list: MapItemList) {
  const { isCut, endTimeMs } = useMapResults(record);
  const limits = useLimits();
  const [viewState, updateViewState] = useMapViewState(record);
  const itemPaths = useItemPaths(record, list, [viewState, updateViewState]);
  const { paths } = itemPaths;
  const [filter, setFilter] = useMapFilter(record, [viewState, updateViewState]);
  const deferredFilter = useDeferredValue(filter);
  const items = useMemo(() => filteredItems(list.items, deferredFilter), [list, deferredFilter]);
  const { clock, endMs } = useMapClock(list, paths, endTimeMs ?? list.newestMs ?? 0, {
    settings: viewState.clock,
    onSettings: useCallback((changed) => updateViewState(() => ({ clock: changed })), [updateViewState]),
  });
  const times = useEventTimes(list, paths);
  const seen = useMemo(() => itemTimes(items), [items]);
  const colors = useMemo(() => staleColors(seen, paths, endMs, limits), [seen, paths, endMs, limits]);
  const select = useCallback((item: MapItem | null) => updateViewState(() => ({ selected: item?.id ?? null })), [updateViewState]);
  return {
    ...itemPaths,
    viewState,
    updateViewState,
    items,
    isCut,
    filter,
    setFilter,
    colors,
    clock,
    endMs,
    times,
    gapMs: viewState.gapMs ?? limits.pathGapMs,
    selected: viewState.selected === null ? undefined : list.byId.get(viewState.selected),
    select,
  };
}
