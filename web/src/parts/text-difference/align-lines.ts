import { type Block, BlockKind, isChange, isInAfter, isInBefore } from "./blocks.ts";
import { type LinedText, lineText } from "./line-starts.ts";

/** Above this many pairs of a removed and an added line, lines stand opposite each other in their order. */
const maxPairs = 2_500;
/** In all changes of a comparison. */
const maxComparisons = 1_000_000;
const maxComparedLength = 300;
const minSimilarity = 0.3;

/** Puts each added line opposite the removed line that it replaces, and joins changes that only ignored lines separate. */
export function alignedBlocks(blocks: readonly Block[], before: LinedText, after: LinedText): Block[] {
  const result: Block[] = [];
  let last: Block | null = null;
  const add = (kind: BlockKind, count: number) => {
    if (count === 0) return;
    if (last?.kind === kind) last.count += count;
    else {
      last = { kind, count };
      result.push(last);
    }
  };
  let [oldLine, line, comparisons] = [0, 0, 0];
  const change = { removed: 0, added: 0 };
  const flush = () => {
    const { removed, added } = change;
    const pairs = removed * added;
    [change.removed, change.added] = [0, 0];
    // A single pair stands side by side anyway.
    if (pairs <= 1 || pairs > maxPairs || comparisons + pairs > maxComparisons) {
      addUnaligned(add, removed, added);
      return;
    }
    comparisons += pairs;
    const old = Array.from({ length: removed }, (_, index) => comparedText(before, oldLine - removed + index));
    const current = Array.from({ length: added }, (_, index) => comparedText(after, line - added + index));
    let [oldAt, at] = [0, 0];
    for (const [oldIndex, index] of similarPairs(old, current)) {
      addUnaligned(add, oldIndex - oldAt, index - at);
      add(BlockKind.changed, 1);
      [oldAt, at] = [oldIndex + 1, index + 1];
    }
    addUnaligned(add, removed - oldAt, added - at);
  };
  blocks.forEach(({ kind, count }, index) => {
    const counted = asChange(blocks, index);
    if (!isChange(counted)) flush();
    if (isInBefore(kind)) oldLine += count;
    if (isInAfter(kind)) line += count;
    if (counted === BlockKind.removed) change.removed += count;
    else if (counted === BlockKind.added) change.added += count;
    else add(counted, count);
  });
  flush();
  return result;
}

/** Ignored lines within added or removed ones belong to them. */
function asChange(blocks: readonly Block[], index: number): BlockKind {
  const kind = blocks[index]?.kind ?? BlockKind.same;
  const around = kind === BlockKind.ignoredAfter ? BlockKind.added : kind === BlockKind.ignoredBefore ? BlockKind.removed : undefined;
  if (around === undefined || blocks[index - 1]?.kind !== around || blocks[index + 1]?.kind !== around) return kind;
  return around;
}

function addUnaligned(add: (kind: BlockKind, count: number) => void, removed: number, added: number): void {
  const both = Math.min(removed, added);
  add(BlockKind.changed, both);
  add(BlockKind.removed, removed - both);
  add(BlockKind.added, added - both);
}

const comparedText = (text: LinedText, line: number): string => lineText(text, line).trim().slice(0, maxComparedLength);

/** The pairs of similar lines, in the order of both sides, with the largest sum of similarities. */
function similarPairs(old: readonly string[], current: readonly string[]): [oldIndex: number, index: number][] {
  const width = current.length + 1;
  const best = new Float64Array((old.length + 1) * width);
  const similarities = new Float64Array(old.length * current.length);
  for (let oldIndex = old.length - 1; oldIndex >= 0; oldIndex -= 1) {
    for (let index = current.length - 1; index >= 0; index -= 1) {
      const similar = similarity(old[oldIndex] ?? "", current[index] ?? "");
      similarities[oldIndex * current.length + index] = similar;
      const paired = similar < minSimilarity ? 0 : similar + (best[(oldIndex + 1) * width + index + 1] ?? 0);
      best[oldIndex * width + index] = Math.max(paired, best[(oldIndex + 1) * width + index] ?? 0, best[oldIndex * width + index + 1] ?? 0);
    }
  }
  const pairs: [number, number][] = [];
  for (let [oldIndex, index] = [0, 0]; oldIndex < old.length && index < current.length;) {
    const here = best[oldIndex * width + index] ?? 0;
    const similar = similarities[oldIndex * current.length + index] ?? 0;
    if (similar >= minSimilarity && here === similar + (best[(oldIndex + 1) * width + index + 1] ?? 0)) {
      pairs.push([oldIndex, index]);
      [oldIndex, index] = [oldIndex + 1, index + 1];
    } else if (here === best[(oldIndex + 1) * width + index]) oldIndex += 1;
    else index += 1;
  }
  return pairs;
}

/** From 0 to 1: how much of the longer line is a common beginning or end. The same name before a value makes lines similar. */
function similarity(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  if (shorter === 0) return 0;
  let start = 0;
  let hasName = false;
  for (; start < shorter; start += 1) {
    const code = one.charCodeAt(start);
    if (code !== other.charCodeAt(start)) break;
    hasName ||= start > 0 && (code === colon || code === equals || code === greater);
  }
  let end = 0;
  while (end < shorter - start && one.charCodeAt(one.length - 1 - end) === other.charCodeAt(other.length - 1 - end)) end += 1;
  const common = (start + end) / Math.max(one.length, other.length);
  return hasName ? Math.max(common, 0.5) : common;
}

const [colon, equals, greater] = [0x3a, 0x3d, 0x3e];
