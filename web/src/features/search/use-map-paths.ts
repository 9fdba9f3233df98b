import { useCallback, useEffect, useMemo, useRef } from "react";
import type { DrawnPath } from "#parts/map-canvas/map-canvas.ts";
import type { MapItem, MapItemList } from "#parts/map-results/map-items.ts";
import type { MapPlace } from "#parts/map-results/map-place.ts";
import { hidePath, type PathState, showPath, useMapPaths } from "#parts/map-results/map-sessions.ts";
import { hasPath } from "#parts/map-results/path-ask.ts";
import { drawnPath } from "#parts/map-results/path-drawing.ts";
import { defaultLayers, layerColumns, type PathLayer } from "#parts/map-results/path-layers.ts";
import type { SearchRecord } from "#parts/open-searches/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import type { useMapPlace } from "./use-map-place.ts";

// An item may be called like something that every object has.
export const layersOf = ({ layers }: Pick<MapPlace, "layers">, itemId: string): readonly PathLayer[] =>
  (Object.hasOwn(layers, itemId) ? layers[itemId] : undefined) ?? defaultLayers;

interface ItemPaths {
  paths: ReadonlyMap<string, PathState>;
  drawn: readonly DrawnPath[];
  /** Hidden: loads it. Loading: cancels. Visible: hides it. */
  toggle: (item: MapItem) => void;
  /** Loads the paths that are hidden among these, or hides them all where none is. */
  toggleAll: (items: readonly MapItem[]) => void;
  setLayers: (item: MapItem, layers: readonly PathLayer[]) => void;
}

/** The paths of a search: those of its address from the start, then as the person shows and hides them, each drawn by its layers. */
export function useItemPaths(record: SearchRecord, list: MapItemList, [place, changePlace]: ReturnType<typeof useMapPlace>): ItemPaths {
  const { id } = record;
  const { columns } = record.datasetDescription.schema;
  const paths = useMapPaths(id);
  const load = useCallback(
    async (item: MapItem, layers: readonly PathLayer[]) => {
      const plain = new Set(columns.filter(({ combined }) => combined === null).map(({ name }) => name));
      const outcome = await showPath(
        id,
        item,
        list.fields,
        layerColumns(layers).filter((name) => plain.has(name)),
      );
      if (outcome === "visible") announce(`Path of ${item.name} visible`);
      if (outcome === "hidden") changePlace((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
    },
    [id, list, columns, changePlace],
  );

  // Also after a rerun, when the paths of before are gone.
  const latest = useRef({ place, paths });
  useEffect(() => {
    latest.current = { place, paths };
  });
  useEffect(() => {
    for (const itemId of latest.current.place.paths) {
      const item = list.byId.get(itemId);
      if (item && hasPath(item) && !latest.current.paths.has(itemId)) void load(item, layersOf(latest.current.place, itemId));
    }
  }, [list, load]);

  const { layers: allLayers } = place;
  const drawn = useMemo(
    () =>
      [...paths].flatMap(([itemId, state]) =>
        state.phase === "visible" ? drawnPath(itemId, state.points, layersOf({ layers: allLayers }, itemId), columns) : [],
      ),
    [paths, allLayers, columns],
  );

  const toggle = (item: MapItem) => {
    if (!hasPath(item)) return;
    if (paths.has(item.id)) {
      hidePath(id, item.id);
      changePlace((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
      announce(`Path of ${item.name} hidden`);
      return;
    }
    changePlace((now) => ({ paths: [...now.paths.filter((shown) => shown !== item.id), item.id] }));
    void load(item, layersOf(place, item.id));
  };
  const toggleAll = (items: readonly MapItem[]) => {
    const ids = new Set(items.map((item) => item.id));
    const hidden = items.filter((item) => !paths.has(item.id));
    changePlace((now) => ({ paths: [...now.paths.filter((shown) => !ids.has(shown)), ...(hidden.length === 0 ? [] : ids)] }));
    if (hidden.length === 0) for (const itemId of ids) hidePath(id, itemId);
    for (const item of hidden) void load(item, layersOf(place, item.id));
  };
  const setLayers = (item: MapItem, layers: readonly PathLayer[]) => {
    changePlace((now) => ({ layers: { ...now.layers, [item.id]: layers } }));
    const state = paths.get(item.id);
    // What a new condition reads was not asked for yet.
    const isThere = (name: string) => state?.phase === "visible" && state.points.values.has(name);
    if (state && layerColumns(layers).some((name) => !isThere(name))) void load(item, layers);
  };
  return { paths, drawn, toggle, toggleAll, setLayers };
}
