import { formattedJson } from "@fairway/contract/readable-text";
import { createIds, matchSequences } from "#ui/diff/sequence-diff.ts";
import { alignedBlocks } from "./align-lines.ts";
import { type Block, BlockKind, packBlocks } from "./blocks.ts";
import { createLineIds } from "./line-ids.ts";
import { type LinedText, lineCount, lineStarts } from "./line-starts.ts";
import { positionRanges } from "./position-ranges.ts";

export interface ComparisonRequest {
  /** Null to show one text. */
  before: string | null;
  after: string;
  ignoresSpace: boolean;
  ignoresPositions: boolean;
  formatsJson: boolean;
}

export interface PreparedText {
  /** Null if it is the text of the request, which need not travel back. */
  formatted: string | null;
  starts: Int32Array;
  isMinified: boolean;
  /** Of a minified text that is shown as it is: the index of the shown line for each line of the formatted text. */
  shownLines: Int32Array | null;
}

export interface Comparison {
  before: PreparedText;
  after: PreparedText;
  /** Packed by `packBlocks`. */
  blocks: Int32Array;
}

/** Compares two texts by lines. Takes seconds for the worst texts of 5,000,000 bytes: runs in a worker. */
export function compareTexts(request: ComparisonRequest): Comparison {
  return prepareComparison(request)();
}

/** Does what each text needs by itself, which is up to half of the work. The result compares them. */
export function prepareComparison(request: ComparisonRequest): () => Comparison {
  const after = prepare(request.after, request.formatsJson);
  if (request.before === null) {
    const empty: PreparedText = { formatted: null, starts: new Int32Array(1), isMinified: false, shownLines: null };
    return () => ({
      before: empty,
      after: after.prepared,
      blocks: packBlocks([{ kind: BlockKind.added, count: lineCount(after.lined) }]),
    });
  }
  const before = prepare(request.before, request.formatsJson);
  const [old, current] = comparedSides(before.lined, after.lined, request);
  return () => {
    const matches = matchSequences(old.ids, current.ids);
    const blocks = alignedBlocks(listBlocks(old, current, matches), before.lined, after.lined);
    return { before: before.prepared, after: after.prepared, blocks: packBlocks(blocks) };
  };
}

function prepare(text: string, formatsJson: boolean): { lined: LinedText; prepared: PreparedText } {
  const json = formattedJson(text);
  const formatted = formatsJson ? json : null;
  const lined = { text: formatted ?? text, starts: lineStarts(formatted ?? text) };
  const shownLines = json !== null && !formatsJson ? linesOfFormatted(lined, json) : null;
  return { lined, prepared: { formatted, starts: lined.starts, isMinified: json !== null, shownLines } };
}

/** Formatting changes only white space: both texts have the same other characters in the same order. */
function linesOfFormatted(shown: LinedText, formatted: string): Int32Array {
  const starts = lineStarts(formatted);
  const result = new Int32Array(starts.length - 1);
  let at = 0;
  let line = 0;
  for (let index = 0; index < result.length; index += 1) {
    while (at < shown.text.length && isBlank(shown.text.charCodeAt(at))) at += 1;
    while (line + 1 < lineCount(shown) && (shown.starts[line + 1] ?? 0) <= at) line += 1;
    result[index] = line;
    for (let from = starts[index] ?? 0; from < (starts[index + 1] ?? 0); from += 1) {
      if (isBlank(formatted.charCodeAt(from))) continue;
      while (at < shown.text.length && isBlank(shown.text.charCodeAt(at))) at += 1;
      at += 1;
    }
  }
  return result;
}

const isBlank = (code: number): boolean => code <= 32;

interface ComparedLines {
  /** Of the lines that count, in their order. */
  ids: Int32Array;
  /** The indexes of these lines. */
  indexes: Int32Array;
  count: number;
}

function comparedSides(before: LinedText, after: LinedText, request: ComparisonRequest): [old: ComparedLines, current: ComparedLines] {
  if (request.ignoresSpace || request.ignoresPositions) {
    const id = createIds();
    return [comparedLines(before, request, id), comparedLines(after, request, id)];
  }
  const idsOf = createLineIds(lineCount(before) + lineCount(after));
  return [wholeLines(idsOf(before)), wholeLines(idsOf(after))];
}

function wholeLines(ids: Int32Array): ComparedLines {
  const indexes = new Int32Array(ids.length);
  for (let index = 0; index < ids.length; index += 1) indexes[index] = index;
  return { ids, indexes, count: ids.length };
}

/** Numbers the lines by what counts of them. Lines of which nothing counts are left out. */
function comparedLines(
  { text, starts }: LinedText,
  { ignoresSpace, ignoresPositions }: ComparisonRequest,
  id: (text: string) => number,
): ComparedLines {
  const count = starts.length - 1;
  const ids = new Int32Array(count);
  const indexes = new Int32Array(count);
  const ranges = ignoresPositions ? positionRanges(text) : new Int32Array();
  let used = 0;
  let range = 0;
  for (let index = 0; index < count; index += 1) {
    const [start = 0, end = 0] = [starts[index], starts[index + 1]];
    while (range < ranges.length && (ranges[range + 1] ?? 0) <= start) range += 2;
    const hasRange = range < ranges.length && (ranges[range] ?? 0) < end;
    let line = hasRange ? withoutRanges(text, start, end, ranges, range).trim() : text.slice(start, end);
    if (ignoresSpace) line = line.replace(/\s+/g, "");
    if (line === "" && (hasRange || ignoresSpace)) continue;
    ids[used] = id(line);
    indexes[used] = index;
    used += 1;
  }
  return { ids: ids.subarray(0, used), indexes: indexes.subarray(0, used), count };
}

function withoutRanges(text: string, start: number, end: number, ranges: Int32Array, first: number): string {
  let kept = "";
  let at = start;
  for (let range = first; range < ranges.length && (ranges[range] ?? 0) < end; range += 2) {
    kept += text.slice(at, Math.max(at, ranges[range] ?? 0));
    at = Math.max(at, Math.min(end, ranges[range + 1] ?? 0));
  }
  return kept + text.slice(at, end);
}

/** Walks down both texts. Of the lines that do not count, as many as both sides have at a position are the same. */
function listBlocks(old: ComparedLines, current: ComparedLines, matches: Int32Array): Block[] {
  const blocks: Block[] = [];
  let last: Block | null = null;
  const add = (kind: BlockKind) => {
    if (last?.kind === kind) last.count += 1;
    else {
      last = { kind, count: 1 };
      blocks.push(last);
    }
  };
  const isMatched = new Uint8Array(current.ids.length);
  for (const match of matches) if (match >= 0) isMatched[match] = 1;
  let oldLine = 0;
  let line = 0;
  let oldAt = 0;
  let at = 0;
  while (oldLine < old.count || line < current.count) {
    const oldCounts = old.indexes[oldAt] === oldLine;
    const counts = current.indexes[at] === line;
    const match = oldCounts ? (matches[oldAt] ?? -1) : -1;
    const isOld = oldLine < old.count;
    const isCurrent = line < current.count;
    let takesOld = false;
    let takesCurrent = false;
    if (isOld && isCurrent && ((oldCounts && counts && match === at) || (!oldCounts && !counts))) {
      takesOld = true;
      takesCurrent = true;
      add(BlockKind.same);
    } else if (oldCounts && match < 0) {
      takesOld = true;
      add(BlockKind.removed);
    } else if (counts && isMatched[at] !== 1) {
      takesCurrent = true;
      add(BlockKind.added);
    } else {
      takesOld = isOld && !oldCounts;
      takesCurrent = !takesOld;
      add(takesOld ? BlockKind.ignoredBefore : BlockKind.ignoredAfter);
    }
    if (takesOld) {
      oldLine += 1;
      if (oldCounts) oldAt += 1;
    }
    if (takesCurrent) {
      line += 1;
      if (counts) at += 1;
    }
  }
  return blocks;
}
