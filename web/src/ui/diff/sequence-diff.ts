import { diffArrays } from "diff";

/** Steps that the search for the shortest script may take in total; then it goes on with coarser results. */
const maxSteps = 10_000_000;
const maxEdits = 1_000;

interface Range {
  readonly beforeFrom: number;
  readonly beforeTo: number;
  readonly afterFrom: number;
  readonly afterTo: number;
}

/** Numbers equal texts alike, across all its calls. */
export function createIds(): (text: string) => number {
  const ids = new Map<string, number>();
  return (text) => {
    const known = ids.get(text);
    if (known !== undefined) return known;
    ids.set(text, ids.size);
    return ids.size - 1;
  };
}

/**
 * Finds a common subsequence of two sequences of numbers from 0 without large gaps, as `createIds` makes them: for each index of
 * `before`, the index in `after` that it stays at, or -1. It is the longest one unless the sequences are large and shuffled. Takes
 * bounded time on any input. Decision 0435.
 */
export function matchSequences(before: ArrayLike<number>, after: ArrayLike<number>, edits = maxEdits): Int32Array {
  const matches = new Int32Array(before.length).fill(-1);
  const counts = createCounts(before, after);
  const pending: Range[] = [{ beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length }];
  let steps = maxSteps;
  for (let range = pending.pop(); range; range = pending.pop()) {
    const inner = matchEnds(before, after, range, matches);
    if (inner.beforeFrom === inner.beforeTo || inner.afterFrom === inner.afterTo) continue;
    const { old, current, minEdits } = sharedIndexes(before, after, inner, counts);
    if (old.length === 0) continue;
    const maxEditLength = Math.floor(Math.min(edits, Math.sqrt(2 * steps)));
    if (matchShared(before, after, old, current, matches, minEdits > maxEditLength ? -1 : maxEditLength)) continue;
    if (minEdits <= maxEditLength) steps -= (maxEditLength * maxEditLength) / 2;
    for (const part of splitAtAnchors(before, after, old, current, inner, counts, matches)) pending.push(part);
  }
  return matches;
}

/** How often each value is in a range of each sequence; all 0 between uses. */
interface Counts {
  readonly before: Int32Array;
  readonly after: Int32Array;
  /** The last index of each value in `after`, which is only read where `after` is not 0. */
  readonly last: Int32Array;
}

function createCounts(before: ArrayLike<number>, after: ArrayLike<number>): Counts {
  let max = -1;
  for (let index = 0; index < before.length; index += 1) max = Math.max(max, before[index] ?? 0);
  for (let index = 0; index < after.length; index += 1) max = Math.max(max, after[index] ?? 0);
  return { before: new Int32Array(max + 1), after: new Int32Array(max + 1), last: new Int32Array(max + 1) };
}

function countValues(values: ArrayLike<number>, from: number, to: number, counts: Int32Array): void {
  for (let index = from; index < to; index += 1) {
    const value = values[index] ?? 0;
    counts[value] = (counts[value] ?? 0) + 1;
  }
}

/** Matches indexes of values that both sides have by the shortest script. False, without matches, if that takes too many edits. */
function matchShared(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  old: Int32Array,
  current: Int32Array,
  matches: Int32Array,
  maxEditLength: number,
): boolean {
  if (maxEditLength < 0) return false;
  const values = Array.from(old, (index) => before[index]);
  const others = Array.from(current, (index) => after[index]);
  const changes = diffArrays(values, others, { maxEditLength });
  if (!changes) return false;
  let oldAt = 0;
  let currentAt = 0;
  for (const { added, removed, count } of changes) {
    if (!added && !removed) for (let at = 0; at < count; at += 1) matches[old[oldAt + at] ?? 0] = current[currentAt + at] ?? -1;
    if (!added) oldAt += count;
    if (!removed) currentAt += count;
  }
  return true;
}

/** Matches equal beginnings and ends, and returns what is between them. */
function matchEnds(before: ArrayLike<number>, after: ArrayLike<number>, range: Range, matches: Int32Array): Range {
  let { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  while (beforeFrom < beforeTo && afterFrom < afterTo && before[beforeFrom] === after[afterFrom]) {
    matches[beforeFrom] = afterFrom;
    beforeFrom += 1;
    afterFrom += 1;
  }
  while (beforeFrom < beforeTo && afterFrom < afterTo && before[beforeTo - 1] === after[afterTo - 1]) {
    beforeTo -= 1;
    afterTo -= 1;
    matches[beforeTo] = afterTo;
  }
  return { beforeFrom, beforeTo, afterFrom, afterTo };
}

/**
 * The indexes of what both sides have. Dropping the rest changes no common subsequence, and leaves little to search in most texts.
 * The difference in counts of a value takes at least as many edits, `minEdits`.
 */
function sharedIndexes(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  { beforeFrom, beforeTo, afterFrom, afterTo }: Range,
  counts: Counts,
): { old: Int32Array; current: Int32Array; minEdits: number } {
  countValues(before, beforeFrom, beforeTo, counts.before);
  countValues(after, afterFrom, afterTo, counts.after);
  const old = new Int32Array(beforeTo - beforeFrom);
  const current = new Int32Array(afterTo - afterFrom);
  let oldCount = 0;
  let currentCount = 0;
  for (let index = beforeFrom; index < beforeTo; index += 1) if ((counts.after[before[index] ?? 0] ?? 0) > 0) old[oldCount++] = index;
  for (let index = afterFrom; index < afterTo; index += 1) if ((counts.before[after[index] ?? 0] ?? 0) > 0) current[currentCount++] = index;
  let minEdits = 0;
  for (let at = 0; at < oldCount; at += 1) {
    const value = before[old[at] ?? 0] ?? 0;
    const difference = (counts.before[value] ?? 0) - (counts.after[value] ?? 0);
    minEdits += Math.abs(difference);
    counts.before[value] = 0;
    counts.after[value] = 0;
  }
  for (let index = beforeFrom; index < beforeTo; index += 1) counts.before[before[index] ?? 0] = 0;
  for (let index = afterFrom; index < afterTo; index += 1) counts.after[after[index] ?? 0] = 0;
  return { old: old.subarray(0, oldCount), current: current.subarray(0, currentCount), minEdits };
}

/** Matches the values that occur once on each side and are in the same order, and returns the ranges between them. */
function splitAtAnchors(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  old: Int32Array,
  current: Int32Array,
  range: Range,
  counts: Counts,
  matches: Int32Array,
): Range[] {
  for (const index of old) counts.before[before[index] ?? 0] = (counts.before[before[index] ?? 0] ?? 0) + 1;
  for (const index of current) {
    const value = after[index] ?? 0;
    counts.after[value] = (counts.after[value] ?? 0) + 1;
    counts.last[value] = index;
  }
  const oldIndexes = old.filter((index) => counts.before[before[index] ?? 0] === 1 && counts.after[before[index] ?? 0] === 1);
  const indexes = oldIndexes.map((index) => counts.last[before[index] ?? 0] ?? -1);
  for (const index of old) counts.before[before[index] ?? 0] = 0;
  for (const index of current) counts.after[after[index] ?? 0] = 0;
  const ranges: Range[] = [];
  let { beforeFrom, afterFrom } = range;
  const addUntil = (beforeTo: number, afterTo: number) => {
    if (beforeFrom < beforeTo && afterFrom < afterTo) ranges.push({ beforeFrom, beforeTo, afterFrom, afterTo });
  };
  for (const at of longestIncreasing(indexes)) {
    const oldIndex = oldIndexes[at] ?? 0;
    const index = indexes[at] ?? 0;
    matches[oldIndex] = index;
    addUntil(oldIndex, index);
    beforeFrom = oldIndex + 1;
    afterFrom = index + 1;
  }
  if (indexes.length > 0) addUntil(range.beforeTo, range.afterTo);
  return ranges;
}

/** Indexes of the longest increasing selection of values, in ascending order. The values must be different. */
function longestIncreasing(values: Int32Array): Int32Array {
  /** Index of the value that ends the lowest-ending selection of each length. */
  const ends = new Int32Array(values.length);
  const previous = new Int32Array(values.length);
  let length = 0;
  for (let at = 0; at < values.length; at += 1) {
    const value = values[at] ?? 0;
    let low = 0;
    let high = length;
    // Most values go on with the longest selection.
    if (length > 0 && (values[ends[length - 1] ?? 0] ?? 0) < value) low = length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low > 0 ? (ends[low - 1] ?? 0) : -1;
    ends[low] = at;
    length = Math.max(length, low + 1);
  }
  const selected = new Int32Array(length);
  let at = length > 0 ? (ends[length - 1] ?? -1) : -1;
  for (let index = length - 1; index >= 0; index -= 1) {
    selected[index] = at;
    at = previous[at] ?? -1;
  }
  return selected;
}
