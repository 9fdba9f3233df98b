import type { FlowCommentAnchor } from "@fairway/contract/flows";
import { readableText } from "@fairway/contract/readable-text";

type LineAnchor = FlowCommentAnchor & { kind: "line" };

/** The lines of a content as the viewer numbers them, for finding places in it. */
export interface LinedContent {
  /** Without what does not tell lines apart: indentation, and a comma that comes and goes with the line below. */
  readonly keys: readonly string[];
  /** Where each of them stands, counted from 0. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Lines are stored in anchors up to this length. */
const keyCharacters = 300;

const keyOf = (line: string): string => {
  const trimmed = line.slice(0, keyCharacters).trim();
  return trimmed.endsWith(",") ? trimmed.slice(0, -1) : trimmed;
};

export function linedContent(content: string): LinedContent {
  const keys = readableText(content).split("\n").map(keyOf);
  const places = new Map<string, number[]>();
  keys.forEach((key, index) => {
    const found = places.get(key);
    if (found) found.push(index);
    else places.set(key, [index]);
  });
  return { keys, places };
}

/** Brackets and blank lines are everywhere. */
const isDistinctive = (key: string): boolean => /[\p{L}\p{N}]/u.test(key);

/** Lines compared on either side, if the whole content of the anchor's iteration is known. */
const wideLines = 150;
/** Of these, they decide whether a place is the same at all. */
const nearLines = 3;
/** Lines that may have been added or removed between two that match. */
const maxGap = 4;
/** Equal lines that are tried, nearest to the old line number first. */
const maxCandidates = 60;

/** The lines above (nearest first) and below a place. */
interface Context {
  before: readonly string[];
  after: readonly string[];
}

const contextAt = ({ keys }: LinedContent, index: number, lines: number): Context => ({
  before: keys.slice(Math.max(0, index - lines), index).toReversed(),
  after: keys.slice(index + 1, index + 1 + lines),
});

/** The indexes of the lines of `wanted` that occur in `found` in the same order, with gaps. */
function matches(wanted: readonly string[], found: readonly string[]): number[] {
  const matched: number[] = [];
  let next = 0;
  wanted.forEach((key, index) => {
    const end = Math.min(found.length, next + maxGap);
    let at = next;
    while (at < end && found[at] !== key) at += 1;
    if (at === end) return;
    matched.push(index);
    next = at + 1;
  });
  return matched;
}

/**
 * How alike two surroundings are. A rare line, such as an identifier, counts more than one that is everywhere, and a near line
 * more than a far one, which may belong to the next block.
 */
function likeness(one: Context, other: Context, { places }: LinedContent): number {
  let sum = 0;
  for (const [wanted, found] of [
    [one.before, other.before],
    [one.after, other.after],
  ] as const) {
    for (const index of matches(wanted, found)) {
      const key = wanted[index] ?? "";
      if (isDistinctive(key)) sum += 1 / ((places.get(key)?.length ?? 1) ** 2 * (1 + (index / 6) ** 2));
    }
  }
  return sum;
}

/** Whether enough of what is next to the line is next to it there as well. */
function isSamePlace(key: string, wanted: Context, found: Context): boolean {
  const [before, after] = [wanted.before.slice(0, nearLines), wanted.after.slice(0, nearLines)];
  const matched = [
    ...matches(before, found.before).map((index) => before[index] ?? ""),
    ...matches(after, found.after).map((index) => after[index] ?? ""),
  ];
  const available = before.length + after.length;
  if (available === 0) return true;
  return isDistinctive(key) ? matched.some(isDistinctive) || matched.length === available : matched.length >= Math.min(available, 4);
}

/**
 * The line of a content, counted from 1, that a comment on a line of another iteration is about: the same text with the same lines
 * around it. Null if that line was changed or removed, or if it cannot be told from others: a comment at a wrong line misleads,
 * one that is called outdated does not.
 * @param original the content of the anchor's iteration, which tells blocks apart that repeat each other; optional
 */
export function findLine(anchor: LineAnchor, content: LinedContent, original?: LinedContent): number | null {
  const key = keyOf(anchor.text);
  const line = anchor.line - 1;
  const known = original?.keys[line] === key ? original : undefined;
  const wanted: Context = known
    ? contextAt(known, line, wideLines)
    : { before: anchor.before.map(keyOf).toReversed(), after: anchor.after.map(keyOf) };
  // Lines may have been added in between.
  const size = known ? wideLines : Math.max(wanted.before.length, wanted.after.length) + maxGap;
  const found = bestPlaces(key, wanted, content, line, size).filter((place) => isSamePlace(key, wanted, contextAt(content, place, size)));
  const [place] = found;
  if (place === undefined) return null;
  if (!known) return found.length === 1 ? place + 1 : found.includes(line) ? anchor.line : null;
  // The block that the comment is about may be gone while one that repeats it is still there.
  return bestPlaces(key, contextAt(content, place, wideLines), known, line, wideLines).includes(line) ? place + 1 : null;
}

/** The places of a line whose surroundings are most like the wanted ones, nearest to a line first. */
function bestPlaces(key: string, wanted: Context, content: LinedContent, near: number, size: number): number[] {
  const candidates = (content.places.get(key) ?? [])
    .toSorted((one, other) => Math.abs(one - near) - Math.abs(other - near))
    .slice(0, maxCandidates);
  if (candidates.length < 2) return candidates;
  const likenesses = candidates.map((place) => likeness(wanted, contextAt(content, place, size), content));
  const best = Math.max(...likenesses);
  return candidates.filter((_, index) => likenesses[index] === best);
}
