import { Drawer } from "@mantine/core";
import { lastSeenMs, stalenessOf } from "#features/search/map/model/item-age.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import { valueText } from "#features/search/map/model/path-values.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { MapExportMenu } from "./export-menu.tsx";
import { ItemPanel } from "./item-panel.tsx";
import { ModeSwitch } from "./mode-switch.tsx";
import { countingProblem } from "#features/search/map/model/countable.ts";
import type { MapRecording } from "./recording/use-recording.ts";
import type { MapState } from "./use-map-state.ts";
import classes from "./frame/map.module.css";

interface Props {
  record: SearchRecord;
  list: MapItemList;
  map: MapState;
  isPhone: boolean;
  /** Open state on a phone, where the list covers the map. */
  opened: boolean;
  onClose: () => void;
  onSelect: (item: MapItem) => void;
  onHover: (itemId: string | null) => void;
  recording: MapRecording | null;
}

/** The item list: beside the map, or a bottom sheet on a phone. */
export function ItemListPane({
  record: { datasetDescription: description },
  list,
  map,
  isPhone,
  opened,
  onClose,
  recording,
  ...on
}: Props) {
  const { items, paths, endMs, colorScale } = map;
  const limits = useLimits();
  const problem = countingProblem(description);
  const showRows = (showsRows: boolean) => map.updateViewState(() => ({ showsRows }));
  const sheet = useDialog({ opened: isPhone && opened, onClose });
  const panel = (
    <ItemPanel
      mode={<ModeSwitch showsRows={false} problem={problem} onChange={showRows} />}
      onShowRows={problem === null ? () => showRows(true) : undefined}
      list={list}
      items={items}
      isCut={map.isCut}
      filter={map.filter}
      onFilter={map.setFilter}
      selected={map.selected?.id ?? null}
      paths={paths}
      stalenessOf={(timeMs) => stalenessOf(timeMs, endMs, limits)}
      seenMs={(item) => lastSeenMs(item, map.shownPaths.get(item.id), endMs)}
      endMs={endMs}
      isAtEnd={map.isAtEnd}
      colorScale={colorScale}
      sizeScale={map.sizeScale}
      order={map.order}
      onOrder={(order) => map.updateViewState(() => ({ order }))}
      colors={map.colors}
      overview={map.overview}
      onPaths={map.setPaths}
      pathLegend={map.pathLegend}
      access={description.access}
      coarse={coarseColumnsOf(description)}
      valueTextOf={colorScale && ((item) => valueText(colorScale.column, map.valueOf(item, colorScale.column)))}
      actions={
        <MapExportMenu
          category={description.category.id}
          datasetId={description.datasetId}
          recording={recording}
          canPlay={map.clock.state.domain.toMs > map.clock.state.domain.fromMs}
          data={{
            fields: list.fields,
            columns: description.schema.columns,
            items,
            tracks: [...paths].flatMap(([itemId, { points }]) => {
              const item = list.byId.get(itemId);
              return item && points ? [{ item, points }] : [];
            }),
          }}
        />
      }
      onTogglePath={map.toggle}
      {...on}
    />
  );
  if (!isPhone) return <div className={classes["list"]}>{panel}</div>;
  return (
    <Drawer.Root {...sheet} position="bottom" size="85%">
      <Drawer.Overlay />
      <Drawer.Content aria-label="Items">
        <Drawer.Body p={0} h="100%">
          {panel}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
