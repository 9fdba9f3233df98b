import { useState } from "react";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
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
  onPlace: (title: string, place: { lat: number; lng: number }) => void;
}

/** Over the map: the details of the selected item, and the layers of a path. On a phone one of them at a time. */
export function ItemCards({ record: { datasetDescription: description }, list, map, isPhone, onClose, onPlace }: Props) {
  const { paths, selected } = map;
  const limits = useLimits();
  const [layersOfId, setLayersOfId] = useState<string | null>(null);
  const layered = layersOfId === null ? undefined : list.byId.get(layersOfId);
  const lackOf = (item: MapItem) => {
    const path = paths.get(item.id);
    return path?.phase === "visible" && path.lack !== null ? <PathLoadError text={path.lack} onRetry={() => map.retry(item)} /> : null;
  };
  const shownItems = () => [...paths.keys()].flatMap((itemId) => list.byId.get(itemId) ?? []);
  return (
    <>
      {selected && !(isPhone && layered) && (
        <ItemDetails
          item={selected}
          description={description}
          path={paths.get(selected.id)}
          lack={layersOfId === selected.id ? null : lackOf(selected)}
          onClose={onClose}
          onTogglePath={() => map.toggle(selected)}
          onLayers={() => setLayersOfId(layersOfId === selected.id ? null : selected.id)}
          onPlace={onPlace}
        />
      )}
      {layered && (
        <PathLayersPanel
          key={layered.id}
          name={layered.name}
          columns={description.schema.columns}
          layers={layersOf(map.place, layered.id)}
          onChange={(layers) => map.setLayers([layered], layers)}
          onUseForAll={map.drawn.length > 1 ? (layers) => map.setLayers(shownItems(), layers) : undefined}
          lack={lackOf(layered)}
          gapMs={map.gapMs}
          portalGapMs={limits.pathGapMs}
          onGap={(gapMs) => map.changePlace(() => ({ gapMs }))}
          onClose={() => setLayersOfId(null)}
        />
      )}
    </>
  );
}
