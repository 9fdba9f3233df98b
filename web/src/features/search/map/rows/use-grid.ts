import { useCallback, useEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { useMapViewState } from "#features/search/map/frame/use-map-view-state.ts";
import { debounce } from "#lib/pacing/debounce.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { defaultMapCellSize } from "@fairway/contract/map-view";
import { rowsRestMs } from "#features/search/map/frame/delays.ts";
import { gridSessionOf } from "./grid-sessions.ts";
import type { ShownView } from "./grid-view.ts";
import { colorByOf } from "./measures.ts";
import { valueColumns } from "./row-text.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import { shownViewOf } from "./shown-view.ts";

/** How all rows of a search are shown, and a function to change it. */
export function useRowsState(record: SearchRecord) {
  const [viewState, updateViewState] = useMapViewState(record);
  const update = useCallback(
    (changed: { readonly [Name in keyof RowsState]?: RowsState[Name] | undefined }) =>
      updateViewState(({ rows }) => ({ rows: withoutUndefined({ ...rows, ...changed }) })),
    [updateViewState],
  );
  return { viewState, updateViewState, rows: viewState.rows, update };
}

const withoutUndefined = (state: { readonly [Name in keyof RowsState]?: RowsState[Name] | undefined }): RowsState =>
  Object.fromEntries(Object.entries(state).filter(([, value]) => value !== undefined)) as RowsState;

/** Counts the rows in what the map shows, once it rests. */
export function useGrid(record: SearchRecord, rows: RowsState) {
  const { datasetDescription: description } = record;
  const session = gridSessionOf(record);
  const state = useSyncExternalStore(session.subscribe, session.getState);
  /** The view of the map while it does not move. */
  const [view, setView] = useState<ShownView | null>(null);
  /** The same after a pause, which is asked for. */
  const [restingView, setRestingView] = useState<ShownView | null>(null);
  const { columns } = description.schema;
  const colorBy = useMemo(() => colorByOf(rows, columns), [rows, columns]);
  const { measure } = colorBy;
  const cellPixels = rows.cell ?? defaultMapCellSize;
  useEffect(() => session.start(), [session]);
  useEffect(() => {
    if (restingView !== null) session.show({ view: restingView, cellPixels, measure, values: valueColumns(description, measure) });
    // A measure is another object with every change of the address.
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the measure's parts
  }, [session, restingView, cellPixels, measure?.aggregation, measure?.column, description]);
  const showView = useCallback((shown: ShownView) => {
    setView(shown);
    setRestingView(shown);
  }, []);
  const [pause] = useState(() => debounce(rowsRestMs));
  useEffect(() => pause.cancel, [pause]);
  const watch = useCallback(
    (canvas: RowsCanvas, isPlaced: boolean) => {
      // Before, the map shows the world, which is not asked for.
      if (isPlaced) showView(shownViewOf(canvas.view));
      return canvas.onView(({ isMoving }) => {
        pause.cancel();
        if (isMoving) return;
        const shown = shownViewOf(canvas.view);
        setView(shown);
        if (session.state.loaded === null) setRestingView(shown);
        else pause.schedule(() => setRestingView(shown));
      });
    },
    [session, showView, pause],
  );
  return { session, state, view, colorBy, cellPixels, watch, showView };
}
