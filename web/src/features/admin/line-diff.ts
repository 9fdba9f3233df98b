/** A line of two texts set against each other. Both sides hold it where neither is null. */
export interface DiffLine {
  /** The line's number on each side, from 1; null where that side lacks it. */
  before: number | null;
  after: number | null;
  text: string;
}

export interface SkippedLines {
  /** The place of the first. */
  from: number;
  skipped: number;
}

/** Above this many pairs of lines, what lies between the first and the last difference counts as changed altogether. */
const maxPairs = 4_000_000;

/** The lines of both texts in one list: the longest common ones stand once, the rest as removed and added. Decision 0241. */
export function lineDiff(before: string, after: string): DiffLine[] {
  const [old, now] = [before.split("\n"), after.split("\n")];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < now.length - start && old.at(-1 - end) === now.at(-1 - end)) end += 1;

  const lines: DiffLine[] = [];
  const same = (at: number, other: number) => lines.push({ before: at + 1, after: other + 1, text: now[other] ?? "" });
  const removed = (at: number) => lines.push({ before: at + 1, after: null, text: old[at] ?? "" });
  const added = (at: number) => lines.push({ before: null, after: at + 1, text: now[at] ?? "" });

  for (let at = 0; at < start; at += 1) same(at, at);
  const [oldEnd, nowEnd] = [old.length - end, now.length - end];
  const longest = commonLengths(old.slice(start, oldEnd), now.slice(start, nowEnd));
  let [one, other] = [start, start];
  while (one < oldEnd || other < nowEnd) {
    if (one < oldEnd && other < nowEnd && old[one] === now[other] && longest !== undefined) {
      same(one, other);
      one += 1;
      other += 1;
    } else if (
      one < oldEnd &&
      (other >= nowEnd || longest === undefined || longest(one + 1 - start, other - start) >= longest(one - start, other + 1 - start))
    ) {
      removed(one);
      one += 1;
    } else {
      added(other);
      other += 1;
    }
  }
  for (let at = 0; at < end; at += 1) same(oldEnd + at, nowEnd + at);
  return lines;
}

/** How many lines two ends of the texts have in common, by where they begin. Undefined for too many. */
function commonLengths(old: readonly string[], now: readonly string[]): ((one: number, other: number) => number) | undefined {
  const width = now.length + 1;
  if ((old.length + 1) * width > maxPairs) return undefined;
  const lengths = new Uint32Array((old.length + 1) * width);
  const at = (one: number, other: number): number => lengths[one * width + other] ?? 0;
  for (let one = old.length - 1; one >= 0; one -= 1) {
    for (let other = now.length - 1; other >= 0; other -= 1) {
      lengths[one * width + other] =
        old[one] === now[other] ? at(one + 1, other + 1) + 1 : Math.max(at(one + 1, other), at(one, other + 1));
    }
  }
  return at;
}

/** Stretches of unchanged lines, far from any change, are left out. */
export function withoutFarLines(lines: readonly DiffLine[], around = 3): (DiffLine | SkippedLines)[] {
  const near = new Set<number>();
  lines.forEach(({ before, after }, at) => {
    if (before !== null && after !== null) return;
    for (let by = -around; by <= around; by += 1) near.add(at + by);
  });
  const shown: (DiffLine | SkippedLines)[] = [];
  lines.forEach((line, at) => {
    const last = shown.at(-1);
    if (near.has(at)) shown.push(line);
    else if (last && "skipped" in last) last.skipped += 1;
    else shown.push({ from: at, skipped: 1 });
  });
  return shown;
}

/** From where to where a line differs from the one that takes its place. */
export type ChangedPart = readonly [from: number, to: number];

/** Of lines that were changed rather than exchanged: what differs in each. Removed ones pair with as many added ones right after. */
export function changedParts(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, ChangedPart> {
  const parts = new Map<DiffLine, ChangedPart>();
  for (let at = 0; at < lines.length;) {
    const removed = runFrom(lines, at, "after");
    const added = runFrom(lines, at + removed.length, "before");
    at += Math.max(1, removed.length + added.length);
    if (removed.length !== added.length) continue;
    removed.forEach((line, index) => {
      const other = added[index];
      const pair = other && differing(line.text, other.text);
      if (!pair) return;
      parts.set(line, pair[0]);
      parts.set(other, pair[1]);
    });
  }
  return parts;
}

function runFrom(lines: readonly DiffLine[], from: number, lacking: "before" | "after"): DiffLine[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => line[lacking] !== null);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Undefined for lines that have less than a third in common: they are two lines. */
function differing(before: string, after: string): [ChangedPart, ChangedPart] | undefined {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  if ((start + end) * 3 < shorter) return undefined;
  return [
    [start, before.length - end],
    [start, after.length - end],
  ];
}
