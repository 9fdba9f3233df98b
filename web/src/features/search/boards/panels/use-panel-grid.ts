import type { GridMeasure } from "@fairway/contract/grid";
import { cellBox } from "@fairway/contract/grid-cells";
import { useEffect, useRef, useState } from "react";
import { cellSetOf } from "#features/search/map/rows/cell-set.ts";
import { levelOf } from "#features/search/map/rows/grid-level.ts";
import type { AskGrid } from "#features/search/map/rows/grid-call.ts";
import type { LoadedGrid } from "#features/search/map/rows/grid-session.ts";
import { covers, type LevelRange, rangeAround, type ShownView } from "#features/search/map/rows/grid-view.ts";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";

interface Wish {
  /** Another one asks again. */
  readonly ask: AskGrid;
  /** Null until the map rests. */
  readonly view: ShownView | null;
  readonly measure: GridMeasure | null;
  readonly cellPixels: number;
}

interface PanelGrid {
  readonly loaded: LoadedGrid | null;
  readonly isLoading: boolean;
  /** Messages of a failure; null without one. */
  readonly failure: readonly string[] | null;
}

/** Counts the rows of a panel by place: exactly its box, again when the map is moved out of it. */
export function usePanelGrid({ ask, view, measure, cellPixels }: Wish): PanelGrid {
  const [grid, setGrid] = useState<PanelGrid>({ loaded: null, isLoading: true, failure: null });
  const answered = useRef<{ readonly ask: AskGrid; readonly loaded: LoadedGrid } | null>(null);
  useEffect(() => {
    if (view === null) return undefined;
    const before = answered.current?.ask === ask ? answered.current.loaded : null;
    const wantedLevel = levelOf(view.zoom, cellPixels, before?.wantedLevel ?? null);
    if (before !== null && before.wantedLevel === wantedLevel && covers(before.range, view)) return undefined;
    const range = rangeOfBox(view, wantedLevel, currentLimits().gridCells);
    const run = new AbortController();
    setGrid(({ loaded }) => ({ loaded, isLoading: true, failure: null }));
    const request = { level: range.level, within: [...cellBox(range, range.level)], ...(measure === null ? {} : { measure }) };
    ask(request, run.signal).then(
      (answer) => {
        if (run.signal.aborted || answer.kind !== "cells") return;
        const loaded = { range, wantedLevel, measure, content: { kind: "cells" as const, cells: cellSetOf(answer, measure) } };
        answered.current = { ask, loaded };
        setGrid({ loaded, isLoading: false, failure: null });
      },
      (error: unknown) => {
        if (!run.signal.aborted) setGrid({ loaded: null, isLoading: false, failure: messagesOf(error) });
      },
    );
    return () => run.abort();
  }, [ask, view, measure, cellPixels]);
  return grid;
}

/** The cells of the box, larger ones where one answer does not hold them. */
function rangeOfBox(view: ShownView, level: number, gridCells: number): LevelRange {
  for (let asked = level; asked > 0; asked--) {
    const range = rangeAround(view, asked);
    if (range.columns * range.rows <= gridCells) return range;
  }
  return rangeAround(view, 0);
}
