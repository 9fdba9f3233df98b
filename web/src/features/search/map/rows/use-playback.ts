import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import type { RowsCanvas } from "#features/search/map/canvas/rows-canvas.ts";
import type { TimeWindow } from "#features/search/map/canvas/map-canvas.ts";
import { beyondOf, colorNumbers, scaleOfView } from "#features/search/map/model/color-scale.ts";
import type { RowsState } from "#features/search/map/model/rows-state.ts";
import { PlaybackClock } from "#features/search/map/playback/clock.ts";
import { useClock } from "#features/search/map/playback/use-clock.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import { valuesOfCells } from "./cell-values.ts";
import { framesSessionOf } from "./frames-calls.ts";
import type { LoadedFrames } from "./frames-session.ts";
import { cellsAtSteps, stepsAt, valuesOfPlayback } from "./grid-frames.ts";
import type { LoadedGrid } from "./grid-session.ts";
import { covers, type ShownView } from "./grid-view.ts";
import { type ColorBy, columnOfMeasure } from "./measures.ts";
import { scrubberSteps } from "./scrubber-steps.ts";
import { periodText } from "./period-text.ts";
import { quantityOf, valueKindOf } from "./value-kind.ts";

/** How often list, counts and legend follow a running playback. */
const followMs = 250;

/** Stands for a time that nothing is known of before the first call. */
const unknownDomain: TimeWindow = { fromMs: 0, toMs: 1 };

interface Played {
  readonly record: SearchRecord;
  readonly loaded: LoadedGrid | null;
  readonly view: ShownView | null;
  readonly colorBy: ColorBy;
  readonly rows: RowsState;
  readonly canvas: RowsCanvas | null;
}

/** Plays the cells over time. Nothing is asked before a person plays or moves the time, and nothing while it plays. */
export function usePlayback({ record, loaded, view, colorBy, rows, canvas }: Played) {
  const [clock] = useState(() => new PlaybackClock(firstDomain(record)));
  useEffect(() => () => clock.destroy(), [clock]);
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a run of a search has the same rows throughout
  const session = useMemo(() => framesSessionOf(record), [record.id, record.run]);
  useEffect(() => () => session.cancel(), [session]);
  const { ready, startedMs, failure } = useSyncExternalStore(session.subscribe, session.getState);
  const resumes = useRef(false);

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
    setKnownDomain(clock, ready);
    if (resumes.current) clock.play();
    resumes.current = false;
  }, [clock, ready]);
  useEffect(() => {
    if (failure !== null) clock.seek(clock.state.domain.toMs);
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
    const { frames } = ready;
    let drawn = "";
    const draw = () => {
      if (isAtEnd(clock)) {
        drawn = "";
        return;
      }
      const steps = stepsAt(frames.buckets, clock.state.nowMs, windowMs);
      const key = `${steps.from} ${steps.to}`;
      if (key === drawn) return;
      drawn = key;
      const set = cellsAtSteps(frames, steps);
      const values = valuesOfCells(set, perArea);
      const numbers = colors.scale === null ? new Uint8Array(set.size) : colorNumbers(values, colors.scale);
      canvas.setDrawing({ cells: { level: set.level, x: set.x, y: set.y, colors: numbers }, dots: null });
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
  const steps = useMemo(() => scrubberSteps(ready, windowMs, clock.state.domain === unknownDomain), [ready, windowMs, clock]);
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
    /** "2005 to 2008"; null at the end. */
    text: isActive ? periodText(ready.frames.buckets, ready.size.unit, { from, to }) : null,
    steps,
    /** Where each step begins. */
    times,
    /** Its calls run, or have failed. */
    concerns: startedMs !== null || failure !== null,
    startedMs,
    failure,
    cancel: () => {
      resumes.current = false;
      session.cancel();
      clock.seek(clock.state.domain.toMs);
    },
    retry: () => {
      session.cancel();
      clock.play();
    },
  };
}

/** Everything is shown there. */
const isAtEnd = ({ state: { nowMs, domain } }: PlaybackClock): boolean => nowMs >= domain.toMs;

function firstDomain({ filters, datasetDescription: { timeExtent } }: SearchRecord): TimeWindow {
  const isKnown = timeExtent !== null && filters.timeRange === null && timeExtent.startMs < timeExtent.endMs;
  return isKnown ? { fromMs: timeExtent.startMs, toMs: timeExtent.endMs } : unknownDomain;
}

/** From the first to the last step, at the time where the clock was. */
function setKnownDomain(clock: PlaybackClock, { frames: { buckets } }: LoadedFrames): void {
  const { nowMs, domain } = clock.state;
  const [fromMs, toMs] = [buckets[0]?.startMs ?? 0, buckets.at(-1)?.endMs ?? 0];
  const share = (nowMs - domain.fromMs) / (domain.toMs - domain.fromMs);
  clock.setDomain({ fromMs, toMs });
  if (share < 1 && (share === 0 || domain === unknownDomain)) clock.seek(fromMs + share * (toMs - fromMs));
}

/** Colors for everything that the playback shows, so that they do not change with the time. */
function usePlaybackColors(shown: {
  readonly record: SearchRecord;
  readonly ready: LoadedFrames | null;
  readonly windowMs: number | null;
  readonly colorBy: ColorBy;
  readonly rows: RowsState;
}) {
  const { record, ready, windowMs, colorBy, rows } = shown;
  const { columns } = record.datasetDescription.schema;
  const { scale, palette } = rows;
  const range = rows.range?.isTyped === true ? rows.range : undefined;
  return useMemo(() => {
    if (ready === null) return null;
    const values = valuesOfPlayback(ready.frames, windowMs, colorBy.perArea);
    const kind = valueKindOf(columnOfMeasure(columns, colorBy), colorBy);
    const found = scaleOfView({ scale, palette, range }, values, quantityOf(colorBy), kind);
    return { scale: found, beyond: beyondOf(values, found?.range ?? { low: 0, high: 0 }) };
  }, [ready, windowMs, colorBy, columns, scale, palette, range]);
}

/** The time of the clock for what follows it more slowly; null at the end. */
function useFollowedTime(clock: PlaybackClock): number | null {
  const [atMs, setAtMs] = useState<number | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const read = () => {
      clearTimeout(timer);
      timer = undefined;
      setAtMs(isAtEnd(clock) ? null : clock.state.nowMs);
    };
    read();
    const unsubscribe = clock.subscribe(() => {
      if (clock.state.isPlaying) timer ??= setTimeout(read, followMs);
      else read();
    });
    return () => {
      unsubscribe();
      clearTimeout(timer);
    };
  }, [clock]);
  return atMs;
}
