/**
 * Counts of rows by time, kept from one check to the next: how many lie in each of a few intervals that follow each other without gaps. The
 * first begins where rows are no longer monitored, the last one never ends.
 */
export type TimeCells = readonly TimeCell[];

export interface TimeCell {
  /** Epoch milliseconds; null: from the beginning of time. Ends where the next one begins. */
  readonly fromMs: number | null;
  readonly rows: number;
}

/** Stretches of the overlap, and as many ahead of the clock: rows that come and go hide each other only within one of them. */
const stretches = 6;
const aheadMs = 86_400_000;
/** Times of some datasets are whole seconds. */
const wholeSecond = (ms: number): number => Math.floor(ms / 1_000) * 1_000;

/**
 * Starts of the cells that are remembered until the next check. `markMs` is the time of the newest row that is not ahead of the clock; null
 * without one. Rows are monitored from `lateMs` before it on, but not from before `leastMs`, where earlier checks stopped.
 */
export function cellStarts(markMs: number | null, nowMs: number, lateMs: number, leastMs: number | null): (number | null)[] {
  const ahead = evenly(wholeSecond(nowMs) + 1_000, aheadMs);
  if (markMs === null) return [leastMs, ...ahead];
  const starts = [...evenly(wholeSecond(markMs - lateMs), lateMs), wholeSecond(markMs) + 1_000, ...ahead].toSorted((a, b) => a - b);
  const firstMs = Math.max(starts[0] ?? -Infinity, leastMs ?? -Infinity);
  return [...new Set([firstMs, ...starts.filter((start) => start > firstMs)])];
}

const evenly = (fromMs: number, spanMs: number): number[] =>
  Array.from({ length: stretches }, (_, index) => wholeSecond(fromMs + (spanMs * index) / stretches));

/** The beginnings of both, in order: each cell of either is made of some of these. */
export const joinedStarts = (one: readonly (number | null)[], other: readonly (number | null)[]): (number | null)[] =>
  [...new Set([...one, ...other])].toSorted((a, b) => (a ?? -Infinity) - (b ?? -Infinity));

/** The same rows in cells with other beginnings, each of which is one of a finer cell. Rows before the first one are left out. */
export const inCells = (finer: TimeCells, starts: readonly (number | null)[]): TimeCells =>
  starts.map((fromMs, index) => {
    const nextMs = starts[index + 1] ?? Infinity;
    const within = finer.filter((cell) => (cell.fromMs ?? -Infinity) >= (fromMs ?? -Infinity) && (cell.fromMs ?? -Infinity) < nextMs);
    return { fromMs, rows: within.reduce((sum, { rows }) => sum + rows, 0) };
  });

/** How many rows appeared: each cell has at least so many more. Rows that were there before are not new because time passes. */
export const appeared = (before: TimeCells, now: TimeCells): number =>
  inCells(
    now,
    before.map(({ fromMs }) => fromMs),
  ).reduce((sum, { rows }, index) => sum + Math.max(0, rows - (before[index]?.rows ?? 0)), 0);
