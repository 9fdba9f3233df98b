import { isTimestamp } from "@fairway/contract/columns";
import { cellsAcross } from "@fairway/contract/grid-cells";
import { defaultMapCellSize } from "@fairway/contract/map-view";
import { useEffect, useMemo, useRef, useState } from "react";
import { NoWebGl } from "#features/search/map/canvas/map-frame.ts";
import { openRowsCanvas } from "#features/search/map/canvas/open-rows-canvas.ts";
import { worldSize } from "#features/search/map/canvas/projection.ts";
import type { CellRef, MapPoint, RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { paletteColors } from "#features/search/map/model/color-scale.ts";
import { parseViewState } from "#features/search/map/model/map-view-state.ts";
import { cellWidthM } from "#features/search/map/model/scale-text.ts";
import { drawLegend } from "#features/search/map/recording/draw-legend.ts";
import type { DrawnMap } from "#features/search/map/recording/report-frame.ts";
import { type CellSet, indexOfCell } from "#features/search/map/rows/cell-set.ts";
import type { ShownView } from "#features/search/map/rows/grid-view.ts";
import { fitZoom } from "#features/search/map/rows/use-rows-map.ts";
import { colorByOf, colorByTitle, columnOfMeasure } from "#features/search/map/rows/measures.ts";
import { shownViewOf } from "#features/search/map/rows/shown-view.ts";
import { useCells } from "#features/search/map/rows/use-cells.ts";
import { shortTextOf, valueTextOf } from "#features/search/map/rows/value-text.ts";
import { ScaleLegend } from "#features/search/map/frame/scale-legend.tsx";
import { mapExtension } from "#features/search/search-extensions.ts";
import { logFailure } from "#lib/browser/log.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { MapLoading } from "#parts/area/map-loading.tsx";
import { sliceOf } from "#parts/search-model/search-extensions.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { ErrorState } from "#ui/states.tsx";
import type { RowsOnMap } from "./load-panel.ts";
import classes from "./panels.module.css";
import { usePanelGrid } from "./use-panel-grid.ts";
import { usePrintedMap } from "./use-printed-map.ts";

interface Props {
  title: string;
  record: SearchRecord;
  data: RowsOnMap;
  /** A cell with rows was pressed. */
  onPick: (cell: CellRef, zoom: number) => void;
  onMap: (map: DrawnMap | null) => void;
}

const noCells: readonly string[] = ["var(--line-mark)"];

/** All rows of a panel, counted by place. */
export default function RowsMapPanel({ title, record, data, onPick, onMap }: Props) {
  const { schema, mapView } = record.datasetDescription;
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
  const grid = usePanelGrid({ ask: data.ask, view, measure: colorBy.measure, cellPixels: rows.cell ?? defaultMapCellSize });
  const { loaded } = grid;
  const cells = useCells({ record, loaded, view, colorBy, rows, update: ({ range }) => setComputed(range) });
  const zone = useResultZone();
  const column = columnOfMeasure(columns, colorBy);
  const textOf = useMemo(() => valueTextOf(colorBy, column, zone), [colorBy, column, zone]);
  const legend = cells.scale && { title: colorByTitle(colorBy, columns), scale: cells.scale, textOf };
  const now = { firstView: viewState.view, extent: data.extent, loaded, legend, onPick, onMap };
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
        opened.onPoint((point, how) => {
          const content = latest.current.loaded?.content;
          const cell = point && content?.kind === "cells" ? cellAtPoint(content.cells, point) : null;
          if (how === "point") opened.setPointing(cell !== null);
          else if (cell) latest.current.onPick(cell, opened.viewpoint.zoom);
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
  const palette = cells.scale?.palette;
  useEffect(() => canvas?.setColors(palette ? [...noCells, ...paletteColors(palette)] : noCells), [canvas, palette]);
  usePrintedMap(frame, canvas);
  if (failure !== null) return <ErrorState message={failure} />;
  if (grid.failure !== null) return <ErrorState message="The rows could not be counted." details={grid.failure} />;
  return (
    <div ref={frame} className={classes["mapFrame"]} aria-busy={grid.isLoading}>
      <div
        ref={container}
        className={classes["map"]}
        role="application"
        aria-label={`Map of ${title}`}
        data-ready={(canvas !== null && loaded !== null) || undefined}
      />
      {canvas === null && <MapLoading />}
      {cells.scale && (
        <div className={classes["rowsLegend"]}>
          <ScaleLegend
            form="strip"
            title={colorByTitle(colorBy, columns)}
            scale={cells.scale}
            beyond={cells.beyond}
            textOf={textOf}
            shortTextOf={column && isTimestamp(column.type) ? shortTextOf(textOf, column) : undefined}
            cellWidthM={loaded && view ? cellWidthM(loaded.range.level, middleLatitude(view)) : undefined}
          />
        </div>
      )}
    </div>
  );
}

/** The cell with rows at a place; null without one. */
function cellAtPoint(cells: CellSet, { x, y }: MapPoint): CellRef | null {
  const count = cellsAcross(cells.level);
  const cell = { level: cells.level, x: Math.floor((x / worldSize) * count), y: Math.floor((y / worldSize) * count) };
  return indexOfCell(cells, cell) < 0 ? null : cell;
}

const middleLatitude = ({ top, height }: ShownView): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - 2 * (top + height / 2)))) * 180) / Math.PI;
