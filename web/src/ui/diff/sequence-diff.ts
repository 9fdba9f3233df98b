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
 * Finds a common subsequence of two sequences: for each index of `before`, the index in `after` that it stays at, or -1.
 * It is the longest one unless the sequences are large and shuffled. Takes bounded time on any input. Decision 0435.
 */
export function matchSequences(before: ArrayLike<number>, after: ArrayLike<number>, edits = maxEdits): Int32Array {
  const matches = new Int32Array(before.length).fill(-1);
  const pending: Range[] = [{ beforeFrom: 0, beforeTo: before.length, afterFrom: 0, afterTo: after.length }];
  let steps = maxSteps;
  for (let range = pending.pop(); range; range = pending.pop()) {
    const inner = matchEnds(before, after, range, matches);
    const [old, current] = sharedIndexes(before, after, inner);
    if (old.length === 0 || current.length === 0) continue;
    const maxEditLength = Math.floor(Math.min(edits, Math.sqrt(2 * steps)));
    const changes = diffArrays(
      old.map((index) => before[index]),
      current.map((index) => after[index]),
      { maxEditLength },
    );
    if (changes) {
      let [oldAt, currentAt] = [0, 0];
      for (const { added, removed, count } of changes) {
        if (!added && !removed) for (let at = 0; at < count; at += 1) matches[old[oldAt + at] ?? 0] = current[currentAt + at] ?? -1;
        if (!added) oldAt += count;
        if (!removed) currentAt += count;
      }
    } else {
      steps -= (maxEditLength * maxEditLength) / 2;
      pending.push(...splitAtAnchors(before, after, old, current, inner, matches));
    }
  }
  return matches;
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

/** The indexes of what both sides have. Dropping the rest changes no common subsequence, and leaves little to search in most texts. */
function sharedIndexes(before: ArrayLike<number>, after: ArrayLike<number>, range: Range): [old: number[], current: number[]] {
  const { beforeFrom, beforeTo, afterFrom, afterTo } = range;
  const inBefore = new Set<number>();
  for (let index = beforeFrom; index < beforeTo; index += 1) inBefore.add(before[index] ?? -1);
  const shared = new Set<number>();
  const current: number[] = [];
  for (let index = afterFrom; index < afterTo; index += 1) {
    const value = after[index] ?? -1;
    if (!inBefore.has(value)) continue;
    shared.add(value);
    current.push(index);
  }
  const old: number[] = [];
  for (let index = beforeFrom; index < beforeTo; index += 1) if (shared.has(before[index] ?? -1)) old.push(index);
  return [old, current];
}

/** Matches the values that occur once on each side and are in the same order, and returns the ranges between them. */
function splitAtAnchors(
  before: ArrayLike<number>,
  after: ArrayLike<number>,
  old: readonly number[],
  current: readonly number[],
  range: Range,
  matches: Int32Array,
): Range[] {
  const once = onlyOnce(after, current);
  const pairs = [...onlyOnce(before, old)].flatMap(([value, oldIndex]) => {
    const index = once.get(value);
    return index === undefined ? [] : [[oldIndex, index] as const];
  });
  const ranges: Range[] = [];
  let { beforeFrom, afterFrom } = range;
  for (const [oldIndex, index] of longestIncreasing(pairs.toSorted((one, other) => one[0] - other[0]))) {
    matches[oldIndex] = index;
    ranges.push({ beforeFrom, beforeTo: oldIndex, afterFrom, afterTo: index });
    [beforeFrom, afterFrom] = [oldIndex + 1, index + 1];
  }
  if (ranges.length > 0) ranges.push({ ...range, beforeFrom, afterFrom });
  return ranges;
}

function onlyOnce(values: ArrayLike<number>, indexes: readonly number[]): Map<number, number> {
  const places = new Map<number, number>();
  for (const index of indexes) places.set(values[index] ?? -1, places.has(values[index] ?? -1) ? -1 : index);
  for (const [value, index] of places) if (index < 0) places.delete(value);
  return places;
}

type Pair = readonly [oldIndex: number, index: number];

/** The longest selection of pairs, sorted by their first number, whose second numbers increase as well. */
function longestIncreasing(pairs: readonly Pair[]): Pair[] {
  /** The pairs that end the shortest-ending selection of each length. */
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, index], at) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < index) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  });
  const selected: Pair[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair) selected.push(pair);
  }
  return selected.toReversed();
}
