import type { TimeDistribution } from "@fairway/contract/distributions";
import { cellBox, cellsOfBox } from "@fairway/contract/grid-cells";
import type { Limits } from "@fairway/contract/limits";
import { bucketMs, bucketSizeFor, bucketStart, type BucketSize } from "@fairway/contract/time-buckets";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import type { CellSet } from "./cell-set.ts";
import { framesOf, type GridFrames } from "./grid-frames.ts";
import type { AskGrid } from "./grid-call.ts";
import type { LoadedGrid } from "./grid-session.ts";

/** Steps of a playback. */
const maxSteps = 60;

/** The steps of what is loaded. */
export interface LoadedFrames {
  /** The answer whose rows are played. */
  readonly of: LoadedGrid;
  readonly frames: GridFrames;
  readonly size: BucketSize;
  /** The same as the map shows cells. */
  readonly range: LoadedGrid["range"];
}

interface FramesState {
  readonly ready: LoadedFrames | null;
  /** Start of the running calls in epoch milliseconds. */
  readonly startedMs: number | null;
  /** Messages of the failure; null without one. */
  readonly failure: readonly string[] | null;
}

/** Asks for the rows of a box over time. Rejects with GatewayError or the signal's reason. */
type AskOverTime = (within: number[], signal: AbortSignal) => Promise<TimeDistribution>;

const idle: FramesState = { ready: null, startedMs: null, failure: null };

/** Loads the steps of a playback: first the rows of the box over time, and then its cells in these steps. */
export class FramesSession {
  readonly #ask: { readonly overTime: AskOverTime; readonly grid: AskGrid };
  readonly #limits: () => Pick<Limits, "gridFrameValues">;
  readonly #listeners = new Set<() => void>();
  #state = idle;
  #run: { readonly abort: AbortController; readonly of: LoadedGrid } | null = null;

  constructor(ask: { overTime: AskOverTime; grid: AskGrid }, limits: () => Pick<Limits, "gridFrameValues">) {
    this.#ask = ask;
    this.#limits = limits;
  }

  readonly getState = (): FramesState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Loads the steps of an answer, unless that is done or under way. */
  async load(of: LoadedGrid): Promise<void> {
    if (this.#run?.of === of || (this.#run === null && this.#state.ready?.of === of)) return;
    this.#run?.abort.abort("replaced");
    const run = (this.#run = { abort: new AbortController(), of });
    this.#patch({ startedMs: Date.now(), failure: null });
    try {
      const ready = await this.#framesOf(of, run.abort.signal);
      if (this.#run !== run) return;
      this.#run = null;
      this.#patch({ ready, startedMs: null });
    } catch (error) {
      if (this.#run !== run) return;
      this.#run = null;
      this.#patch({ ready: null, startedMs: null, failure: messagesOf(error) });
    }
  }

  /** Ends running calls and forgets a failure. */
  cancel(): void {
    this.#run?.abort.abort("canceled");
    this.#run = null;
    if (this.#state.startedMs !== null || this.#state.failure !== null) this.#patch({ startedMs: null, failure: null });
  }

  async #framesOf(of: LoadedGrid, signal: AbortSignal): Promise<LoadedFrames> {
    const { range, measure } = of;
    const within = [...cellBox(range, range.level)];
    const steps = stepsOf(await this.#ask.overTime(within, signal));
    if (steps === null) throw new Error("None of the rows here has a time.");
    const { size, ...span } = steps;
    for (let level = this.#levelFor(of, steps); ; level--) {
      try {
        // oxlint-disable-next-line no-await-in-loop -- another level is asked for only if this one has too many values
        const answer = await this.#ask.grid(
          { level, within, ...(measure === null ? {} : { measure }), time: { ...size, ...span } },
          signal,
        );
        if (answer.kind !== "cells") throw new Error("The server answered rows one by one.");
        const box = [answer.within[0] ?? 0, answer.within[1] ?? 0, answer.within[2] ?? 0, answer.within[3] ?? 0] as const;
        return { of, size, frames: framesOf(answer, measure), range: { level, ...cellsOfBox(box, level) } };
      } catch (error) {
        if (level === 0 || !(error instanceof GatewayError) || error.status !== 413) throw error;
      }
    }
  }

  /** Cells are twice as wide while playing, or wider where there would be too many values. */
  #levelFor({ range, content }: LoadedGrid, { startMs, endMs, size }: StepsOfTime): number {
    let level = Math.max(0, range.level - 1);
    if (content.kind === "rows") return level;
    const steps = Math.ceil((endMs - startMs) / bucketMs(size));
    const rows = content.cells.rows.reduce((sum, one) => sum + one, 0);
    while (level > 0 && Math.min(rows, cellsAtLevel(content.cells, level) * steps) > this.#limits().gridFrameValues) level--;
    return level;
  }

  #patch(changed: Partial<FramesState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

/** How many cells of a coarser level these are. */
function cellsAtLevel({ level: from, size, x, y }: CellSet, level: number): number {
  const found = new Set<number>();
  for (let index = 0; index < size; index++) {
    found.add(((y[index] ?? 0) >> (from - level)) * 2 ** level + ((x[index] ?? 0) >> (from - level)));
  }
  return found.size;
}

interface StepsOfTime {
  readonly size: BucketSize;
  readonly startMs: number;
  readonly endMs: number;
}

/** The steps of a playback: the buckets of a histogram, or longer ones where these are too many. Null without rows that have a time. */
function stepsOf({ unit, size, buckets }: TimeDistribution): StepsOfTime | null {
  const [first, last] = [buckets[0], buckets.at(-1)];
  if (first === undefined || last === undefined) return null;
  const own = { unit, size };
  const used = buckets.length <= maxSteps ? own : bucketSizeFor(first.startMs, last.endMs, bucketMs(own), maxSteps);
  return { size: used, startMs: bucketStart(first.startMs, used), endMs: last.endMs };
}
