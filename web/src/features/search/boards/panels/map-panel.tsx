import { useEffect, useMemo, useRef, useState } from "react";
import { logFailure } from "#lib/browser/log.ts";
import { useLimits } from "#lib/gateway/portal-settings.ts";
import { NoWebGl } from "#features/search/map/canvas/map-frame.ts";
import { openMapCanvas } from "#features/search/map/canvas/open-map-canvas.ts";
import type { MapCanvas } from "#features/search/map/canvas/map-canvas.ts";
import { drawnItems } from "#features/search/map/model/drawn-items.ts";
import { ColorLegend, sizeText } from "#features/search/map/mark-legend.tsx";
import { itemTimes, staleColors } from "#features/search/map/model/item-age.ts";
import type { MapItem, MapItemList } from "#features/search/map/model/map-items.ts";
import { parseViewState } from "#features/search/map/model/map-view-state.ts";
import { markColumnsOf } from "#features/search/map/model/mark-choice.ts";
import {
  colorColumns,
  markColorCodes,
  markColorsOf,
  markSizeCodes,
  scaleNamed,
  sizeColumns,
  withSizes,
} from "#features/search/map/model/marks.ts";
import { mapExtension } from "#features/search/search-extensions.ts";
import { pathMarks, valuesAlong } from "#features/search/map/model/path-values.ts";
import { drawnTrack, type Tracks } from "#features/search/map/model/tracks.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ErrorState } from "#ui/states.tsx";
import { usePrintedMap } from "./use-printed-map.ts";
import classes from "./panels.module.css";

interface Props {
  title: string;
  record: SearchRecord;
  list: MapItemList;
  /** Thinned paths of the items. */
  tracks: Tracks;
  /** The time that ages are measured against. */
  endMs: number;
  onPick: (item: MapItem) => void;
  onMap: (map: DrawnMap | null) => void;
}

const noPaths = new Map<string, never>();

/** The items of a panel on a map. */
export default function MapPanel({ title, record, list, tracks, endMs, onPick, onMap }: Props) {
  const { faMapIcon: icon, schema } = record.datasetDescription;
  const coarse = coarseColumnsOf(record.datasetDescription);
  const viewState = parseViewState(sliceOf(record, mapExtension), record.datasetDescription.mapView);
  const { colorColumn, sizeColumn } = markColumnsOf(viewState, record.datasetDescription);
  const firstView = useRef(viewState.view);
  const along = useMemo(() => (colorColumn === null ? [] : valuesAlong(colorColumn, tracks.values())), [colorColumn, tracks]);
  const colorScale = useMemo(() => scaleNamed(colorColumn, colorColumns, list, schema.columns, along), [colorColumn, list, schema, along]);
  const sizeScale = useMemo(() => scaleNamed(sizeColumn, sizeColumns, list, schema.columns), [sizeColumn, list, schema]);
  const frame = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<MapCanvas | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const limits = useLimits();
  const latest = useRef({ list, onPick, onMap });
  useEffect(() => {
    latest.current = { list, onPick, onMap };
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    openMapCanvas(element, { icon, highlights: [], bounds: null, viewpoint: firstView.current }).then(
      (opened) => {
        if (!isOpen) return opened.destroy();
        opened.onPick((picked, how) => {
          const item = how === "press" && picked ? latest.current.list.byId.get(picked.id) : undefined;
          if (item) latest.current.onPick(item);
        });
        setCanvas(opened);
        latest.current.onMap(opened);
        close = () => {
          latest.current.onMap(null);
          opened.destroy();
        };
      },
      (error: unknown) => {
        logFailure("The map of a panel cannot be shown", error);
        if (isOpen) setFailure(error instanceof NoWebGl ? "This browser can't show the map." : "The map could not be loaded.");
      },
    );
    return () => {
      isOpen = false;
      setCanvas(null);
      close();
    };
  }, [icon]);
  useEffect(() => {
    if (!canvas) return;
    const { items } = list;
    const ageOrColumn = colorScale ? markColorCodes(items, colorScale) : staleColors(itemTimes(items), noPaths, endMs, limits);
    const colors = withSizes(ageOrColumn, sizeScale && markSizeCodes(items, sizeScale));
    canvas.setItems({ ...drawnItems(items), colors });
    canvas.setColors(colors, colorScale ? markColorsOf(colorScale) : undefined);
    const paths = [...tracks].map(([id, track]) => drawnTrack(id, track, pathMarks(track.points, colorScale)));
    canvas.setPaths(paths, limits.pathGapMs);
    if (firstView.current === null) canvas.fitTo();
  }, [canvas, list, tracks, endMs, limits, colorScale, sizeScale]);
  usePrintedMap(frame, canvas);
  if (failure !== null) return <ErrorState message={failure} />;
  return (
    <div ref={frame} className={classes["mapFrame"]}>
      <div
        ref={container}
        className={classes["map"]}
        role="application"
        aria-label={`Map of ${title}`}
        data-ready={canvas !== null || undefined}
      />
      {canvas === null && <MapLoading />}
      {(colorScale || sizeScale) && (
        <div className={classes["legend"]}>
          {colorScale && <ColorLegend scale={colorScale} coarse={coarse} isAlong={along.length > 0} />}
          {sizeScale && (
            <span>
              <CoarseMark form={coarse.get(sizeScale.column.name)} />
              {sizeText(sizeScale)}
            </span>
          )}
        </div>
      )}
    </div>
  );
}
