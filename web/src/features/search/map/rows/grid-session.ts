import type { GridAnswer, GridMeasure, GridTotals } from "@fairway/contract/grid";
import { type Box, cellBox } from "@fairway/contract/grid-cells";
import type { Limits } from "@fairway/contract/limits";
import type { ResultRow } from "@fairway/contract/search";
import { isUnsupported, messagesOf } from "#lib/gateway/gateway-error.ts";
import type { AskGrid } from "./grid-call.ts";
import { type CellSet, cellSetOf, extentOfCells } from "./cell-set.ts";
import { levelOf, worldCallLevel } from "./grid-level.ts";
import { covers, type LevelRange, rangeToAsk, type ShownView } from "./grid-view.ts";

/** The rows that the map shows, and how. */
export interface GridWish {
  readonly view: ShownView;
  readonly cellPixels: number;
  readonly measure: GridMeasure | null;
  /** Columns of rows that are shown one by one. */
  readonly values: readonly string[];
}

/** An answer for a view and what lies around it. */
export interface LoadedGrid {
  readonly range: LevelRange;
  /** The level that the view wanted, which is more where cells grew. */
  readonly wantedLevel: number;
  readonly measure: GridMeasure | null;
  readonly content: { readonly kind: "cells"; readonly cells: CellSet } | { readonly kind: "rows"; readonly rows: readonly ResultRow[] };
}

export interface GridState {
  /** Of the whole search; null until counted. */
  readonly totals: GridTotals | null;
  /** The box with all placed rows; null until counted, and without any. */
  readonly extent: Box | null;
  readonly loaded: LoadedGrid | null;
  /** Start of the running call in epoch milliseconds. */
  readonly startedMs: number | null;
  /** Messages of the failure; null without one. */
  readonly failure: readonly string[] | null;
  /** The server cannot count these rows by place. */
  readonly isUnmappable: boolean;
  readonly isCanceled: boolean;
}

const initial: GridState = {
  totals: null,
  extent: null,
  loaded: null,
  startedMs: null,
  failure: null,
  isUnmappable: false,
  isCanceled: false,
};

/** Counts the rows of one run of a search by place: first the whole world, for totals and extent, then the views of the map, one at a time. */
export class GridSession {
  readonly #ask: AskGrid;
  readonly #limits: () => Pick<Limits, "gridCells" | "mapRows">;
  readonly #listeners = new Set<() => void>();
  #state = initial;
  #run: { readonly abort: AbortController; readonly range: LevelRange | null; readonly measure: string } | null = null;
  #wish: GridWish | null = null;

  constructor(ask: AskGrid, limits: () => Pick<Limits, "gridCells" | "mapRows">) {
    this.#ask = ask;
    this.#limits = limits;
  }

  get state(): GridState {
    return this.#state;
  }

  readonly getState = (): GridState => this.#state;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  /** Counts the whole world, unless that is done or under way. */
  start(): void {
    if (this.#state.totals !== null || this.#run !== null || this.#state.failure !== null || this.#state.isCanceled) return;
    void this.#countWorld();
  }

  /** The view at which the map rests. Asks only for what is not loaded, and once the world is counted. */
  show(wish: GridWish): void {
    this.#wish = wish;
    if (this.#state.totals === null || this.#state.totals.placed === 0) return;
    const { loaded } = this.#state;
    const wantedLevel = levelOf(wish.view.zoom, wish.cellPixels, loaded?.content.kind === "cells" ? loaded.wantedLevel : null);
    const measure = keyOf(wish.measure);
    if (loaded !== null && this.#state.failure === null && keyOf(loaded.measure) === measure && covers(loaded.range, wish.view)) {
      // Rows one by one are all rows of their box, at any zoom.
      if (loaded.content.kind === "rows" || loaded.wantedLevel === wantedLevel) {
        this.#stop();
        return;
      }
    }
    const range = rangeToAsk(wish.view, wantedLevel, this.#limits().gridCells);
    const running = this.#run;
    if (running?.range?.level === range.level && running.measure === measure && covers(running.range, wish.view)) return;
    if (this.#state.isCanceled && running === null) this.#patch({ isCanceled: false });
    void this.#countView(wish, range, wantedLevel);
  }

  /** Asks again after a failure or a cancellation. */
  retry(): void {
    this.#patch({ failure: null, isCanceled: false });
    if (this.#state.totals === null) void this.#countWorld();
    else if (this.#wish !== null) this.show(this.#wish);
  }

  cancel(): void {
    this.#run?.abort.abort("canceled");
    this.#run = null;
    this.#patch({ startedMs: null, isCanceled: true });
  }

  /** Ends a running call. */
  close(): void {
    this.#run?.abort.abort("closed");
    this.#run = null;
    this.#listeners.clear();
  }

  #stop(): void {
    if (this.#run === null) return;
    this.#run.abort.abort("left");
    this.#run = null;
    this.#patch({ startedMs: null });
  }

  async #countWorld(): Promise<void> {
    const { gridCells } = this.#limits();
    const answer = await this.#call({ level: worldCallLevel(gridCells) }, null, "");
    if (answer === undefined || answer.kind !== "cells" || answer.totals === undefined) return;
    this.#patch({ totals: answer.totals, extent: extentOfCells(cellSetOf(answer, null)) });
    if (this.#wish !== null) this.show(this.#wish);
  }

  async #countView(wish: GridWish, range: LevelRange, wantedLevel: number): Promise<void> {
    const request = {
      level: range.level,
      within: [...cellBox(range, range.level)],
      ...(wish.measure === null ? {} : { measure: wish.measure }),
      rows: this.#limits().mapRows,
      ...(wish.values.length > 0 ? { values: [...wish.values] } : {}),
    };
    const answer = await this.#call(request, range, keyOf(wish.measure));
    if (answer === undefined) return;
    const content =
      answer.kind === "cells" ? { kind: answer.kind, cells: cellSetOf(answer, wish.measure) } : { kind: answer.kind, rows: answer.results };
    this.#patch({ loaded: { range, wantedLevel, measure: wish.measure, content } });
  }

  /** Undefined if the call failed or another one took its place. */
  async #call(request: Parameters<AskGrid>[0], range: LevelRange | null, measure: string): Promise<GridAnswer | undefined> {
    this.#run?.abort.abort("replaced");
    const run = (this.#run = { abort: new AbortController(), range, measure });
    this.#patch({ startedMs: Date.now(), failure: null, isCanceled: false });
    try {
      const answer = await this.#ask(request, run.abort.signal);
      if (this.#run !== run) return undefined;
      this.#run = null;
      this.#patch({ startedMs: null });
      return answer;
    } catch (error) {
      if (this.#run !== run) return undefined;
      this.#run = null;
      // Old counts under another view would be wrong.
      this.#patch({ startedMs: null, loaded: null, failure: messagesOf(error), isUnmappable: isUnsupported(error) });
      return undefined;
    }
  }

  #patch(changed: Partial<GridState>): void {
    this.#state = { ...this.#state, ...changed };
    for (const listener of this.#listeners) listener();
  }
}

const keyOf = (measure: GridMeasure | null): string => (measure === null ? "" : `${measure.aggregation} ${measure.column}`);
