/** A line of a diff. It is unchanged when neither number is null. */
export interface DiffLine {
  /** The line number on each side, from 1; null when the line is missing there. */
  before: number | null;
  after: number | null;
  text: string;
}

export interface SkippedLines {
  /** The index of the first skipped line. */
  from: number;
  skipped: number;
}

/** Above this many pairs of lines, everything between the first and the last difference counts as changed. */
const maxPairs = 4_000_000;

/** A diff of two texts by their longest common subsequence of lines. Decision 0241. */
export const lineDiff = (before: string, after: string): DiffLine[] => partDiff(splitLines(before), splitLines(after));

const wordPattern = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;

/** A part of a text that is in both texts (`null`), or only in one. */
export interface DiffPart {
  only: "before" | "after" | null;
  text: string;
}

/** A diff of two texts by their words. Spaces between replaced words are replaced with them. */
export function wordDiff(before: string, after: string): DiffPart[] {
  const words = partDiff(before.match(wordPattern) ?? [], after.match(wordPattern) ?? []);
  const isCommon = (index: number) => words[index]?.before !== null && words[index]?.after !== null;
  const parts: DiffPart[] = [];
  let common = "";
  let [removed, added] = ["", ""];
  const flush = () => {
    if (common !== "") parts.push({ only: null, text: common });
    if (removed !== "") parts.push({ only: "before", text: removed });
    if (added !== "") parts.push({ only: "after", text: added });
    [common, removed, added] = ["", "", ""];
  };
  words.forEach((word, index) => {
    const isChanged = removed !== "" || added !== "";
    if (!isCommon(index)) {
      if (word.after === null) removed += word.text;
      else added += word.text;
    } else if (removed !== "" && added !== "" && word.text.trim() === "" && !isCommon(index + 1)) {
      removed += word.text;
      added += word.text;
    } else {
      if (isChanged) flush();
      common += word.text;
    }
  });
  flush();
  return parts;
}

function partDiff(old: readonly string[], current: readonly string[]): DiffLine[] {
  let start = 0;
  while (start < old.length && start < current.length && old[start] === current[start]) start += 1;
  let end = 0;
  while (end < old.length - start && end < current.length - start && old.at(-1 - end) === current.at(-1 - end)) end += 1;

  const lines: DiffLine[] = [];
  const same = (oldAt: number, currentAt: number) =>
    lines.push({ before: oldAt + 1, after: currentAt + 1, text: current[currentAt] ?? "" });
  const removed = (at: number) => lines.push({ before: at + 1, after: null, text: old[at] ?? "" });
  const added = (at: number) => lines.push({ before: null, after: at + 1, text: current[at] ?? "" });

  for (let at = 0; at < start; at += 1) same(at, at);
  const [oldEnd, currentEnd] = [old.length - end, current.length - end];
  const longest = commonLengths(old.slice(start, oldEnd), current.slice(start, currentEnd));
  let [oldIndex, currentIndex] = [start, start];
  while (oldIndex < oldEnd || currentIndex < currentEnd) {
    if (oldIndex < oldEnd && currentIndex < currentEnd && old[oldIndex] === current[currentIndex] && longest !== undefined) {
      same(oldIndex, currentIndex);
      oldIndex += 1;
      currentIndex += 1;
    } else if (
      oldIndex < oldEnd &&
      (currentIndex >= currentEnd ||
        longest === undefined ||
        longest(oldIndex + 1 - start, currentIndex - start) >= longest(oldIndex - start, currentIndex + 1 - start))
    ) {
      removed(oldIndex);
      oldIndex += 1;
    } else {
      added(currentIndex);
      currentIndex += 1;
    }
  }
  for (let at = 0; at < end; at += 1) same(oldEnd + at, currentEnd + at);
  return lines;
}

/** An empty text has no lines, so that it is not shown as an empty line that was removed. */
const splitLines = (text: string): string[] => (text === "" ? [] : text.split("\n"));

/** The length of the longest common subsequence of the rests of both texts, by their first lines. Undefined for texts that are too long. */
function commonLengths(
  old: readonly string[],
  current: readonly string[],
): ((oldIndex: number, currentIndex: number) => number) | undefined {
  const width = current.length + 1;
  if ((old.length + 1) * width > maxPairs) return undefined;
  const lengths = new Uint32Array((old.length + 1) * width);
  const lengthAt = (oldIndex: number, currentIndex: number): number => lengths[oldIndex * width + currentIndex] ?? 0;
  for (let oldIndex = old.length - 1; oldIndex >= 0; oldIndex -= 1) {
    for (let currentIndex = current.length - 1; currentIndex >= 0; currentIndex -= 1) {
      lengths[oldIndex * width + currentIndex] =
        old[oldIndex] === current[currentIndex]
          ? lengthAt(oldIndex + 1, currentIndex + 1) + 1
          : Math.max(lengthAt(oldIndex + 1, currentIndex), lengthAt(oldIndex, currentIndex + 1));
    }
  }
  return lengthAt;
}

/** Collapses unchanged lines that are more than `contextLines` away from a change. */
export function collapseUnchanged(lines: readonly DiffLine[], contextLines = 3): (DiffLine | SkippedLines)[] {
  const near = new Set<number>();
  lines.forEach(({ before, after }, at) => {
    if (before !== null && after !== null) return;
    for (let offset = -contextLines; offset <= contextLines; offset += 1) near.add(at + offset);
  });
  const result: (DiffLine | SkippedLines)[] = [];
  lines.forEach((line, at) => {
    const last = result.at(-1);
    if (near.has(at)) result.push(line);
    else if (last && "skipped" in last) last.skipped += 1;
    else result.push({ from: at, skipped: 1 });
  });
  return result;
}

/** The range in which a line differs from its counterpart. */
export type ChangedPart = readonly [from: number, to: number];

/** The differing ranges of changed lines. A run of removed lines is paired with an equally long run of added lines right after it. */
export function changedParts(lines: readonly DiffLine[]): ReadonlyMap<DiffLine, ChangedPart> {
  const parts = new Map<DiffLine, ChangedPart>();
  for (let at = 0; at < lines.length;) {
    const removed = takeRun(lines, at, "after");
    const added = takeRun(lines, at + removed.length, "before");
    at += Math.max(1, removed.length + added.length);
    if (removed.length !== added.length) continue;
    removed.forEach((line, index) => {
      const counterpart = added[index];
      const pair = counterpart && compareLines(line.text, counterpart.text);
      if (!pair) return;
      parts.set(line, pair[0]);
      parts.set(counterpart, pair[1]);
    });
  }
  return parts;
}

function takeRun(lines: readonly DiffLine[], from: number, absentOn: "before" | "after"): DiffLine[] {
  const rest = lines.slice(from);
  const end = rest.findIndex((line) => line[absentOn] !== null);
  return end < 0 ? rest : rest.slice(0, end);
}

/** Undefined when the lines have less than a third in common and count as replaced. */
function compareLines(before: string, after: string): [ChangedPart, ChangedPart] | undefined {
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
