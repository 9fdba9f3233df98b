import type { Column } from "@fairway/contract/columns";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import { itemTimes, staleColors } from "#features/search/map/model/item-age.ts";
import { filteredItems, type MapItem, type MapItemList } from "#features/search/map/model/map-items.ts";
import { hasPath, type ShownPath } from "#features/search/map/model/path-model.ts";
import { useMapResults } from "#features/search/map/model/map-results.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useEventTimes, useMapClock } from "./use-map-clock.ts";
import { orderedItems } from "#features/search/map/model/item-order.ts";
import { choiceOf, type MarkColumns, markColumnsOf } from "#features/search/map/model/mark-choice.ts";
import {
  colorColumnNamed,
  colorColumns,
  markColorCodes,
  markSizeCodes,
  scaleNamed,
  sizeColumns,
  type ValuesAlong,
  withSizes,
} from "#features/search/map/model/marks.ts";
import { askAboutCrowd } from "#features/search/map/model/path-sessions.ts";
import { exactItems, maxUnasked, type Overview, type PathChoice } from "#features/search/map/model/path-choice.ts";
import { pathMarks, valueAt, valuesAlong } from "#features/search/map/model/path-values.ts";
import { drawnTrack, type Track, maxUnaskedTracks } from "#features/search/map/model/tracks.ts";
import type { TracksView } from "#features/search/map/model/tracks-view.ts";
import { drawnPaths, useItemPaths } from "./use-map-paths.ts";
import { useTracks } from "./use-tracks.ts";
import { useMapFilter, useMapViewState } from "./frame/use-map-view-state.ts";

export type MapState = ReturnType<typeof useMapState>;

/** State that list and map share: items and paths at the clock's time, selection and filters. */
export function useMapState(record: SearchRecord, list: MapItemList) {
  const { isCut, endTimeMs } = useMapResults(record);
  const limits = useLimits();
  const [viewState, updateViewState] = useMapViewState(record);
  const [filter, setFilter] = useMapFilter(record, [viewState, updateViewState]);
  const deferredFilter = useDeferredValue(filter);
  const { datasetDescription: description } = record;
  const { columns } = description.schema;
  const { colorColumn, sizeColumn } = markColumnsOf(viewState, description);
  const colored = useMemo(() => colorColumnNamed(colorColumn, columns, list.fields), [colorColumn, columns, list.fields]);
  const itemPaths = useItemPaths(record, list, [viewState, updateViewState], colored?.name ?? null);
  const { paths } = itemPaths;
  const showsTracks = viewState.tracks ?? list.items.length <= maxUnaskedTracks;
  const [shownView, onShown] = useState<TracksView | null>(null);
  const { tracks, isLoading: isLoadingTracks, isTruncated } = useTracks(record, list, showsTracks, { column: colored, view: shownView });
  const along = useUnchanged(colored === undefined ? noValues : valuesAlong(colored.name, [...tracks.values(), ...paths.values()]));
  const colorScale = useMemo(() => scaleNamed(colorColumn, colorColumns, list, columns, along), [colorColumn, list, columns, along]);
  const sizeScale = useMemo(() => scaleNamed(sizeColumn, sizeColumns, list, columns), [sizeColumn, list, columns]);
  const order = viewState.order === "value" && colorScale === null ? "name" : viewState.order;
  const items = useMemo(
    () => orderedItems(filteredItems(list.items, deferredFilter), order, colorScale),
    [list, deferredFilter, order, colorScale],
  );
  // A path with every position replaces the track of its item.
  const otherTracks = useMemo(() => tracksWithout(tracks, items, paths), [tracks, items, paths]);
  const shownPaths = useMemo<ReadonlyMap<string, ShownPath>>(
    () => new Map<string, ShownPath>([...paths, ...otherTracks]),
    [otherTracks, paths],
  );
  const { layers } = viewState;
  const drawn = useMemo(
    () => [
      ...[...otherTracks].map(([id, track]) => drawnTrack(id, track, pathMarks(track.points, colorScale))),
      ...drawnPaths(paths, layers, columns, colorScale),
    ],
    [otherTracks, paths, layers, columns, colorScale],
  );
  const { clock, endMs, isAtEnd } = useMapClock(list, shownPaths, endTimeMs ?? list.newestMs ?? 0, {
    settings: viewState.clock,
    onSettings: useCallback((changed) => updateViewState(() => ({ clock: changed })), [updateViewState]),
  });
  const times = useEventTimes(list, shownPaths);
  const seen = useMemo(() => itemTimes(items), [items]);
  const valueOf = useCallback(
    (item: MapItem, { name }: Pick<Column, "name">) => valueAt(item, shownPaths.get(item.id), { name }, endMs),
    [shownPaths, endMs],
  );
  const sizes = useMemo(() => sizeScale && markSizeCodes(items, sizeScale), [items, sizeScale]);
  const colors = useMemo(() => {
    const ofItems = colorScale
      ? markColorCodes(items, colorScale, (item) => valueOf(item, colorScale.column))
      : staleColors(seen, shownPaths, endMs, limits);
    return withSizes(ofItems, sizes);
  }, [items, colorScale, valueOf, sizes, seen, shownPaths, endMs, limits]);
  const positions = items.length === list.items.length ? record.totalResultCount : null;
  const overview = showsTracks ? overviewOf(shownPaths, items, { positions, isLoading: isLoadingTracks, isTruncated }) : null;
  const gapMs = viewState.gapMs ?? limits.pathGapMs;
  const isColored = along.length > 0 && colorScale !== null;
  const hasMissing = useMemo(() => along.some((values) => values.includes(null)), [along]);
  const pathLegend = paths.size > 0 || otherTracks.size > 0 ? { gapMs, isColored, hasMissing } : null;
  const choosePaths = async (choice: PathChoice): Promise<void> => {
    const exact = exactItems(items);
    const isCrowd = choice === "exact" && exact.length > maxUnasked;
    const answer = isCrowd ? await askAboutCrowd(exact.length, positions) : choice;
    if (answer === "leave") return;
    if (answer === "exact" || answer === "load") return itemPaths.setAll(exact, isCrowd);
    updateViewState(() => ({ tracks: answer !== "none" }));
    itemPaths.setAll([]);
  };
  const select = useCallback((item: MapItem | null) => updateViewState(() => ({ selected: item?.id ?? null })), [updateViewState]);
  return {
    ...itemPaths,
    drawn,
    shownPaths,
    allTracks: tracks,
    overview,
    pathLegend,
    setPaths: (choice: PathChoice) => void choosePaths(choice),
    viewState,
    updateViewState,
    /** Called with the view of an address, and after each move. */
    onShown,
    items,
    isCut,
    filter,
    setFilter,
    order,
    colors,
    markColumns: { colorColumn, sizeColumn },
    setMarkColumns: (changed: Partial<MarkColumns>) => updateViewState(() => choiceOf(changed, description)),
    colorScale,
    /** The value of an item at the shown time. */
    valueOf,
    sizeScale,
    clock,
    endMs,
    isAtEnd,
    times,
    gapMs,
    selected: viewState.selected === null ? undefined : list.byId.get(viewState.selected),
    select,
  };
}

const noValues: ValuesAlong = [];

/** The same list as long as its parts are the same. */
function useUnchanged<Part>(list: readonly Part[]): readonly Part[] {
  const [kept, setKept] = useState(list);
  const isSame = kept.length === list.length && kept.every((part, index) => part === list[index]);
  if (!isSame) setKept(list);
  return isSame ? kept : list;
}

/** The drawn part of where the items went. Positions are known of whole searches only. */
function overviewOf(
  paths: ReadonlyMap<string, ShownPath>,
  items: readonly MapItem[],
  { positions, ...state }: Pick<Overview, "isLoading" | "isTruncated" | "positions">,
): Overview {
  let [tracks, points, expected] = [0, 0, 0];
  for (const item of items) {
    const found = paths.get(item.id)?.points ?? null;
    if (found !== null || (hasPath(item) && item.timeMs !== null && item.problem === null)) expected += 1;
    if (found === null) continue;
    tracks += 1;
    points += found.count;
  }
  // While they are counted, their number is below 0.
  const isKnown = tracks === expected && positions !== null && positions >= 0;
  return { ...state, tracks, items: expected, points, positions: isKnown ? positions : null };
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
