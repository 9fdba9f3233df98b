import type { GridCells, GridMeasure } from "@fairway/contract/grid";
import type { TimeBucket } from "@fairway/contract/distributions";
import { type CellSet, cellSetOf } from "./cell-set.ts";
import { numberOfCell, valuesOfCells } from "./cell-values.ts";

/** Cells counted in steps of time. */
export interface GridFrames {
  /** The cells with all rows, also those without a time. */
  readonly cells: CellSet;
  readonly buckets: readonly TimeBucket[];
  /** The first entry of each cell in the arrays below, and their length. */
  readonly starts: Int32Array;
  /** The bucket of each entry, ascending within a cell. */
  readonly bucket: Int32Array;
  /** Rows of a cell up to and with the bucket of the entry. */
  readonly rowsTo: Float64Array;
  /** The same for rows with a value of the measure; null without one. */
  readonly countedTo: Float64Array | null;
  /** The value of the measure in the bucket of the entry alone, which is the sum for an average. NaN without a value; null without a measure. */
  readonly values: Float64Array | null;
  /** The same of all buckets up to and with that of the entry. */
  readonly valuesTo: Float64Array | null;
}

/** Buckets from `from` up to but not with `to`. */
export interface Steps {
  readonly from: number;
  readonly to: number;
}

/** Reads the steps of an answer, which must have been asked for. */
export function framesOf(answer: GridCells, measure: GridMeasure | null): GridFrames {
  const cells = cellSetOf(answer, measure);
  const { frames, time } = answer;
  if (frames === undefined || time === undefined) throw new Error("The answer has no steps of time.");
  const starts = new Int32Array(cells.size + 1);
  for (const cell of frames.cell) starts[cell + 1] = (starts[cell + 1] ?? 0) + 1;
  for (let cell = 0; cell < cells.size; cell++) starts[cell + 1] = (starts[cell + 1] ?? 0) + (starts[cell] ?? 0);
  const found = frames.sum ?? frames.value;
  const values = found ? Float64Array.from(found, numberOfCell) : null;
  return {
    cells,
    buckets: time.buckets,
    starts,
    bucket: Int32Array.from(frames.bucket),
    rowsTo: addedUp(frames.rows, starts),
    countedTo: frames.counted ? addedUp(frames.counted, starts) : null,
    values,
    valuesTo: values && combinedUp(values, starts, measure?.aggregation),
  };
}

/** Sums of the entries of each cell up to every entry. */
function addedUp(counts: readonly number[], starts: Int32Array): Float64Array {
  const sums = Float64Array.from(counts);
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    const end = starts[cell + 1] ?? 0;
    for (let entry = (starts[cell] ?? 0) + 1; entry < end; entry++) sums[entry] = (sums[entry] ?? 0) + (sums[entry - 1] ?? 0);
  }
  return sums;
}

/** The values of the entries of each cell up to every entry, in the order in which a window combines them. */
function combinedUp(values: Float64Array, starts: Int32Array, aggregation: GridMeasure["aggregation"] | undefined): Float64Array {
  const combined = Float64Array.from(values);
  for (let cell = 0; cell + 1 < starts.length; cell++) {
    const end = starts[cell + 1] ?? 0;
    for (let entry = (starts[cell] ?? 0) + 1; entry < end; entry++) {
      combined[entry] = combine(combined[entry - 1] ?? Number.NaN, combined[entry] ?? Number.NaN, aggregation);
    }
  }
  return combined;
}

/** The cells that have rows in these steps, with their values there. */
export function cellsAtSteps(frames: GridFrames, { from, to }: Steps): CellSet {
  const { cells, starts, bucket, rowsTo, countedTo, values, valuesTo } = frames;
  const aggregation = cells.measure?.aggregation;
  const isMeasured = countedTo !== null && values !== null && valuesTo !== null;
  const x = new Int32Array(cells.size);
  const y = new Int32Array(cells.size);
  const rows = new Float64Array(cells.size);
  const counted = new Float64Array(isMeasured ? cells.size : 0);
  const found = new Float64Array(isMeasured ? cells.size : 0);
  let size = 0;
  for (let cell = 0; cell < cells.size; cell++) {
    const start = starts[cell] ?? 0;
    const end = starts[cell + 1] ?? 0;
    const first = from === 0 ? start : entryFrom(bucket, start, end, from);
    const last = entryFrom(bucket, first, end, to);
    if (first === last) continue;
    x[size] = cells.x[cell] ?? 0;
    y[size] = cells.y[cell] ?? 0;
    rows[size] = (rowsTo[last - 1] ?? 0) - (first > start ? (rowsTo[first - 1] ?? 0) : 0);
    if (isMeasured) {
      const count = (countedTo[last - 1] ?? 0) - (first > start ? (countedTo[first - 1] ?? 0) : 0);
      // Sums of a window are added anew, as a difference of two large ones would lose digits.
      const value = first === start ? (valuesTo[last - 1] ?? Number.NaN) : combinedBetween(values, first, last, aggregation);
      counted[size] = count;
      found[size] = aggregation === "avg" ? value / count : value;
    }
    size++;
  }
  return {
    level: cells.level,
    size,
    x: x.subarray(0, size),
    y: y.subarray(0, size),
    rows: rows.subarray(0, size),
    counted: countedTo === null ? null : counted.subarray(0, size),
    values: values === null ? null : found.subarray(0, size),
    measure: cells.measure,
  };
}

/** The first entry of a cell whose bucket is at least this one. */
function entryFrom(bucket: Int32Array, start: number, end: number, least: number): number {
  let [low, high] = [start, end];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((bucket[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

function combinedBetween(values: Float64Array, first: number, last: number, aggregation: GridMeasure["aggregation"] | undefined): number {
  let result = values[first] ?? Number.NaN;
  for (let entry = first + 1; entry < last; entry++) result = combine(result, values[entry] ?? Number.NaN, aggregation);
  return result;
}

/** The value of two parts; averages are combined as sums. NaN if neither has one. */
function combine(one: number, other: number, aggregation: GridMeasure["aggregation"] | undefined): number {
  if (Number.isNaN(one)) return other;
  if (Number.isNaN(other)) return one;
  if (aggregation === "min") return Math.min(one, other);
  return aggregation === "max" ? Math.max(one, other) : one + other;
}

/** How much of the time before its end the playback shows; null for everything since the beginning. */
export type WindowMs = number | null;

/** The steps that are shown at a time: up to the end of the bucket that contains it. */
export function stepsAt(buckets: readonly TimeBucket[], timeMs: number, windowMs: WindowMs): Steps {
  let to = buckets.findIndex(({ endMs }) => timeMs < endMs) + 1;
  if (to === 0) to = buckets.length;
  if (windowMs === null) return { from: 0, to };
  // Years and months differ in length: a bucket counts if its middle is within the window.
  const sinceMs = (buckets[to - 1]?.endMs ?? 0) - windowMs;
  const from = buckets.findIndex(({ startMs, endMs }) => (startMs + endMs) / 2 >= sinceMs);
  return { from: Math.max(0, Math.min(from === -1 ? to - 1 : from, to - 1)), to };
}

/** The values of all cells in everything that a playback shows, for a range of colors that holds throughout. */
export function valuesOfPlayback(frames: GridFrames, windowMs: WindowMs, perArea: boolean): Float64Array {
  const parts = frames.buckets.map(({ startMs }) =>
    valuesOfCells(cellsAtSteps(frames, stepsAt(frames.buckets, startMs, windowMs)), perArea),
  );
  const all = new Float64Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
