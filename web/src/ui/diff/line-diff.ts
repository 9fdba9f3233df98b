import { createIds, matchSequences } from "./sequence-diff.ts";

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

/** A diff of two texts by their lines. */
export const lineDiff = (before: string, after: string): DiffLine[] => partDiff(splitLines(before), splitLines(after));

const wordPattern = /\s+|[\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_]/gu;

/** A part of a text that is in both texts (`null`), or only in one. */
export interface DiffPart {
  only: "before" | "after" | null;
  text: string;
}

/** A diff of two texts by their words. Spaces between replaced words are replaced with them. Fewer `maxEdits` are faster and coarser. */
export function wordDiff(before: string, after: string, maxEdits?: number): DiffPart[] {
  const words = partDiff(before.match(wordPattern) ?? [], after.match(wordPattern) ?? [], maxEdits);
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

function partDiff(old: readonly string[], current: readonly string[], maxEdits?: number): DiffLine[] {
  const id = createIds();
  const matches = matchSequences(old.map(id), current.map(id), maxEdits);
  const lines: DiffLine[] = [];
  let currentIndex = 0;
  const addUntil = (end: number) => {
    for (; currentIndex < end; currentIndex += 1) lines.push({ before: null, after: currentIndex + 1, text: current[currentIndex] ?? "" });
  };
  old.forEach((text, oldIndex) => {
    const match = matches[oldIndex] ?? -1;
    if (match < 0) {
      lines.push({ before: oldIndex + 1, after: null, text });
      return;
    }
    addUntil(match);
    lines.push({ before: oldIndex + 1, after: match + 1, text: current[match] ?? "" });
    currentIndex = match + 1;
  });
  addUntil(current.length);
  return lines;
}

/** An empty text has no lines, so that it is not shown as an empty line that was removed. */
const splitLines = (text: string): string[] => (text === "" ? [] : text.split("\n"));

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
  // Whole words: of `false` and `true`, the common e at the end says nothing.
  while (start > 0 && isInWord(before, start - 1) && (isInWord(before, start) || isInWord(after, start))) start -= 1;
  while (
    end > 0 &&
    isInWord(before, before.length - end) &&
    (isInWord(before, before.length - end - 1) || isInWord(after, after.length - end - 1))
  )
    end -= 1;
  return [
    [start, before.length - end],
    [start, after.length - end],
  ];
}

const isInWord = (text: string, at: number): boolean => /[\p{L}\p{N}_]/u.test(text[at] ?? "");
