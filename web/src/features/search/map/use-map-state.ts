import { useCallback, useDeferredValue, useMemo } from "react";
import { itemTimes, staleColors } from "#features/search/map/model/item-age.ts";
import { filteredItems, type MapItem, type MapItemList } from "#features/search/map/model/map-items.ts";
import type { ShownPath } from "#features/search/map/model/path-model.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useEventTimes, useMapClock } from "./use-map-clock.ts";
import { orderedItems } from "#features/search/map/model/item-order.ts";
import { choiceOf, type MarkColumns, markColumnsOf } from "#features/search/map/model/mark-choice.ts";
import { colorColumns, markColorCodes, markSizeCodes, scaleNamed, sizeColumns, withSizes } from "#features/search/map/model/marks.ts";
import { type Track, maxUnaskedTracks } from "#features/search/map/model/tracks.ts";
import { useItemPaths } from "./use-map-paths.ts";
import { useTracks } from "./use-tracks.ts";
import { useMapFilter, useMapViewState } from "./use-map-view-state.ts";

export type MapState = ReturnType<typeof useMapState>;

/** State that list and map share: items and paths at the clock's time, selection and filters. */
export function useMapState(record: SearchRecord, list: MapItemList) {
  const { isCut, endTimeMs } = useMapResults(record);
  const limits = useLimits();
  const [viewState, updateViewState] = useMapViewState(record);
  const itemPaths = useItemPaths(record, list, [viewState, updateViewState]);
  const { paths } = itemPaths;
  const [filter, setFilter] = useMapFilter(record, [viewState, updateViewState]);
  const deferredFilter = useDeferredValue(filter);
  const { datasetDescription: description } = record;
  const { columns } = description.schema;
  const { colorColumn, sizeColumn } = markColumnsOf(viewState, description);
  const colorScale = useMemo(() => scaleNamed(colorColumn, colorColumns, list, columns), [colorColumn, list, columns]);
  const sizeScale = useMemo(() => scaleNamed(sizeColumn, sizeColumns, list, columns), [sizeColumn, list, columns]);
  const order = viewState.order === "value" && colorScale === null ? "name" : viewState.order;
  const items = useMemo(
    () => orderedItems(filteredItems(list.items, deferredFilter), order, colorScale),
    [list, deferredFilter, order, colorScale],
  );
  const showsTracks = viewState.tracks ?? list.items.length <= maxUnaskedTracks;
  const { tracks, isLoading: isLoadingTracks } = useTracks(record, list, showsTracks);
  // A path with every position replaces the track of its item.
  const otherTracks = useMemo(() => tracksWithout(tracks, items, paths), [tracks, items, paths]);
  const shownPaths = useMemo<ReadonlyMap<string, ShownPath>>(
    () => new Map<string, ShownPath>([...paths, ...otherTracks]),
    [otherTracks, paths],
  );
  const drawn = useMemo(
    () => [...[...otherTracks.values()].map((track) => track.drawn), ...itemPaths.drawn],
    [otherTracks, itemPaths.drawn],
  );
  const { clock, endMs, isAtEnd } = useMapClock(list, shownPaths, endTimeMs ?? list.newestMs ?? 0, {
    settings: viewState.clock,
    onSettings: useCallback((changed) => updateViewState(() => ({ clock: changed })), [updateViewState]),
  });
  const times = useEventTimes(list, shownPaths);
  const seen = useMemo(() => itemTimes(items), [items]);
  const marks = useMemo(
    () => ({ colors: colorScale && markColorCodes(items, colorScale), sizes: sizeScale && markSizeCodes(items, sizeScale) }),
    [items, colorScale, sizeScale],
  );
  const colors = useMemo(
    () => withSizes(marks.colors ?? staleColors(seen, shownPaths, endMs, limits), marks.sizes),
    [marks, seen, shownPaths, endMs, limits],
  );
  const select = useCallback((item: MapItem | null) => updateViewState(() => ({ selected: item?.id ?? null })), [updateViewState]);
  return {
    ...itemPaths,
    drawn,
    shownPaths,
    showsTracks,
    /** Tracks of the items that match the filter. */
    tracks: otherTracks,
    allTracks: tracks,
    isLoadingTracks,
    setTracks: (isShown: boolean) => updateViewState(() => ({ tracks: isShown })),
    viewState,
    updateViewState,
    items,
    isCut,
    filter,
    setFilter,
    order,
    colors,
    markColumns: { colorColumn, sizeColumn },
    setMarkColumns: (changed: Partial<MarkColumns>) => updateViewState(() => choiceOf(changed, description)),
    colorScale,
    sizeScale,
    clock,
    endMs,
    isAtEnd,
    times,
    gapMs: viewState.gapMs ?? limits.pathGapMs,
    selected: viewState.selected === null ? undefined : list.byId.get(viewState.selected),
    select,
  };
}

/** The tracks of these items except those with a loaded path. */
function tracksWithout(
  tracks: ReadonlyMap<string, Track>,
  items: readonly MapItem[],
  paths: ReadonlyMap<string, ShownPath>,
): ReadonlyMap<string, Track> {
  return new Map(
    items.flatMap(({ id }) => {
      const track = tracks.get(id);
      return track === undefined || (paths.get(id)?.points ?? null) !== null ? [] : [[id, track] as const];
    }),
  );
}
