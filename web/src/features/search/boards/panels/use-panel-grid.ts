import type { GridMeasure } from "@fairway/contract/grid";
import { cellBox } from "@fairway/contract/grid-cells";
import { useEffect, useRef, useState } from "react";
import { cellSetOf } from "#features/search/map/rows/cell-set.ts";
import { levelOf } from "#features/search/map/rows/grid-level.ts";
import type { AskGrid } from "#features/search/map/rows/grid-call.ts";
import type { LoadedGrid } from "#features/search/map/rows/grid-session.ts";
import { covers, type LevelRange, rangeAround, type ShownView } from "#features/search/map/rows/grid-view.ts";
import { isUnsupported, messagesOf } from "#lib/gateway/gateway-error.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";

interface Wish {
  /** Another one asks again. */
  readonly ask: AskGrid;
  /** Null until the map rests. */
  readonly view: ShownView | null;
  readonly measure: GridMeasure | null;
  readonly cellPixels: number;
  /** Columns of rows that are shown one by one. */
  readonly values: readonly string[];
}

interface PanelGrid {
  readonly loaded: LoadedGrid | null;
  readonly isLoading: boolean;
  /** Messages of a failure; null without one. */
  readonly failure: readonly string[] | null;
  /** Whether another attempt may succeed. */
  readonly canRetry: boolean;
}

/**
 * Counts the rows of a panel by place: exactly its box, again when the map is moved out of it. Few rows come one by one, as on the map of a
 * search.
 */
export function usePanelGrid({ ask, view, measure, cellPixels, values }: Wish): PanelGrid & { readonly retry: () => void } {
  const [grid, setGrid] = useState<PanelGrid>({ loaded: null, isLoading: true, failure: null, canRetry: false });
  const [attempt, setAttempt] = useState(0);
  const answered = useRef<{ readonly ask: AskGrid; readonly attempt: number; readonly loaded: LoadedGrid } | null>(null);
  useEffect(() => {
    if (view === null) return undefined;
    const last = answered.current;
    const before = last?.ask === ask && last.attempt === attempt ? last.loaded : null;
    const wantedLevel = levelOf(view.zoom, cellPixels, before?.content.kind === "cells" ? before.wantedLevel : null);
    // Rows one by one are all rows of their box, at any zoom.
    const isOfLevel = before?.content.kind === "rows" || before?.wantedLevel === wantedLevel;
    if (before !== null && isOfLevel && before.measure === measure && covers(before.range, view)) return undefined;
    const { gridCells, mapRows } = currentLimits();
    const range = rangeOfBox(view, wantedLevel, gridCells);
    const run = new AbortController();
    setGrid(({ loaded }) => ({ loaded, isLoading: true, failure: null, canRetry: false }));
    const request = {
      level: range.level,
      within: [...cellBox(range, range.level)],
      ...(measure === null ? {} : { measure }),
      rows: mapRows,
      ...(values.length > 0 ? { values: [...values] } : {}),
    };
    ask(request, run.signal).then(
      (answer) => {
        if (run.signal.aborted) return;
        const content =
          answer.kind === "cells" ? { kind: answer.kind, cells: cellSetOf(answer, measure) } : { kind: answer.kind, rows: answer.results };
        const loaded = { range, wantedLevel, measure, content };
        answered.current = { ask, attempt, loaded };
        setGrid({ loaded, isLoading: false, failure: null, canRetry: false });
      },
      (error: unknown) => {
        if (run.signal.aborted) return;
        setGrid({ loaded: null, isLoading: false, failure: messagesOf(error), canRetry: !isUnsupported(error) });
      },
    );
    return () => run.abort();
  }, [ask, view, measure, cellPixels, values, attempt]);
  return { ...grid, retry: () => setAttempt((count) => count + 1) };
}

/** The cells of the box, larger ones where one answer does not hold them. */
function rangeOfBox(view: ShownView, level: number, gridCells: number): LevelRange {
  for (let asked = level; asked > 0; asked--) {
    const range = rangeAround(view, asked);
    if (range.columns * range.rows <= gridCells) return range;
  }
  return rangeAround(view, 0);
}
