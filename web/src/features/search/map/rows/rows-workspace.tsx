import { Button, Drawer } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { pluralize } from "@fairway/contract/counts";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { CellRef, RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { paletteColors } from "#features/search/map/model/color-scale.ts";
import { cellWidthM } from "#features/search/map/model/scale-text.ts";
import { ScaleLegend } from "#features/search/map/scale-legend.tsx";
import { useResultZone } from "#lib/time/result-zone.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import { useDialog } from "#ui/dialog/open-dialogs.ts";
import { IconList } from "#ui/icons/list.ts";
import mapClasses from "../map.module.css";
import { answerText } from "./answer-text.ts";
import { GridNotice } from "./grid-notice.tsx";
import { cellKey, cellOfKey, listOfCells } from "./list-entries.ts";
import { colorByTitle, columnOfMeasure, measureColumns } from "./measures.ts";
import { countTexts } from "./rows-counts.ts";
import { RowsPanel } from "./rows-panel.tsx";
import { RowsStage } from "./rows-stage.tsx";
import { viewOfBox } from "./shown-view.ts";
import { useCells } from "./use-cells.ts";
import { useGrid, useRowsState } from "./use-grid.ts";
import { valueTextOf } from "./value-text.ts";

/** Never closer than this when rows are fitted. */
const fitZoom = 12;
/** A size for the list where the map cannot be drawn. */
const listedView = { width: 1_024, height: 768, maxZoom: fitZoom };

/** All rows of a search, counted by place on a map. */
export function RowsWorkspace({ record, mode }: { record: SearchRecord; mode: ReactNode }) {
  const { datasetDescription: description } = record;
  const { columns } = description.schema;
  const { viewState, updateViewState, rows, update } = useRowsState(record);
  const { session, state, view, colorBy, cellPixels, watch, showView } = useGrid(record, rows);
  const cells = useCells({ record, loaded: state.loaded, view, colorBy, rows, update });
  const [canvas, setCanvas] = useState<RowsCanvas | null>(null);
  const [hasNoMap, setHasNoMap] = useState(false);
  const [hovered, setHovered] = useState<CellRef | null>(null);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const [listOpened, setListOpened] = useState(false);
  const zone = useResultZone();
  const column = columnOfMeasure(columns, colorBy);
  const textOf = useMemo(() => valueTextOf(column, zone), [column, zone]);
  const selected = rows.selected ?? null;

  const fit = useCallback(() => {
    if (canvas !== null && state.extent !== null) canvas.fitTo(state.extent, undefined, fitZoom);
  }, [canvas, state.extent]);
  const isFitted = useRef(viewState.view !== null);
  useEffect(() => {
    if (canvas === null || state.extent === null || isFitted.current) return;
    isFitted.current = true;
    canvas.fitTo(state.extent, undefined, fitZoom);
  }, [canvas, state.extent]);
  useEffect(() => (canvas === null ? undefined : watch(canvas)), [canvas, watch]);
  useEffect(
    () =>
      canvas?.onView(({ isMoving, isFit }) => {
        if (!isMoving && !isFit) updateViewState(() => ({ view: canvas.viewpoint }));
      }),
    [canvas, updateViewState],
  );
  useEffect(() => {
    if (hasNoMap && state.extent !== null) showView(viewOfBox(state.extent, listedView));
  }, [hasNoMap, state.extent, showView]);
  useEffect(() => canvas?.setDrawing(cells.drawing), [canvas, cells.drawing]);
  const palette = cells.scale?.palette ?? "tide";
  useEffect(() => canvas?.setColors(["var(--line-mark)", ...paletteColors(palette)]), [canvas, palette]);
  useEffect(() => canvas?.setOutlines({ selected, hovered }), [canvas, selected, hovered]);

  const list = useMemo(() => listOfCells({ cells, colorBy, column, description, textOf }), [cells, colorBy, column, description, textOf]);
  const spoken = answerText(cells, colorBy, list);
  const announced = useRef(state.loaded);
  useEffect(() => {
    if (state.loaded === announced.current || spoken === "") return;
    announced.current = state.loaded;
    announce(spoken);
  }, [state.loaded, spoken]);
  const { totals } = state;
  const legend = cells.scale && (
    <ScaleLegend
      title={colorByTitle(colorBy, columns)}
      scale={cells.scale}
      beyond={cells.beyond}
      textOf={textOf}
      settings={{ view: rows, quantity: cells.quantity, values: cells.valuesInView, onChange: update }}
      cellWidthM={cellWidthAt(state.loaded?.range.level, view)}
    >
      {totals && countTexts(totals, cells.rowsInView).join(". ")}
    </ScaleLegend>
  );
  const panel = (
    <RowsPanel
      mode={mode}
      columns={measureColumns(description)}
      colorBy={colorBy}
      onColorBy={({ measure, perArea }) =>
        update({ measure: measure ?? undefined, perArea: perArea || undefined, range: undefined, scale: undefined, palette: undefined })
      }
      cellPixels={cellPixels}
      onCellPixels={(cell) => update({ cell })}
      caption={list.caption}
      listLabel={list.label}
      cells={list.entries}
      selected={selected && cellKey(selected)}
      onPoint={(key) => setHovered(key === null ? null : cellOfKey(key))}
      onOpen={(key) => update({ selected: cellOfKey(key) ?? undefined })}
      actions={null}
      legend={legend}
    />
  );
  const sheet = useDialog({ opened: isPhone && listOpened, onClose: () => setListOpened(false) });
  return (
    <div className={mapClasses["workspace"]}>
      {isPhone ? (
        <Drawer.Root {...sheet} position="bottom" size="85%">
          <Drawer.Overlay />
          <Drawer.Content aria-label="Rows by place">
            <Drawer.Body p={0} h="100%">
              {panel}
            </Drawer.Body>
          </Drawer.Content>
        </Drawer.Root>
      ) : (
        <div className={mapClasses["list"]}>{panel}</div>
      )}
      <RowsStage
        canvas={canvas}
        firstView={viewState.view}
        onOpened={setCanvas}
        onFailed={() => setHasNoMap(true)}
        onFit={fit}
        onEnter={() => {}}
      >
        <GridNotice state={state} session={session} inView={state.loaded === null ? null : cells.inView.length} onFit={fit} />
        <Button
          variant="default"
          className={mapClasses["openItems"] ?? ""}
          leftSection={<IconList size={16} aria-hidden />}
          onClick={() => setListOpened(true)}
        >
          {pluralize(cells.inView.length, state.loaded?.content.kind === "rows" ? "row" : "cell")}
        </Button>
      </RowsStage>
    </div>
  );
}

/** In meters at the middle of the view. */
function cellWidthAt(level: number | undefined, view: { top: number; height: number } | null): number | undefined {
  if (level === undefined || view === null) return undefined;
  const middle = view.top + view.height / 2;
  return cellWidthM(level, (Math.atan(Math.sinh(Math.PI * (1 - 2 * middle))) * 180) / Math.PI);
}
