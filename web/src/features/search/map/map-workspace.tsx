import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconList } from "#ui/icons/list.ts";
import { useCallback, useState } from "react";
import { isDay } from "@fairway/contract/columns";
import type { MapCanvas, Picked } from "#features/search/map/canvas/map-canvas.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import { markColorsOf } from "#features/search/map/model/marks.ts";
import { tracksViewOf } from "#features/search/map/model/tracks-view.ts";
import { Scrubber } from "#features/search/map/playback/scrubber.tsx";
import { useResultZone } from "#lib/time/result-zone.ts";
import { utc, zonedText } from "#lib/time/time-zone.ts";
import type { FilesetPath } from "#lib/text/cell-text.ts";
import { FilesetDialog } from "#parts/file-browser/islands.tsx";
import { LocationDialog } from "#parts/area/islands.tsx";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ItemCards } from "./item-cards.tsx";
import { ItemListPane } from "./item-list-pane.tsx";
import { MapStage } from "./map-stage.tsx";
import { MapTooltip, useMapTooltip } from "./frame/map-tooltip.tsx";
import classes from "./frame/map.module.css";
import { MarkOptions } from "./mark-options.tsx";
import { PickedText } from "./picked-text.tsx";
import { RecordingBar } from "./recording/recording-bar.tsx";
import { useRecording } from "./recording/use-recording.ts";
import { useFocusRestore } from "./frame/use-focus-restore.ts";
import { useMapState } from "./use-map-state.ts";

/** Right edge of the details card, from the left of the map. */
const detailsEndPx = 328;

/** The items of a search as a list and on a map, sharing one clock. */
export function MapWorkspace({ record, list }: { record: SearchRecord; list: MapItemList }) {
  const { datasetDescription: description } = record;
  const map = useMapState(record, list);
  const { select, selected, updateViewState, clock } = map;
  const resultZone = useResultZone();
  // Days are drawn at their midnight in UTC and have no zone.
  const zone = isDay(list.fields.time) ? utc : resultZone;
  const [canvas, setCanvas] = useState<MapCanvas | null>(null);
  const texts = { timeText: () => `${zonedText(clock.state.nowMs, zone) ?? ""} ${zone}` };
  const recording = useRecording({ map: canvas, clock, search: record, picture: texts, video: texts });
  const [target, setTarget] = useState<{ item: MapItem } | null>(null);
  const [hovered, setHovered] = useState<string | null>(null);
  const [files, setFiles] = useState<(FilesetPath & { title: string; isOpen: boolean }) | null>(null);
  const [pin, setPin] = useState<{ title: string; point: { lat: number; lng: number }; isOpen: boolean } | null>(null);
  const [tooltip, point] = useMapTooltip();
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const [listOpened, setListOpened] = useState(false);
  const focus = useFocusRestore();
  const pickedItem = tooltip && list.byId.get(tooltip.id);

  const onPick = useCallback(
    (picked: Picked | null, how: "point" | "press") => {
      if (how === "point") return point(picked);
      const item = picked === null ? null : (list.byId.get(picked.id) ?? null);
      select(item);
      // The details would cover the item.
      if (item && picked?.kind === "item" && (isPhone || picked.x < detailsEndPx)) setTarget({ item });
    },
    [list, point, select, isPhone],
  );

  // The list would cover the map, and how far its video is.
  const startVideo = () => {
    setListOpened(false);
    recording?.record();
  };
  return (
    <div className={classes["workspace"]}>
      <ItemListPane
        record={record}
        list={list}
        map={map}
        isPhone={isPhone}
        opened={listOpened}
        onClose={() => setListOpened(false)}
        onSelect={(item) => {
          focus.save();
          setTarget({ item });
          select(item);
          setListOpened(false);
        }}
        onHover={setHovered}
        recording={recording && { ...recording, record: startVideo }}
      />
      <MapStage
        icon={description.faMapIcon}
        items={map.items}
        colors={map.colors}
        marks={map.colorScale ? markColorsOf(map.colorScale) : undefined}
        isGrouped={map.viewState.isGrouped}
        tools={<MarkOptions columns={description.schema.columns} fields={list.fields} map={map} />}
        paths={map.drawn}
        gapMs={map.gapMs}
        clock={clock}
        selected={selected?.id ?? null}
        hovered={hovered}
        firstView={map.viewState.view}
        target={target}
        tracks={map.allTracks}
        onMove={(view, bounds) => {
          updateViewState(() => ({ view }));
          map.onShown(tracksViewOf(bounds, view.zoom));
        }}
        onPick={onPick}
        onOpened={(opened) => {
          setCanvas(opened);
          const { view } = map.viewState;
          if (opened !== null && view !== null) map.onShown(tracksViewOf(opened.bounds, view.zoom));
        }}
      >
        {recording !== null && recording.progress !== null && (
          <RecordingBar progress={recording.progress} onStop={() => clock.pause()} onCancel={recording.cancel} />
        )}
        {tooltip && pickedItem && (
          <MapTooltip at={tooltip}>
            <PickedText
              picked={tooltip}
              item={pickedItem}
              path={map.shownPaths.get(pickedItem.id)}
              columns={description.schema.columns}
              gapMs={map.gapMs}
              endMs={map.endMs}
              time={list.fields.time}
              zone={zone}
            />
          </MapTooltip>
        )}
        <ItemCards
          record={record}
          list={list}
          map={map}
          isPhone={isPhone}
          onClose={() => {
            select(null);
            focus.restore();
          }}
          onShowLocation={(title, point) => setPin({ title, point, isOpen: true })}
          onShowFiles={(title, files) => setFiles({ title, ...files, isOpen: true })}
        />
        <Button
          variant="default"
          className={classes["openItems"] ?? ""}
          leftSection={<IconList size={16} aria-hidden />}
          onClick={() => setListOpened(true)}
        >
          {map.items.length.toLocaleString("en-US")} items
        </Button>
      </MapStage>
      <Scrubber clock={clock} times={map.times} zone={zone} />
      {files && (
        <FilesetDialog
          key={`${files.fileset}/${files.path}`}
          opened={files.isOpen}
          title={files.title}
          fileset={files.fileset}
          path={files.path}
          onClose={() => setFiles({ ...files, isOpen: false })}
        />
      )}
      {pin && <LocationDialog opened={pin.isOpen} title={pin.title} point={pin.point} onClose={() => setPin({ ...pin, isOpen: false })} />}
    </div>
  );
}
