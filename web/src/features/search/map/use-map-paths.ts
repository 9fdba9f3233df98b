import { useCallback, useEffect, useMemo, useRef } from "react";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import type { MapPlace } from "#features/search/map/model/map-place.ts";
import { drawnPath, hasPath } from "#features/search/map/model/path-model.ts";
import { defaultLayers, layerColumns, type PathLayer } from "#features/search/map/model/path-layers.ts";
import { hidePath, keepPath, type PathState, showPaths, useMapPaths } from "#features/search/map/model/path-sessions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import type { useMapPlace } from "./use-map-place.ts";

// An item may be called like something that every object has.
export const layersOf = ({ layers }: Pick<MapPlace, "layers">, itemId: string): readonly PathLayer[] =>
  (Object.hasOwn(layers, itemId) ? layers[itemId] : undefined) ?? defaultLayers;

interface ItemPaths {
  paths: ReadonlyMap<string, PathState>;
  drawn: readonly DrawnPath[];
  /** Hidden: loads it. Loading: cancels, and hides it unless it was there before. Visible: hides it. */
  toggle: (item: MapItem) => void;
  /** Loads the paths that are hidden among these, or hides them all where none is. */
  toggleAll: (items: readonly MapItem[]) => void;
  /** Of these items; loads what the layers read and is not there. */
  setLayers: (items: readonly MapItem[], layers: readonly PathLayer[]) => void;
  /** Loads again what its layers read. */
  retry: (item: MapItem) => void;
}

/** The paths of a search: those of its address from the start, then as the person shows and hides them, each drawn by its layers. */
export function useItemPaths(record: SearchRecord, list: MapItemList, [place, changePlace]: ReturnType<typeof useMapPlace>): ItemPaths {
  const { id } = record;
  const { columns } = record.datasetDescription.schema;
  const paths = useMapPaths(id);
  const read = useMemo(() => {
    const plain = new Set(columns.filter(({ combined }) => combined === null).map(({ name }) => name));
    return (layers: readonly PathLayer[]) => layerColumns(layers).filter((name) => plain.has(name));
  }, [columns]);
  const load = useCallback(
    (items: readonly MapItem[], layersFor: (item: MapItem) => readonly PathLayer[]) => {
      const wanted = items.map((item) => ({ item, columns: read(layersFor(item)) }));
      void showPaths(id, wanted, list.fields, (item, outcome) => {
        if (outcome === "visible") announce(`Path of ${item.name} visible`);
        else changePlace((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
      });
    },
    [id, list, read, changePlace],
  );

  // Also after a rerun, when the paths of before are gone.
  const latest = useRef({ place, paths });
  useEffect(() => {
    latest.current = { place, paths };
  });
  useEffect(() => {
    const { place: now, paths: there } = latest.current;
    const missing = now.paths.flatMap((itemId) => {
      const item = list.byId.get(itemId);
      return item && hasPath(item) && !there.has(itemId) ? [item] : [];
    });
    load(missing, (item) => layersOf(now, item.id));
  }, [list, load]);

  const { layers: allLayers } = place;
  const drawn = useMemo(
    () =>
      [...paths].flatMap(([itemId, { points }]) =>
        points ? [drawnPath(itemId, points, layersOf({ layers: allLayers }, itemId), columns)] : [],
      ),
    [paths, allLayers, columns],
  );

  const loadAsPlaced = (items: readonly MapItem[]) => load(items, (item) => layersOf(place, item.id));
  const toggle = (item: MapItem) => {
    if (!hasPath(item)) return;
    const state = paths.get(item.id);
    if (state?.phase === "loading" && state.points) return keepPath(id, item.id, { isWhole: false });
    if (state) {
      hidePath(id, item.id);
      changePlace((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
      announce(`Path of ${item.name} hidden`);
      return;
    }
    changePlace((now) => ({ paths: [...now.paths.filter((shown) => shown !== item.id), item.id] }));
    loadAsPlaced([item]);
  };
  const toggleAll = (items: readonly MapItem[]) => {
    const ids = new Set(items.map((item) => item.id));
    const hidden = items.filter((item) => !paths.has(item.id));
    changePlace((now) => ({ paths: [...now.paths.filter((shown) => !ids.has(shown)), ...(hidden.length === 0 ? [] : ids)] }));
    if (hidden.length === 0) for (const itemId of ids) hidePath(id, itemId);
    loadAsPlaced(hidden);
  };
  const setLayers = (items: readonly MapItem[], layers: readonly PathLayer[]) => {
    changePlace((now) => ({ layers: { ...now.layers, ...Object.fromEntries(items.map((item) => [item.id, layers])) } }));
    const wanted = read(layers);
    const lacking = items.filter((item) => {
      const state = paths.get(item.id);
      // What a new condition reads was not asked for yet.
      return state && !wanted.every((name) => state.points?.values.has(name));
    });
    for (const item of items) if (!lacking.includes(item)) keepPath(id, item.id, { isWhole: true });
    load(lacking, () => layers);
  };
  return { paths, drawn, toggle, toggleAll, setLayers, retry: (item) => loadAsPlaced([item]) };
}
