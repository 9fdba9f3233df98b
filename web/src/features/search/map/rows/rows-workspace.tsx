import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useMediaQuery } from "@mantine/hooks";
import { pluralize } from "@fairway/contract/counts";
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";
import type { Viewpoint } from "#features/search/map/canvas/map-canvas.ts";
import type { CellRef } from "#features/search/map/canvas/rows-canvas.ts";
import { patchMapResults } from "#features/search/map/model/map-results.ts";
import { paletteColors } from "#features/search/map/model/color-scale.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import { useClock } from "#features/search/map/playback/use-clock.ts";
import { Scrubber } from "#features/search/map/playback/scrubber.tsx";
import { RecordingBar } from "#features/search/map/recording/recording-bar.tsx";
import { MapTooltip } from "#features/search/map/frame/map-tooltip.tsx";
import { useFocusRestore } from "#features/search/map/frame/use-focus-restore.ts";
import { useResultZone } from "#lib/time/result-zone.ts";
import { coarseColumnsOf } from "#parts/reader-part/coarse-columns.ts";
import { setAsArea, showRowsWithin } from "#parts/open-searches/map-cells.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";
import { announce } from "#ui/announcer.tsx";
import { IconList } from "#ui/icons/list.ts";
import mapClasses from "#features/search/map/frame/map.module.css";
import { answerText } from "./answer-text.ts";
import { CellCard, DotCard } from "./cell-card.tsx";
import { boxOfCell, indexOfCell } from "./cell-set.ts";
import { dotLevel } from "./dot-place.ts";
import { containsCell } from "./grid-view.ts";
import { filtersWithin } from "./shown-period.ts";
import type { LoadedGrid } from "./grid-session.ts";
import { GridNotice } from "./grid-notice.tsx";
import { cellKey, cellOfKey, listOfCells, rowKey, rowOfKey } from "./list-entries.ts";
import { columnOfMeasure } from "./measures.ts";
import { centerOf, placeDigits, placeText } from "./place-text.ts";
import { PointedText } from "./pointed-text.tsx";
import { RowsLegend } from "./rows-legend.tsx";
import { RowsListPane } from "./rows-list-pane.tsx";
import { RowsStage } from "./rows-stage.tsx";
import { viewOfBox } from "./shown-view.ts";
import { useCells } from "./use-cells.ts";
import { usePlayback } from "./use-playback.ts";
import { useGrid, useRowsState } from "./use-grid.ts";
import { pointedAt, type PointedAt, usePointing } from "./use-pointing.ts";
import { fitZoom, useRowsMap } from "./use-rows-map.ts";
import { useRowsRecording } from "./use-rows-recording.ts";
import classes from "./rows.module.css";
import { valueTextOf } from "./value-text.ts";

/** A size for the list where the map cannot be drawn. */
const listedView = { width: 1_024, height: 768, maxZoom: fitZoom };

interface Props {
  record: SearchRecord;
  /** Chooses between items and all rows; null where there is no choice. */
  mode: ReactNode;
  /** Searches again with these filters. */
  onFilters: (filters: SearchFilters) => void;
}

/** All rows of a search, counted by place on a map. */
export function RowsWorkspace({ record, mode, onFilters }: Props) {
  const { datasetDescription: description } = record;
  const { columns } = description.schema;
  const { viewState, updateViewState, rows, update } = useRowsState(record);
  const { session, state, view, colorBy, cellPixels, watch, showView } = useGrid(record, rows);
  const { totals } = state;
  const onMoved = useCallback((moved: Viewpoint) => updateViewState(() => ({ view: moved })), [updateViewState]);
  const map = useRowsMap(record, state, { firstView: viewState.view, onMoved });
  const { canvas, reveal } = map;
  const onSettings = useCallback((changed: ClockSettings | null) => updateViewState(() => ({ clock: changed })), [updateViewState]);
  const playback = usePlayback({ record, loaded: state.loaded, view, colorBy, rows, canvas, settings: viewState.clock, onSettings });
  const { shown: loaded, isActive: isPlayed } = playback;
  const isPlaying = useClock(playback.clock, "isPlaying");
  const cells = useCells({ record, loaded, view, colorBy, rows, update, colorsOfPlayback: playback.colors });
  const [hasNoMap, setHasNoMap] = useState(false);
  const [outlined, setOutlined] = useState<CellRef | null>(null);
  const [outlinedRow, setOutlinedRow] = useState<number | null>(null);
  const [pressedDots, setPressedDots] = useState<{ readonly loaded: LoadedGrid | null; readonly rows: readonly number[] } | null>(null);
  const isPhone = useMediaQuery("(max-width: 720px)", undefined, { getInitialValueInEffect: false });
  const [listOpened, setListOpened] = useState(false);
  const focus = useFocusRestore();
  const navigate = useNavigate();
  const [takesFocus, setTakesFocus] = useState(false);
  const zone = useResultZone();
  const column = columnOfMeasure(columns, colorBy);
  const textOf = useMemo(() => valueTextOf(colorBy, column, zone), [colorBy, column, zone]);
  const recording = useRowsRecording({ record, canvas, playback, cells, totals, colorBy, textOf });
  // The steps of a video are counted.
  const isBeginning = recording !== null && recording.progress !== null && playback.startedMs !== null;
  const picked = rows.selected ?? null;
  const showsDots = loaded?.content.kind === "rows";
  const isPlace = picked?.level === dotLevel;
  const selected = isPlace && (showsDots || loaded === null) ? null : picked;
  // Rows have other numbers in another answer, and an address has only their place.
  const dots = pressedDots?.loaded === loaded ? pressedDots.rows : isPlace && showsDots ? cells.placed.within(picked) : null;
  const selectedRows = loaded && selected && rowsOfCell(loaded, selected);

  // Fitted by the effect of the map, which comes first.
  const isPlaced = viewState.view !== null || state.extent !== null;
  useEffect(() => (canvas === null ? undefined : watch(canvas, isPlaced)), [canvas, watch, isPlaced]);
  useEffect(() => {
    if (hasNoMap && state.extent !== null) showView(viewOfBox(state.extent, listedView));
  }, [hasNoMap, state.extent, showView]);
  // A playback draws by itself, more often than the page follows.
  useEffect(() => {
    if (!isPlayed) canvas?.setDrawing(cells.drawing);
  }, [canvas, cells.drawing, isPlayed]);
  const palette = cells.scale?.palette ?? "tide";
  useEffect(() => canvas?.setColors(["var(--line-mark)", ...paletteColors(palette)]), [canvas, palette]);

  const select = useCallback(
    (cell: CellRef | null) => {
      setPressedDots(null);
      update({ selected: cell ?? undefined });
    },
    [update],
  );
  const onPress = useCallback(
    (at: PointedAt | null, how: "pointer" | "keys" = "pointer") => {
      setTakesFocus(how === "keys");
      if (at?.kind === "dots") {
        update({ selected: cells.placed.cellOf(at.group.rows[0] ?? -1) });
        setPressedDots({ loaded, rows: at.group.rows });
      } else select(at === null ? null : at.cell);
    },
    [select, update, loaded, cells.placed],
  );
  const pointed = usePointing(canvas, loaded, onPress);
  const hovered = outlined ?? (pointed?.kind === "cell" ? pointed.cell : null);
  const dot = cells.placed.points[outlinedRow ?? dots?.[0] ?? -1] ?? null;
  useEffect(() => canvas?.setOutlines({ selected, hovered, dot }), [canvas, selected, hovered, dot]);
  // The card would cover the cell.
  useEffect(() => {
    if (selected) reveal(centerOf(selected));
  }, [selected, reveal]);
  const firstDot = cells.placed.points[dots?.[0] ?? -1];
  useEffect(() => {
    if (firstDot) reveal(firstDot);
  }, [firstDot, reveal]);

  const { id } = record;
  useEffect(() => {
    patchMapResults(id, { rowsOnMap: totals });
    return () => patchMapResults(id, { rowsOnMap: null });
  }, [id, totals]);
  const list = useMemo(
    () => listOfCells({ cells, colorBy, column, description, textOf, zone }),
    [cells, colorBy, column, description, textOf, zone],
  );
  const spoken = answerText(cells, colorBy, list);
  const announced = useRef(state.loaded);
  useEffect(() => {
    if (state.loaded === announced.current || spoken === "" || isPlayed) return;
    announced.current = state.loaded;
    announce(spoken);
  }, [state.loaded, spoken, isPlayed]);

  const open = (key: string) => {
    focus.save();
    setTakesFocus(true);
    setListOpened(false);
    const row = rowOfKey(key);
    if (row === null) return select(cellOfKey(key));
    update({ selected: cells.placed.cellOf(row) });
    setPressedDots({ loaded, rows: [row] });
  };
  const close = () => {
    select(null);
    focus.restore();
  };
  // The list would cover the map, and how far its video is.
  const startVideo = () => {
    setListOpened(false);
    recording?.record();
  };
  const legend = {
    cells,
    state: { ...state, loaded },
    timeText: playback.period?.text ?? null,
    view,
    rows,
    colorBy,
    columns,
    textOf,
    access: record.datasetDescription.access,
    coarse: coarseColumnsOf(record.datasetDescription),
    isNarrowed: record.filters.within !== undefined,
    onChange: update,
  };
  return (
    <div className={mapClasses["workspace"]}>
      <RowsListPane
        record={record}
        mode={mode}
        isPhone={isPhone}
        opened={listOpened}
        onClose={() => setListOpened(false)}
        list={list}
        isLoading={loaded === null && state.failure === null && !state.isCanceled && totals?.placed !== 0}
        cells={cells}
        colorBy={colorBy}
        cellPixels={cellPixels}
        selected={selected ? cellKey(selected) : dots?.length === 1 && dots[0] !== undefined ? rowKey(dots[0]) : null}
        legend={<RowsLegend {...legend} />}
        recording={recording && { ...recording, record: startVideo }}
        canPlay={playback.isOffered && state.loaded !== null}
        onChange={update}
        onPoint={(key, how) => {
          const row = key === null ? null : rowOfKey(key);
          const cell = key === null || row !== null ? null : cellOfKey(key);
          setOutlined(cell);
          setOutlinedRow(row);
          if (cell && how === "keys") reveal(centerOf(cell));
        }}
        onOpen={open}
      />
      <RowsStage
        canvas={canvas}
        firstView={viewState.view}
        onOpened={map.setCanvas}
        onFailed={() => setHasNoMap(true)}
        onFit={map.fit}
        onEnter={() => {
          if (canvas === null) return;
          const { width, height, x, y } = canvas.view;
          const at = pointedAt(canvas, loaded, { left: width / 2, top: height / 2, x, y });
          if (at === null) return announce("No rows here");
          focus.save();
          onPress(at, "keys");
        }}
      >
        {isPhone && cells.scale && (
          <div className={classes["strip"]}>
            <RowsLegend {...legend} form="strip" />
          </div>
        )}
        {!isBeginning && (
          <GridNotice
            state={playback.concerns ? { ...state, startedMs: playback.startedMs, failure: playback.failure } : state}
            session={playback.concerns ? playback : session}
            inView={loaded === null || isPlayed ? null : cells.inView.length}
            onFit={map.fit}
          />
        )}
        {recording !== null && recording.progress !== null && (
          <RecordingBar
            progress={recording.progress}
            isLoading={isBeginning}
            onStop={() => playback.clock.pause()}
            onCancel={() => {
              recording.cancel();
              if (isBeginning) playback.cancel();
            }}
          />
        )}
        {pointed && (
          <MapTooltip at={{ x: pointed.left, y: pointed.top }}>
            <PointedText at={pointed} cells={cells} colorBy={colorBy} column={column} description={description} textOf={textOf} />
          </MapTooltip>
        )}
        {selected && (
          <CellCard
            key={cellKey(selected)}
            takesFocus={takesFocus}
            record={record}
            cell={selected}
            rows={selectedRows}
            period={playback.period}
            isPlaying={isPlaying}
            coloredBy={column}
            onShowTable={(period) =>
              showRowsWithin(record.id, boxOfCell(selected), {
                apply: onFilters,
                narrowed: (filters) => filtersWithin(filters, period),
                onStep: (hash) => void navigate({ to: "/search/$searchId", params: { searchId: record.id }, hash, resetScroll: false }),
              })
            }
            onSetArea={
              description.filterSupport.supportsGeospatial
                ? () => {
                    select(null);
                    setAsArea(record.id, boxOfCell(selected), onFilters);
                  }
                : undefined
            }
            onZoom={() => map.zoomTo(selected)}
            onClose={close}
          />
        )}
        {dots && firstDot && (
          <DotCard
            key={dots.join()}
            takesFocus={takesFocus}
            record={record}
            title={placeText(firstDot.lat, firstDot.lng, placeDigits)}
            rows={dots.map((index) => cells.placed.rows[index] ?? {})}
            coloredBy={column}
            onClose={close}
          />
        )}
        <Button
          variant="default"
          className={mapClasses["openItems"] ?? ""}
          leftSection={<IconList size={16} aria-hidden />}
          onClick={() => setListOpened(true)}
        >
          {loaded === null ? "Rows by place" : pluralize(cells.inView.length, loaded.content.kind === "rows" ? "row" : "cell")}
        </Button>
      </RowsStage>
      {playback.isOffered && <Scrubber clock={playback.clock} times={playback.times} zone={zone} steps={playback.steps} />}
    </div>
  );
}

/** How many rows a cell has; null if it is not among the loaded ones. */
function rowsOfCell({ content, range }: LoadedGrid, cell: CellRef): number | null {
  if (content.kind === "rows" || !containsCell(range, cell)) return null;
  return content.cells.rows[indexOfCell(content.cells, cell)] ?? 0;
}
