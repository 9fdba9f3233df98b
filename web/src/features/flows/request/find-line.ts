import type { FlowCommentAnchor } from "@fairway/contract/flow-requests";
import { readableText, withoutControls } from "@fairway/contract/readable-text";

type LineAnchor = FlowCommentAnchor & { kind: "line" };

/** The lines of a content as the viewer numbers them, for finding positions in it. */
export interface LinedContent {
  /** Without parts that do not distinguish lines: indentation, and a comma that comes and goes with the line below. */
  readonly keys: readonly string[];
  /** How far each of them is indented; -1 for blank ones. */
  readonly indents: readonly number[];
  /** Indexes of each of them, counted from 0. */
  readonly positions: ReadonlyMap<string, readonly number[]>;
}

/** Lines are stored in anchors up to this length. */
const keyCharacters = 300;

const keyOf = (line: string): string => {
  const trimmed = withoutControls(line.slice(0, keyCharacters)).trim();
  return trimmed.endsWith(",") ? trimmed.slice(0, -1) : trimmed;
};

export function linedContent(content: string): LinedContent {
  const lines = readableText(content).split("\n");
  const keys = lines.map(keyOf);
  const indents = lines.map((line) => line.search(/\S/));
  const positions = new Map<string, number[]>();
  keys.forEach((key, index) => {
    const found = positions.get(key);
    if (found) found.push(index);
    else positions.set(key, [index]);
  });
  return { keys, indents, positions };
}

/** Brackets and blank lines are everywhere. */
const isDistinctive = (key: string): boolean => /[\p{L}\p{N}]/u.test(key);

/** Lines compared on either side, if the whole content of the anchor's iteration is known. */
const wideLines = 150;
/** Of these, they decide whether a position is the same at all. */
const nearLines = 3;
/** Lines that may have been added or removed between two that match. */
const maxGap = 4;
/** Equal lines that are tried, the nearest ones first. */
const maxCandidates = 60;

/** The lines above (nearest first) and below a position. */
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
function likeness(one: Context, other: Context, { positions }: LinedContent): number {
  let sum = 0;
  for (const [wanted, found] of [
    [one.before, other.before],
    [one.after, other.after],
  ] as const) {
    for (const index of matches(wanted, found)) {
      const key = wanted[index] ?? "";
      if (isDistinctive(key)) sum += 1 / ((positions.get(key)?.length ?? 1) ** 2 * (1 + (index / 6) ** 2));
    }
  }
  return sum;
}

/** Whether enough of what is next to the line is next to it there as well. */
function isSamePosition(key: string, wanted: Context, found: Context): boolean {
  const [before, after] = [wanted.before.slice(0, nearLines), wanted.after.slice(0, nearLines)];
  const matched = [
    ...matches(before, found.before).map((index) => before[index] ?? ""),
    ...matches(after, found.after).map((index) => after[index] ?? ""),
  ];
  const available = before.length + after.length;
  if (available === 0) return true;
  return isDistinctive(key) ? matched.some(isDistinctive) || matched.length === available : matched.length >= Math.min(available, 4);
}

/** Larger blocks say nothing about a line in them. */
const maxBlockLines = 2_000;

/** The first line of a smaller indentation above (step -1) or below (step 1) a line. Undefined if it is far away, or there is none. */
function edgeOf({ indents }: LinedContent, index: number, indent: number, step: 1 | -1): number | undefined {
  for (let at = index + step; at >= 0 && at < indents.length && Math.abs(at - index) <= maxBlockLines; at += step) {
    const found = indents[at] ?? -1;
    if (found >= 0 && found < indent) return at;
  }
  return undefined;
}

/** The lines of the block around a line, such as a component, by their indentation: the innermost one, or some levels further out. */
function blockAround(content: LinedContent, index: number, levels: number): readonly string[] | undefined {
  let [start, end, indent] = [index, index, content.indents[index] ?? 0];
  for (let level = 0; level < levels; level += 1) {
    const [above, below] = [edgeOf(content, start, indent, -1), edgeOf(content, end, indent, 1)];
    if (above === undefined || below === undefined) return undefined;
    [start, end, indent] = [above, below, content.indents[above] ?? 0];
  }
  return content.keys.slice(start, end + 1);
}

interface Identity {
  levels: number;
  keys: ReadonlySet<string>;
}

/** The lines that occur only in the block around a line, such as its identifier: of the innermost block that has any. */
function identityOf(content: LinedContent, index: number): Identity | undefined {
  for (let levels = 1; ; levels += 1) {
    const block = blockAround(content, index, levels);
    if (!block) return undefined;
    const own = block.filter((key) => key !== content.keys[index] && isDistinctive(key) && content.positions.get(key)?.length === 1);
    if (own.length > 0) return { levels, keys: new Set(own) };
  }
}

/**
 * The line of a content, counted from 1, that a comment on a line of another iteration is about: the same text with the same lines
 * around it. Null if that line was changed or removed, or if it cannot be distinguished from others: a comment at a wrong line misleads,
 * one that is called outdated does not.
 * @param original the content of the anchor's iteration, which distinguishes repeated blocks; optional
 */
export function findLine(anchor: LineAnchor, content: LinedContent, original?: LinedContent): number | null {
  const key = keyOf(anchor.text);
  const line = anchor.line - 1;
  const known = original?.keys[line] === key ? original : undefined;
  const wanted: Context = known
    ? contextAt(known, line, wideLines)
    : { before: anchor.before.map(keyOf).toReversed(), after: anchor.after.map(keyOf) };
  const identity = known && identityOf(known, line);
  // Lines may have been added in between.
  const size = known ? wideLines : Math.max(wanted.before.length, wanted.after.length) + maxGap;
  // Position of the block now, however far it has moved.
  const near = identity
    ? Array.from(identity.keys, (one) => content.positions.get(one)?.[0]).find((position) => position !== undefined)
    : line;
  if (near === undefined) return null;
  const candidates = nearestPositions(key, content, near).filter(
    (position) => !identity || blockAround(content, position, identity.levels)?.some((one) => identity.keys.has(one)),
  );
  const found = bestPositions(candidates, wanted, content, size).filter((position) =>
    isSamePosition(key, wanted, contextAt(content, position, size)),
  );
  const [position] = found;
  if (position === undefined) return null;
  if (!known) return found.length === 1 ? position + 1 : found.includes(line) ? anchor.line : null;
  // The block that the comment is about may be gone while one that repeats it is still there.
  const originals = nearestPositions(key, known, line);
  return bestPositions(originals, contextAt(content, position, wideLines), known, wideLines).includes(line) ? position + 1 : null;
}

const nearestPositions = (key: string, { positions }: LinedContent, line: number): number[] =>
  (positions.get(key) ?? []).toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line)).slice(0, maxCandidates);

/** The positions whose surroundings are most like the wanted ones. */
function bestPositions(candidates: number[], wanted: Context, content: LinedContent, size: number): number[] {
  if (candidates.length < 2) return candidates;
  const likenesses = candidates.map((position) => likeness(wanted, contextAt(content, position, size), content));
  const best = Math.max(...likenesses);
  return candidates.filter((_, index) => likenesses[index] === best);
}
