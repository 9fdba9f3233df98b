import { wordDiff } from "#ui/diff/line-diff.ts";
import type { TextRange } from "./line-parts.ts";

/** Compared before and after the first difference of two lines; differences further on are not marked. */
const maxLength = 2_000;
const contextLength = 100;
/** Of single words. Keeps lines that have nothing in common cheap. */
const maxEdits = 100;
/** Shorter common parts between two changes, such as the dashes of identifiers, belong to them. */
const minCommon = 3;

/** The index of the first different character. */
export function firstDifference(one: string, other: string): number {
  const shorter = Math.min(one.length, other.length);
  let index = 0;
  while (index < shorter && one.charCodeAt(index) === other.charCodeAt(index)) index += 1;
  return index;
}

/** Ranges of a line that differ from its counterpart; none if the lines have too little in common to be called changed. */
export function changedRanges(line: string, counterpart: string): TextRange[] {
  const from = Math.max(0, firstDifference(line, counterpart) - contextLength);
  const [text, other] = [line.slice(from, from + maxLength), counterpart.slice(from, from + maxLength)];
  const ranges: [from: number, to: number][] = [];
  let at = from;
  let common = 0;
  for (const { only, text: part } of wordDiff(other, text, maxEdits)) {
    if (only === "before") continue;
    const last = ranges.at(-1);
    if (only === null) common += part.trim().length;
    else if (last && at - last[1] < minCommon) last[1] = at + part.length;
    else ranges.push([at, at + part.length]);
    at += part.length;
  }
  return common * 5 < Math.min(text.trim().length, other.trim().length) ? [] : ranges;
}
