import { isTimestamp } from "@fairway/contract/columns";
import { pluralize } from "@fairway/contract/counts";
import { defaultMapCellSize } from "@fairway/contract/map-view";
import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { NoWebGl } from "#features/search/map/canvas/map-frame.ts";
import { openRowsCanvas } from "#features/search/map/canvas/open-rows-canvas.ts";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { paletteColors } from "#features/search/map/model/color-scale.ts";
import { parseViewState } from "#features/search/map/model/map-view-state.ts";
import { cellWidthM } from "#features/search/map/model/scale-text.ts";
import { drawLegend } from "#features/search/map/recording/draw-legend.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import { shownExport } from "#features/search/map/rows/shown-export.ts";
import type { ShownView } from "#features/search/map/rows/grid-view.ts";
import { fitZoom } from "#features/search/map/rows/use-rows-map.ts";
import { colorByOf, colorByTitle, columnOfMeasure } from "#features/search/map/rows/measures.ts";
import { centerOf } from "#features/search/map/rows/place-text.ts";
import { PointedText } from "#features/search/map/rows/pointed-text.tsx";
import { eachDot } from "#features/search/map/rows/rows-legend.tsx";
import { valueColumns } from "#features/search/map/rows/row-text.ts";
import rowsClasses from "#features/search/map/rows/rows.module.css";
import { shownViewOf } from "#features/search/map/rows/shown-view.ts";
import { useCells } from "#features/search/map/rows/use-cells.ts";
import { pointedAt, type PointedAt, usePointing } from "#features/search/map/rows/use-pointing.ts";
import { shortTextOf, valueTextOf } from "#features/search/map/rows/value-text.ts";
import { MapTooltip } from "#features/search/map/frame/map-tooltip.tsx";
import { ScaleLegend } from "#features/search/map/frame/scale-legend.tsx";
import { mapExtension } from "#features/search/search-extensions.ts";
import { logFailure } from "#lib/browser/log.ts";
import { columnText } from "#lib/text/column-text.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import { CoarseMark } from "#parts/reader-part/coarse-mark.tsx";
import { MapLoading } from "#parts/area/map-loading.tsx";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import { pressed } from "#ui/shortcut-keys.ts";
import { ErrorState } from "#ui/states.tsx";
import type { RowsOnMap } from "./load-panel.ts";
import type { PickedPlace } from "./picked-place.ts";
import classes from "./panels.module.css";
import { usePanelGrid } from "./use-panel-grid.ts";
import { usePrintedMap } from "./use-printed-map.ts";

interface Props {
  title: string;
  record: SearchRecord;
  data: RowsOnMap;
  /** A cell with rows or a row was pressed. */
  onPick: (place: PickedPlace) => void;
  onMap: (map: DrawnMap | null) => void;
  /** Writes the cells or rows in view as CSV; null until there are some. */
  onCsv: (csv: (() => string) | null) => void;
}

const withoutValue = "var(--line-mark)";

/** All rows of a panel, counted by place. */
export default function RowsMapPanel({ title, record, data, onPick, onMap, onCsv }: Props) {
  const { datasetDescription: description } = record;
  const { schema, mapView } = description;
  const { columns } = schema;
  const slice = sliceOf(record, mapExtension);
  const viewState = useMemo(() => parseViewState(slice, mapView), [slice, mapView]);
  const frame = useRef<HTMLDivElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const [canvas, setCanvas] = useState<RowsCanvas | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [view, setView] = useState<ShownView | null>(null);
  // Of a panel that was saved without one.
  const [computed, setComputed] = useState(viewState.rows.range);
  const rows = useMemo(() => ({ ...viewState.rows, ...(computed && { range: computed }) }), [viewState.rows, computed]);
  const colorBy = useMemo(() => colorByOf(viewState.rows, columns), [viewState.rows, columns]);
  const { measure } = colorBy;
  const values = useMemo(() => valueColumns(description, measure), [description, measure]);
  const grid = usePanelGrid({ ask: data.ask, view, measure, cellPixels: rows.cell ?? defaultMapCellSize, values });
  const { loaded } = grid;
  const cells = useCells({ record, loaded, view, colorBy, rows, update: ({ range }) => setComputed(range) });
  const zone = useResultZone();
  const column = columnOfMeasure(columns, colorBy);
  const textOf = useMemo(() => valueTextOf(colorBy, column, zone), [colorBy, column, zone]);
  const isDots = loaded?.content.kind === "rows";
  // One row has no sum or average, but a value.
  const legendTitle = isDots && column ? columnText(column) : colorByTitle(colorBy, columns);
  const legend = cells.scale && { title: legendTitle, scale: cells.scale, textOf };
  const now = { firstView: viewState.view, extent: data.extent, legend, onPick, onMap, onCsv };
  const latest = useRef(now);
  useEffect(() => {
    latest.current = now;
  });
  useEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    let isOpen = true;
    let close = () => {};
    openRowsCanvas(element, { viewpoint: latest.current.firstView }).then(
      (opened) => {
        if (!isOpen) return opened.destroy();
        const { firstView, extent } = latest.current;
        opened.onView(({ isMoving }) => {
          if (!isMoving) setView(shownViewOf(opened.view));
        });
        if (firstView === null && extent !== null) opened.fitTo(extent, { maxZoom: fitZoom, isInstant: true });
        setView(shownViewOf(opened.view));
        setCanvas(opened);
        latest.current.onMap({
          get size() {
            return opened.size;
          },
          drawInto: (context) => {
            opened.drawInto(context);
            if (latest.current.legend) drawLegend(context, latest.current.legend, globalThis.devicePixelRatio || 1);
          },
        });
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
  }, []);
  useEffect(() => canvas?.setDrawing(cells.drawing), [canvas, cells.drawing]);
  const palette = cells.scale?.palette ?? "tide";
  useEffect(() => canvas?.setColors([withoutValue, ...paletteColors(palette)]), [canvas, palette]);
  usePrintedMap(frame, canvas);
  const { placed } = cells;
  const onPress = useCallback(
    (at: PointedAt | null) => {
      if (at === null || canvas === null) return;
      const { zoom } = canvas.viewpoint;
      if (at.kind === "cell") return latest.current.onPick({ cell: at.cell, center: centerOf(at.cell), zoom });
      const [row = -1] = at.group.rows;
      const [cell, center] = [placed.cellOf(row), placed.points[row]];
      if (cell && center) latest.current.onPick({ cell, center, zoom });
    },
    [canvas, placed],
  );
  const pointed = usePointing(canvas, loaded, onPress);
  const csv = useMemo(() => {
    const write = shownExport(cells, columns);
    return write && (() => write("csv"));
  }, [cells, columns]);
  useEffect(() => {
    latest.current.onCsv(csv);
  }, [csv]);
  useEffect(() => () => latest.current.onCsv(null), []);
  if (failure !== null) return <ErrorState message={failure} />;
  return (
    <div ref={frame} className={classes["mapFrame"]} aria-busy={grid.isLoading}>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- MapLibre's canvas within takes the focus */}
      <div
        ref={container}
        className={`${classes["map"]} ${rowsClasses["canvas"]}`}
        role="application"
        aria-label={`Map of ${title}`}
        data-ready={(canvas !== null && loaded !== null) || undefined}
        onKeyDown={(event) => {
          if (canvas === null || pressed(event, "map.cell") === null || !(event.target instanceof HTMLCanvasElement)) return;
          event.preventDefault();
          const { width, height, x, y } = canvas.view;
          const at = pointedAt(canvas, loaded, { left: width / 2, top: height / 2, x, y });
          if (at === null) announce("No rows here");
          else onPress(at);
        }}
      />
      <i className={rowsClasses["cross"]} aria-hidden />
      {canvas === null && <MapLoading />}
      {grid.failure !== null && (
        <div className={rowsClasses["over"]}>
          <ErrorState message="The rows could not be counted." details={grid.failure} {...(grid.canRetry && { onRetry: grid.retry })} />
        </div>
      )}
      {pointed && (
        <MapTooltip at={{ x: pointed.left, y: pointed.top }}>
          <PointedText at={pointed} cells={cells} colorBy={colorBy} column={column} description={description} textOf={textOf} />
        </MapTooltip>
      )}
      {isDots && cells.scale === null && (
        <p className={classes["legend"]}>
          {cells.inView.length === 0 ? "No rows in this view" : `${pluralize(cells.inView.length, "row")}, each a dot`}
        </p>
      )}
      {cells.scale && (
        <div className={classes["rowsLegend"]}>
          <ScaleLegend
            form="strip"
            title={legendTitle}
            mark={<CoarseMark form={column && coarseColumnsOf(record.datasetDescription).get(column.name)} />}
            scale={cells.scale}
            beyond={cells.beyond}
            textOf={textOf}
            shortTextOf={column && isTimestamp(column.type) ? shortTextOf(textOf, column) : undefined}
            cellWidthM={loaded && view && !isDots ? cellWidthM(loaded.range.level, middleLatitude(view)) : undefined}
            note={isDots ? eachDot : undefined}
          />
        </div>
      )}
    </div>
  );
}

const middleLatitude = ({ top, height }: ShownView): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - 2 * (top + height / 2)))) * 180) / Math.PI;
