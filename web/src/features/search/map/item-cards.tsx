import { columnTitle } from "@fairway/contract/columns";
import { type ComponentProps, useState } from "react";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import type { FilesetPath } from "#lib/text/cell-text.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ItemDetails } from "./item-details.tsx";
import { PathLayersPanel } from "./path-layers-panel.tsx";
import { PathLoadError } from "./path-load-error.tsx";
import { useItemRow } from "./use-item-row.ts";
import { layersOf } from "./use-map-paths.ts";
import type { MapState } from "./use-map-state.ts";

interface Props {
  record: SearchRecord;
  list: MapItemList;
  map: MapState;
  isPhone: boolean;
  onClose: () => void;
  onShowLocation: (title: string, point: { lat: number; lng: number }) => void;
  onShowFiles: (title: string, path: FilesetPath) => void;
}

/** Cards over the map: the details of the selected item, and the layers of a path. A phone shows one of them at a time. */
export function ItemCards({ record, list, map, isPhone, onClose, onShowLocation, onShowFiles }: Props) {
  const { datasetDescription: description } = record;
  const { paths, selected } = map;
  const limits = useLimits();
  const [layersItemId, setLayersItemId] = useState<string | null>(null);
  const [showsAll, setShowsAll] = useState(false);
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
        <TimedDetails
          record={record}
          list={list}
          map={map}
          item={selected}
          description={description}
          showsAll={showsAll}
          onShowAll={setShowsAll}
          isPhone={isPhone}
          path={paths.get(selected.id)}
          warning={layersItemId === selected.id ? null : warningOf(selected)}
          onClose={onClose}
          onTogglePath={() => map.toggle(selected)}
          onLayers={() => setLayersItemId(layersItemId === selected.id ? null : selected.id)}
          onShowLocation={onShowLocation}
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
          onUseForAll={map.paths.size > 1 ? (layers) => map.setLayers(itemsWithPath(), layers) : undefined}
          coloredBy={map.colorScale && columnTitle(map.colorScale.column)}
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

type DetailsProps = Pick<Props, "record" | "list" | "map"> & Omit<ComponentProps<typeof ItemDetails>, "row" | "isUnseen">;

/** The details at the shown time. */
function TimedDetails({ record, list: { fields }, map: { clock, endMs, isAtEnd }, ...details }: DetailsProps) {
  const { fromMs, toMs } = clock.state.domain;
  const found = useItemRow(record, details.item, fields, { atMs: endMs, isAtEnd, spanMs: toMs - fromMs });
  return <ItemDetails {...details} row={found?.row ?? null} isUnseen={found?.isUnseen ?? false} />;
}
