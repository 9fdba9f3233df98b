import type { Column } from "@fairway/contract/columns";
import { useCallback, useEffect, useMemo, useRef } from "react";
import type { DrawnPath } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import type { MapViewState } from "#features/search/map/model/map-view-state.ts";
import { drawnPath, hasPath } from "#features/search/map/model/path-model.ts";
import type { MarkScale } from "#features/search/map/model/marks.ts";
import { pathMarks } from "#features/search/map/model/path-values.ts";
import { defaultLayers, layerColumns, type PathLayer } from "#features/search/map/model/path-layers.ts";
import { hidePath, keepPath, type PathState, showPaths, useMapPaths } from "#features/search/map/model/path-sessions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import type { useMapViewState } from "./frame/use-map-view-state.ts";

// Item ids may collide with properties of Object.prototype.
export const layersOf = ({ layers }: Pick<MapViewState, "layers">, itemId: string): readonly PathLayer[] =>
  (Object.hasOwn(layers, itemId) ? layers[itemId] : undefined) ?? defaultLayers;

interface ItemPaths {
  paths: ReadonlyMap<string, PathState>;
  /** Hidden: loads the path. Loading: cancels, and hides it unless it was visible before. Visible: hides it. */
  toggle: (item: MapItem) => void;
  /** Shows the paths of these items and no others. `isConfirmed`: the person has been asked whether they may be a lot of data. */
  setAll: (items: readonly MapItem[], isConfirmed?: boolean) => void;
  /** Sets the layers of these items and loads missing columns. */
  setLayers: (items: readonly MapItem[], layers: readonly PathLayer[]) => void;
  /** Reloads the path with the columns that its layers read. */
  retry: (item: MapItem) => void;
}

/** Paths as the canvas draws them, by their layers and the values of the column that colors them. */
export const drawnPaths = (
  paths: ReadonlyMap<string, PathState>,
  layers: MapViewState["layers"],
  columns: readonly Column[],
  scale: MarkScale | null,
): readonly DrawnPath[] =>
  [...paths].flatMap(([itemId, { points }]) =>
    points ? [drawnPath(itemId, points, layersOf({ layers }, itemId), columns, pathMarks(points, scale))] : [],
  );

/**
 * The paths of a search: initially those of its address, then as shown and hidden. `colored`: the column whose values they have besides
 * those of their layers.
 */
export function useItemPaths(
  record: SearchRecord,
  list: MapItemList,
  [viewState, updateViewState]: ReturnType<typeof useMapViewState>,
  colored: string | null,
): ItemPaths {
  const { id } = record;
  const { columns } = record.datasetDescription.schema;
  const paths = useMapPaths(id);
  const readableColumns = useMemo(() => {
    const plain = new Set(columns.filter(({ combined }) => combined === null).map(({ name }) => name));
    return (layers: readonly PathLayer[]) =>
      [...new Set([...layerColumns(layers), ...(colored === null ? [] : [colored])])].filter((name) => plain.has(name));
  }, [columns, colored]);
  const load = useCallback(
    (items: readonly MapItem[], layersFor: (item: MapItem) => readonly PathLayer[], isConfirmed = false) => {
      const requests = items.map((item) => ({ item, columns: readableColumns(layersFor(item)) }));
      const onSettled = (item: MapItem, outcome: "visible" | "hidden") => {
        if (outcome === "visible") announce(`Path of ${item.name} visible`);
        else updateViewState((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
      };
      void showPaths(id, requests, list.fields, onSettled, isConfirmed);
    },
    [id, list, readableColumns, updateViewState],
  );

  // Also runs after a rerun, which drops all paths.
  const latest = useRef({ viewState, paths });
  useEffect(() => {
    latest.current = { viewState, paths };
  });
  useEffect(() => {
    const { viewState: current, paths: loaded } = latest.current;
    const missing = current.paths.flatMap((itemId) => {
      const item = list.byId.get(itemId);
      return item && hasPath(item) && !loaded.has(itemId) ? [item] : [];
    });
    load(missing, (item) => layersOf(current, item.id));
  }, [list, load]);
  // Paths that were loaded before another column colors them lack its values.
  useEffect(() => {
    if (colored === null) return;
    const { viewState: current, paths: shown } = latest.current;
    const lacking = [...shown].flatMap(([itemId, { points }]) => {
      const item = list.byId.get(itemId);
      return item && points !== null && !points.values.has(colored) ? [item] : [];
    });
    load(lacking, (item) => layersOf(current, item.id));
  }, [colored, list, load]);

  const loadItems = (items: readonly MapItem[], isConfirmed?: boolean) => load(items, (item) => layersOf(viewState, item.id), isConfirmed);
  const toggle = (item: MapItem) => {
    if (!hasPath(item)) return;
    const state = paths.get(item.id);
    if (state?.phase === "loading" && state.points) return keepPath(id, item.id, { isComplete: false });
    if (state) {
      hidePath(id, item.id);
      updateViewState((now) => ({ paths: now.paths.filter((shown) => shown !== item.id) }));
      announce(`Path of ${item.name} hidden`);
      return;
    }
    updateViewState((now) => ({ paths: [...now.paths.filter((shown) => shown !== item.id), item.id] }));
    loadItems([item]);
  };
  const setAll = (items: readonly MapItem[], isConfirmed?: boolean) => {
    const ids = new Set(items.map((item) => item.id));
    for (const itemId of paths.keys()) if (!ids.has(itemId)) hidePath(id, itemId);
    updateViewState(() => ({ paths: [...ids] }));
    loadItems(
      items.filter((item) => !paths.has(item.id)),
      isConfirmed,
    );
  };
  const setLayers = (items: readonly MapItem[], layers: readonly PathLayer[]) => {
    updateViewState((now) => ({ layers: { ...now.layers, ...Object.fromEntries(items.map((item) => [item.id, layers])) } }));
    const neededColumns = readableColumns(layers);
    const incomplete = items.filter((item) => {
      const state = paths.get(item.id);
      // The columns of a new condition may not be loaded yet.
      return state && !neededColumns.every((name) => state.points?.values.has(name));
    });
    for (const item of items) if (!incomplete.includes(item)) keepPath(id, item.id, { isComplete: true });
    load(incomplete, () => layers);
  };
  return { paths, toggle, setAll, setLayers, retry: (item) => loadItems([item]) };
}
