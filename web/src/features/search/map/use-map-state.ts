import { useCallback, useDeferredValue, useMemo } from "react";
import { itemTimes, staleColours } from "#features/search/map/model/item-age.ts";
import { filteredItems, type MapItem, type MapItemList } from "#features/search/map/model/map-items.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { useLimits } from "#lib/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useEventTimes, useMapClock } from "./use-map-clock.ts";
import { useItemPaths } from "./use-map-paths.ts";
import { useMapFilter, useMapPlace } from "./use-map-place.ts";

export type MapState = ReturnType<typeof useMapState>;

/** What the list and the map show of a search: its items and paths at the clock's time, and where the person is among them. */
export function useMapState(record: SearchRecord, list: MapItemList) {
  const { isCut, endTimeMs } = useMapResults(record);
  const limits = useLimits();
  const [place, changePlace] = useMapPlace(record);
  const itemPaths = useItemPaths(record, list, [place, changePlace]);
  const { paths } = itemPaths;
  const [filter, setFilter] = useMapFilter(record, [place, changePlace]);
  const deferredFilter = useDeferredValue(filter);
  const items = useMemo(() => filteredItems(list.items, deferredFilter), [list, deferredFilter]);
  const { clock, endMs } = useMapClock(list, paths, endTimeMs ?? list.newestMs ?? 0, {
    place: place.clock,
    onPlace: useCallback((changed) => changePlace(() => ({ clock: changed })), [changePlace]),
  });
  const times = useEventTimes(list, paths);
  const seen = useMemo(() => itemTimes(items), [items]);
  const colours = useMemo(() => staleColours(seen, paths, endMs, limits), [seen, paths, endMs, limits]);
  const select = useCallback((item: MapItem | null) => changePlace(() => ({ selected: item?.id ?? null })), [changePlace]);
  return {
    ...itemPaths,
    place,
    changePlace,
    items,
    isCut,
    filter,
    setFilter,
    colours,
    clock,
    endMs,
    times,
    gapMs: place.gapMs ?? limits.pathGapMs,
    selected: place.selected === null ? undefined : list.byId.get(place.selected),
    select,
  };
}
