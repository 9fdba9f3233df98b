import { useState } from "react";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import type { FilesetPath } from "#lib/cell-text.ts";
import { useLimits } from "#lib/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ItemDetails } from "./item-details.tsx";
import { PathLayersPanel } from "./path-layers-panel.tsx";
import { PathLoadError } from "./path-load-error.tsx";
import { layersOf } from "./use-map-paths.ts";
import type { MapState } from "./use-map-state.ts";

interface Props {
  record: SearchRecord;
  list: MapItemList;
  map: MapState;
  isPhone: boolean;
  onClose: () => void;
  onShowPlace: (title: string, place: { lat: number; lng: number }) => void;
  onShowFiles: (title: string, place: FilesetPath) => void;
}

/** Cards over the map: the details of the selected item, and the layers of a path. A phone shows one of them at a time. */
export function ItemCards({ record: { datasetDescription: description }, list, map, isPhone, onClose, onShowPlace, onShowFiles }: Props) {
  const { paths, selected } = map;
  const limits = useLimits();
  const [layersItemId, setLayersItemId] = useState<string | null>(null);
  const layersItem = layersItemId === null ? undefined : list.byId.get(layersItemId);
  const warningOf = (item: MapItem) => {
    const path = paths.get(item.id);
    return path?.phase === "visible" && path.warning !== null ? (
      <PathLoadError text={path.warning} onRetry={() => map.retry(item)} />
    ) : null;
  };
  const itemsWithPath = () => [...paths.keys()].flatMap((itemId) => list.byId.get(itemId) ?? []);
  return (
    <>
      {selected && !(isPhone && layersItem) && (
        <ItemDetails
          item={selected}
          description={description}
          path={paths.get(selected.id)}
          warning={layersItemId === selected.id ? null : warningOf(selected)}
          onClose={onClose}
          onTogglePath={() => map.toggle(selected)}
          onLayers={() => setLayersItemId(layersItemId === selected.id ? null : selected.id)}
          onShowPlace={onShowPlace}
          onShowFiles={onShowFiles}
        />
      )}
      {layersItem && (
        <PathLayersPanel
          key={layersItem.id}
          name={layersItem.name}
          columns={description.schema.columns}
          layers={layersOf(map.viewState, layersItem.id)}
          onChange={(layers) => map.setLayers([layersItem], layers)}
          onUseForAll={map.drawn.length > 1 ? (layers) => map.setLayers(itemsWithPath(), layers) : undefined}
          warning={warningOf(layersItem)}
          gapMs={map.gapMs}
          portalGapMs={limits.pathGapMs}
          onGap={(gapMs) => map.updateViewState(() => ({ gapMs }))}
          onClose={() => setLayersItemId(null)}
        />
      )}
    </>
  );
}
