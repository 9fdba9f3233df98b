import { BlockKind, isChange, isInAfter, isInBefore } from "./blocks.ts";

export type Side = "before" | "after";

/** A position in a comparison, counted over all blocks; lines that stand side by side are one position. From, and up to but not including. */
export type PositionRange = readonly [from: number, to: number];

export interface RowOptions {
  /** Both sides next to each other, instead of removed above added lines. */
  isSplit: boolean;
  /** False to show every line. */
  folds: boolean;
  /** Lines that are shown although they are far from any change. */
  revealed: readonly PositionRange[];
  /** Indexes of lines of `after` below which something is shown, in ascending order. Never folded. */
  below: readonly number[];
}

export interface LineRow {
  kind: "line";
  type: BlockKind;
  /** Index of the line; -1 on the side that the row does not show. */
  before: number;
  after: number;
  /** Index of the line on the other side that a changed line is compared with; -1 if there is none. */
  counterpart: number;
}

export interface FoldRow {
  kind: "fold";
  positions: PositionRange;
  /** Whether lines are shown above and below it. */
  hasAbove: boolean;
  hasBelow: boolean;
}

/** Row below a line. */
export interface BelowRow {
  kind: "below";
  after: number;
}

export type Row = LineRow | FoldRow | BelowRow;

export interface RowModel {
  /** Different for each model. */
  readonly version: number;
  readonly rowCount: number;
  /** The first row of each change. */
  readonly changes: readonly number[];
  readonly rowAt: (index: number) => Row;
  /** The row that shows the line; -1 if it is folded, or if there is no such line. */
  readonly rowOfLine: (side: Side, line: number) => number;
  readonly positionOfLine: (side: Side, line: number) => number;
  readonly positionCount: number;
}

const contextLines = 3;
let versions = 0;

/** Runs of rows that are made alike; `both` are lines of both sides in one row. */
const Run = { both: 0, before: 1, after: 2, fold: 3, below: 4 } as const;
const runFields = 4;

export function createRowModel(blocks: Int32Array, { isSplit, folds, revealed, below }: RowOptions): RowModel {
  const count = blocks.length / 2;
  const kindOf = (block: number): number => blocks[block * 2] ?? 0;
  /** Start of each block: in positions, and in lines of both sides. */
  const [positions, before, after] = [new Int32Array(count + 1), new Int32Array(count + 1), new Int32Array(count + 1)];
  for (let block = 0; block < count; block += 1) {
    const lines = blocks[block * 2 + 1] ?? 0;
    positions[block + 1] = (positions[block] ?? 0) + lines;
    before[block + 1] = (before[block] ?? 0) + (isInBefore(kindOf(block)) ? lines : 0);
    after[block + 1] = (after[block] ?? 0) + (isInAfter(kindOf(block)) ? lines : 0);
  }
  const positionCount = positions[count] ?? 0;

  const positionOfLine = (side: Side, line: number): number => {
    const starts = side === "before" ? before : after;
    if (line < 0 || line >= (starts[count] ?? 0)) return -1;
    const block = lastAtMost(starts, line);
    return (positions[block] ?? 0) + line - (starts[block] ?? 0);
  };

  const shown = mergedRanges([
    ...revealed,
    ...below.map((line) => positionOfLine("after", line)).flatMap((position) => (position < 0 ? [] : [around(position)])),
  ]);

  // Runs: type, block (of a fold: its first position; of what is below: the line), first line within the block (fold: its end), first row.
  const runs = growingInts();
  const changes: number[] = [];
  let rows = 0;
  let nextBelow = 0;
  const add = (type: number, first: number, second: number, length: number) => {
    runs.push(type, first, second, rows);
    rows += length;
  };
  const addLines = (type: number, block: number, from: number, to: number) => {
    let start = from;
    if (type !== Run.before && isInAfter(kindOf(block))) {
      const first = after[block] ?? 0;
      while (nextBelow < below.length && (below[nextBelow] ?? 0) < first + from) nextBelow += 1;
      for (; nextBelow < below.length && (below[nextBelow] ?? 0) < first + to; nextBelow += 1) {
        const line = below[nextBelow] ?? 0;
        add(type, block, start, line - first + 1 - start);
        add(Run.below, line, 0, 1);
        start = line - first + 1;
      }
    }
    if (start < to) add(type, block, start, to - start);
  };
  const addContext = (first: number, last: number) => {
    const [start, end] = [positions[first] ?? 0, positions[last] ?? 0];
    const hidden = folds ? hiddenRanges([start + (first === 0 ? 0 : contextLines), end - (last === count ? 0 : contextLines)], shown) : [];
    let block = first;
    let at = start;
    const showUntil = (to: number) => {
      while (at < to) {
        while ((positions[block + 1] ?? 0) <= at) block += 1;
        const stop = Math.min(to, positions[block + 1] ?? to);
        addLines(Run.both, block, at - (positions[block] ?? 0), stop - (positions[block] ?? 0));
        at = stop;
      }
    };
    for (const [from, to] of hidden) {
      showUntil(from);
      add(Run.fold, from, to, 1);
      at = to;
    }
    showUntil(end);
  };

  for (let block = 0; block < count;) {
    let end = block + 1;
    const isChanged = isChange(kindOf(block));
    while (end < count && isChange(kindOf(end)) === isChanged) end += 1;
    if (isChanged) {
      changes.push(rows);
      const linesOf = (at: number) => blocks[at * 2 + 1] ?? 0;
      if (isSplit) for (let at = block; at < end; at += 1) addLines(Run.both, at, 0, linesOf(at));
      else {
        for (let at = block; at < end; at += 1) if (isInBefore(kindOf(at))) addLines(Run.before, at, 0, linesOf(at));
        for (let at = block; at < end; at += 1) if (isInAfter(kindOf(at))) addLines(Run.after, at, 0, linesOf(at));
      }
    } else addContext(block, end);
    block = end;
  }

  const packed = runs.finish();
  const runCount = packed.length / runFields;
  const field = (run: number, index: number): number => packed[run * runFields + index] ?? 0;
  const runOfRow = (row: number): number => {
    let [low, high] = [0, runCount];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (field(middle, 3) <= row) low = middle;
      else high = middle;
    }
    return low;
  };

  versions += 1;
  return {
    version: versions,
    rowCount: rows,
    changes,
    positionCount,
    positionOfLine,
    rowAt(row) {
      const run = runOfRow(row);
      const [type, first, second] = [field(run, 0), field(run, 1), field(run, 2)];
      if (type === Run.fold) return { kind: "fold", positions: [first, second], hasAbove: first > 0, hasBelow: second < positionCount };
      if (type === Run.below) return { kind: "below", after: first };
      const blockKind = kindOf(first) as BlockKind;
      const offset = second + row - field(run, 3);
      const [beforeLine, afterLine] = [(before[first] ?? 0) + offset, (after[first] ?? 0) + offset];
      const isPaired = blockKind === BlockKind.changed;
      if (type === Run.before)
        return { kind: "line", type: BlockKind.removed, before: beforeLine, after: -1, counterpart: isPaired ? afterLine : -1 };
      if (type === Run.after)
        return { kind: "line", type: BlockKind.added, before: -1, after: afterLine, counterpart: isPaired ? beforeLine : -1 };
      return {
        kind: "line",
        type: blockKind,
        before: isInBefore(blockKind) ? beforeLine : -1,
        after: isInAfter(blockKind) ? afterLine : -1,
        counterpart: -1,
      };
    },
    rowOfLine(side, line) {
      const starts = side === "before" ? before : after;
      if (line < 0 || line >= (starts[count] ?? 0)) return -1;
      const block = lastAtMost(starts, line);
      const offset = line - (starts[block] ?? 0);
      const without = side === "before" ? Run.after : Run.before;
      for (let run = 0; run < runCount; run += 1) {
        if (field(run, 0) >= Run.fold || field(run, 0) === without || field(run, 1) !== block) continue;
        const length = (run + 1 < runCount ? field(run + 1, 3) : rows) - field(run, 3);
        if (offset >= field(run, 2) && offset < field(run, 2) + length) return field(run, 3) + offset - field(run, 2);
      }
      return -1;
    },
  };
}

/** A position with its context. */
export const around = (position: number): PositionRange => [Math.max(0, position - contextLines), position + contextLines + 1];

/** Rest of `positions` without the shown ones. A single line is shown rather than folded. */
function hiddenRanges([from, to]: PositionRange, shown: readonly PositionRange[]): PositionRange[] {
  const hidden: PositionRange[] = [];
  let at = from;
  const hide = (end: number) => {
    if (end - at > 1) hidden.push([at, end]);
  };
  let [low, high] = [0, shown.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((shown[middle]?.[1] ?? 0) <= from) low = middle + 1;
    else high = middle;
  }
  for (let index = low; index < shown.length; index += 1) {
    const [start, end] = shown[index] ?? [0, 0];
    if (start >= to) break;
    hide(start);
    at = Math.max(at, end);
  }
  hide(to);
  return hidden;
}

/** Sorted and without overlaps. */
function mergedRanges(all: readonly PositionRange[]): PositionRange[] {
  const merged: [from: number, to: number][] = [];
  for (const [from, to] of all.toSorted((one, other) => one[0] - other[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** The last index whose value is at most this one. Of blocks without lines on a side, the one that has the line. */
function lastAtMost(starts: Int32Array, value: number): number {
  let [low, high] = [0, starts.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= value) low = middle;
    else high = middle;
  }
  return low;
}

function growingInts() {
  let values = new Int32Array(1_024);
  let length = 0;
  return {
    // Not as a list: 100,000 small arrays take longer than the rest of a model.
    push(one: number, two: number, three: number, four: number) {
      if (length + runFields > values.length) {
        const longer = new Int32Array(values.length * 2);
        longer.set(values);
        values = longer;
      }
      values[length] = one;
      values[length + 1] = two;
      values[length + 2] = three;
      values[length + 3] = four;
      length += runFields;
    },
    finish: () => values.subarray(0, length),
  };
}
