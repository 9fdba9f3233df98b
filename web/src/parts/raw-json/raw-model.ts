import { forEachYielding } from "#lib/pacing/yielding-loop.ts";
import { type JsonLine, isContainer, lineCount, lineText, linesOf, pathKey } from "./json-lines.ts";

/** Per row, the keys of its folded containers. The row itself has the key of the empty path. */
export type Folds = ReadonlyMap<number, ReadonlySet<string>>;

const rowKey = pathKey([]);

/** The entries of an array, or of an object if they have names. */
export interface RawSource {
  readonly rows: readonly unknown[];
  readonly names?: readonly string[] | undefined;
}

/** The line offsets of all rows. Only counts are computed for every row; lines are created for visible rows. */
export interface RawModel {
  source: RawSource;
  folds: Folds;
  /** First line of each row; the last entry is the line of the closing bracket. The opening bracket is line 0. */
  starts: Float64Array;
  totalLines: number;
}

export function createRawModel(source: RawSource, folds: Folds): RawModel {
  const { rows } = source;
  const starts = new Float64Array(rows.length + 1);
  let line = 1;
  for (const [index, row] of rows.entries()) {
    starts[index] = line;
    const folded = folds.get(index);
    line += folded ? lineCount(row, folded) : unfoldedCount(row);
  }
  starts[rows.length] = line;
  return { source, folds, starts, totalLines: rows.length === 0 ? 1 : line + 1 };
}

// Rows are immutable, so counts can be cached.
const lineCounts = new WeakMap<object, number>();

function unfoldedCount(row: unknown): number {
  if (!isContainer(row)) return 1;
  const cached = lineCounts.get(row);
  if (cached !== undefined) return cached;
  const count = lineCount(row, undefined);
  lineCounts.set(row, count);
  return count;
}

export interface RowLine extends JsonLine {
  /** Index of its row; -1 for the enclosing brackets. */
  row: number;
  /** Line number within the row. */
  lineInRow: number;
}

const outerLine = { key: undefined, depth: 0, comma: false, path: [], value: undefined, entries: 0, row: -1, lineInRow: 0 } as const;

/** The line with this zero-based number. `cache` holds the lines of visible rows. */
export function lineAt(model: RawModel, line: number, cache: Map<number, JsonLine[]>): RowLine {
  const { source, starts } = model;
  const { rows } = source;
  const [open, close] = source.names ? ["{", "}"] : ["[", "]"];
  if (rows.length === 0) return { ...outerLine, text: open + close, kind: "atom" };
  if (line === 0) return { ...outerLine, text: open, kind: "open" };
  if (line >= (starts[rows.length] ?? 0)) return { ...outerLine, text: close, kind: "close" };
  const row = rowOfLine(starts, rows.length, line);
  let lines = cache.get(row);
  if (!lines) {
    if (cache.size > 200) cache.clear();
    lines = linesOfRow(source, row, model.folds.get(row), row < rows.length - 1);
    cache.set(row, lines);
  }
  const lineInRow = line - (starts[row] ?? 0);
  return { ...(lines[lineInRow] ?? { ...outerLine, text: "", kind: "close" }), row, lineInRow };
}

function linesOfRow({ rows, names }: RawSource, row: number, folded: ReadonlySet<string> | undefined, comma: boolean): JsonLine[] {
  const lines = linesOf(rows[row], folded, 1, comma);
  if (names && lines[0]) lines[0].key = names[row];
  return lines;
}

/** The last row that starts at or before the line. */
function rowOfLine(starts: Float64Array, count: number, line: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((starts[middle] ?? 0) <= line) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function withFold(folds: Folds, row: number, path: readonly (string | number)[], isFolded: boolean): Folds {
  const keys = new Set(folds.get(row));
  if (isFolded) keys.add(pathKey(path));
  else keys.delete(pathKey(path));
  const next = new Map(folds);
  if (keys.size === 0) next.delete(row);
  else next.set(row, keys);
  return next;
}

/** Every row folded to one line. */
export function allFolded(rows: readonly unknown[]): Folds {
  const one: ReadonlySet<string> = new Set([rowKey]);
  return new Map([...rows.keys()].filter((row) => isContainer(rows[row])).map((row) => [row, one]));
}

/** A match: its line within the unfolded row. */
export interface RawMatch {
  row: number;
  line: number;
}

export const maxRawMatches = 10_000;

/** The matching lines, folded or not; at most `maxRawMatches`. Null if aborted. */
export async function findLines(source: RawSource, find: RegExp, signal: AbortSignal): Promise<RawMatch[] | null> {
  const matches: RawMatch[] = [];
  const finished = await forEachYielding(
    source.rows.length,
    (row) => {
      if (matches.length >= maxRawMatches) return;
      for (const [index, line] of linesOfRow(source, row, undefined, false).entries()) {
        // Unlike `test`, `search` does not change lastIndex of the expression, which also highlights the lines.
        if (lineText(line).search(find) >= 0) matches.push({ row, line: index });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, maxRawMatches) : null;
}
