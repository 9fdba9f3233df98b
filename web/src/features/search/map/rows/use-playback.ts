import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import { colorNumbers, type ColorScale } from "#features/search/map/model/color-scale.ts";
import type { ClockSettings } from "#features/search/map/model/map-view-state.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import { useClock } from "#features/search/map/playback/use-clock.ts";
import { useClockSettings } from "#features/search/map/playback/use-clock-settings.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { valuesOfCells } from "./cell-values.ts";
import { framesSessionOf } from "./frames-calls.ts";
import { cellsAtSteps, stepsAt } from "./grid-frames.ts";
import type { LoadedGrid } from "./grid-session.ts";
import { covers, type ShownView } from "./grid-view.ts";
import type { ColorBy } from "./measures.ts";
import { isAtEnd, rowsClock, setKnownDomain } from "./rows-clock.ts";
import { scrubberSteps } from "./scrubber-steps.ts";
import { periodText } from "./period-text.ts";
import type { ShownPeriod } from "./shown-period.ts";
import { useFollowedTime } from "./use-followed-time.ts";
import { usePlaybackColors } from "./use-playback-colors.ts";

interface Played {
  readonly record: SearchRecord;
  readonly loaded: LoadedGrid | null;
  readonly view: ShownView | null;
  readonly colorBy: ColorBy;
  readonly rows: RowsState;
  readonly canvas: RowsCanvas | null;
  /** Those that a person chose before, such as with a link. */
  readonly settings: ClockSettings | null;
  readonly onSettings: (settings: ClockSettings | null) => void;
}

/** The steps that the canvas has drawn. */
interface DrawnSteps {
  /** "2005 to 2008". */
  readonly text: string;
  readonly scale: ColorScale | null;
}

/** Plays the cells over time. Nothing is asked before a person plays or moves the time, and nothing while it plays. */
export function usePlayback({ record, loaded, view, colorBy, rows, canvas, settings, onSettings }: Played) {
  const [{ clock, guessed }] = useState(() => rowsClock(record, settings));
  useEffect(() => () => clock.destroy(), [clock]);
  useClockSettings(
    clock,
    useCallback(
      (changed) => {
        // A guess says nothing about the time of the rows.
        if (clock.state.domain !== guessed) onSettings(changed);
      },
      [clock, guessed, onSettings],
    ),
  );
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a run of a search has the same rows throughout
  const session = useMemo(() => framesSessionOf(record), [record.id, record.run]);
  useEffect(() => () => session.cancel(), [session]);
  const { ready, startedMs, failure } = useSyncExternalStore(session.subscribe, session.getState);
  const resumes = useRef(false);
  const failed = useRef({ atMs: Number.NEGATIVE_INFINITY, resumes: false });
  const drawn = useRef<DrawnSteps | null>(null);
  /** A recording waits for the first step. */
  const waiting = useRef<{ readonly begin: () => void; readonly fail: (reason: Error) => void } | null>(null);

  useEffect(() => {
    // Other rows are loaded than those that were played.
    if (isAtEnd(clock)) session.cancel();
    else {
      if (loaded !== session.getState().ready?.of) clock.pause();
      if (loaded !== null) void session.load(loaded);
    }
    return clock.subscribe(() => {
      if (isAtEnd(clock) || (loaded !== null && session.getState().ready?.of === loaded)) return;
      if (clock.state.isPlaying) {
        resumes.current = true;
        clock.pause();
      }
      if (loaded !== null) void session.load(loaded);
    });
  }, [clock, session, loaded]);
  useEffect(() => {
    if (ready === null) return;
    setKnownDomain(clock, ready.frames);
    if (resumes.current) clock.play();
    resumes.current = false;
  }, [clock, ready]);
  useEffect(() => {
    if (failure === null) return;
    failed.current = { atMs: clock.state.nowMs, resumes: resumes.current };
    resumes.current = false;
    waiting.current?.fail(new Error(failure.join(" ")));
    clock.seek(clock.state.domain.toMs);
  }, [clock, failure]);
  useEffect(() => {
    if (ready !== null && view !== null && !covers(ready.range, view)) clock.pause();
  }, [clock, ready, view]);

  const mode = useClock(clock, "mode");
  const length = useClock(clock, "windowMs");
  const windowMs = mode === "window" ? length : null;
  const { perArea } = colorBy;
  const colors = usePlaybackColors({ record, ready, windowMs, colorBy, rows });
  useEffect(() => {
    if (canvas === null || ready === null || colors === null || loaded === null) return undefined;
    const { frames, size } = ready;
    let drawnKey = "";
    let wasPlaying = false;
    const draw = () => {
      const hasEnded = isAtEnd(clock);
      // A slow browser may have left out the last steps; a video ends with them.
      const isOver = hasEnded && !wasPlaying;
      wasPlaying = clock.state.isPlaying;
      if (isOver) {
        drawnKey = "";
        return;
      }
      const steps = stepsAt(frames.buckets, clock.state.nowMs, windowMs);
      const key = `${steps.from} ${steps.to}`;
      if (key !== drawnKey) {
        drawnKey = hasEnded ? "" : key;
        const set = cellsAtSteps(frames, steps);
        const values = valuesOfCells(set, perArea);
        const numbers = colors.scale === null ? new Uint8Array(set.size) : colorNumbers(values, colors.scale);
        canvas.setDrawing({ cells: { level: set.level, x: set.x, y: set.y, colors: numbers }, dots: null });
        drawn.current = { text: periodText(frames.buckets, size.unit, steps), scale: colors.scale };
      }
      if (ready.of === loaded) waiting.current?.begin();
    };
    draw();
    return clock.subscribe(draw);
  }, [canvas, clock, ready, colors, windowMs, perArea, loaded]);

  const atMs = useFollowedTime(clock);
  const isActive = atMs !== null && ready !== null && loaded !== null;
  const { from, to } = isActive ? stepsAt(ready.frames.buckets, atMs, windowMs) : { from: 0, to: 0 };
  const shown = useMemo((): LoadedGrid | null => {
    if (!isActive || ready === null) return loaded;
    return { ...ready.of, range: ready.range, content: { kind: "cells", cells: cellsAtSteps(ready.frames, { from, to }) } };
  }, [isActive, ready, loaded, from, to]);
  const period = useMemo((): ShownPeriod | null => {
    if (!isActive || ready === null) return null;
    const { buckets } = ready.frames;
    const text = periodText(buckets, ready.size.unit, { from, to });
    return { startMs: buckets[from]?.startMs ?? 0, endMs: buckets[to - 1]?.endMs ?? 0, text };
  }, [isActive, ready, from, to]);
  const steps = useMemo(() => scrubberSteps(ready, windowMs, clock.state.domain === guessed), [ready, windowMs, clock, guessed]);
  const times = useMemo(() => [Float64Array.from(steps.buckets, ({ startMs }) => startMs)], [steps]);
  return {
    clock,
    /** The dataset has times. */
    isOffered: record.datasetDescription.temporalField !== null,
    isActive,
    /** The cells of the shown steps, and those that are loaded at the end. */
    shown,
    /** The colors, which hold over the whole playback; null at its end. */
    colors: isActive ? colors : null,
    /** The shown steps; null at the end. */
    period,
    steps,
    /** Where each step begins. */
    times,
    /** Its calls run, or have failed. */
    concerns: startedMs !== null || failure !== null,
    startedMs,
    failure,
    /** The steps on the canvas; null before the first one. */
    drawn: () => drawn.current,
    /** Shows the first step. Rejects if it cannot be loaded, or with the reason of the signal. */
    begin: (signal: AbortSignal): Promise<void> =>
      new Promise((begin, fail) => {
        waiting.current = { begin, fail };
        signal.addEventListener("abort", () => fail(signal.reason as Error));
        clock.pause();
        resumes.current = false;
        clock.seek(clock.state.domain.fromMs);
      }),
    cancel: () => {
      resumes.current = false;
      waiting.current?.fail(new Error("Counting stopped."));
      session.cancel();
      clock.seek(clock.state.domain.toMs);
    },
    retry: () => {
      session.cancel();
      resumes.current = failed.current.resumes;
      clock.seek(Math.max(clock.state.domain.fromMs, failed.current.atMs));
    },
  };
}
