import { forEachYielding } from "#lib/yielding-loop.ts";
import { type JsonLine, isContainer, lineCount, lineText, linesOf, pathKey } from "./json-lines.ts";

/** Per row, the keys of its folded containers. The row itself has the key of the empty path. */
export type Folds = ReadonlyMap<number, ReadonlySet<string>>;

const rowKey = pathKey([]);

/** The line offsets of all rows. Only counts are computed for every row; lines are created for visible rows. */
export interface RawModel {
  rows: readonly unknown[];
  folds: Folds;
  /** First line of each row; the last entry is the line of the closing bracket. The opening bracket is line 0. */
  starts: Float64Array;
  totalLines: number;
}

export function createRawModel(rows: readonly unknown[], folds: Folds): RawModel {
  const starts = new Float64Array(rows.length + 1);
  let line = 1;
  for (const [index, row] of rows.entries()) {
    starts[index] = line;
    const folded = folds.get(index);
    line += folded ? lineCount(row, folded) : unfoldedCount(row);
  }
  starts[rows.length] = line;
  return { rows, folds, starts, totalLines: rows.length === 0 ? 1 : line + 1 };
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
  const { rows, starts } = model;
  if (rows.length === 0) return { ...outerLine, text: "[]", kind: "atom" };
  if (line === 0) return { ...outerLine, text: "[", kind: "open" };
  if (line >= (starts[rows.length] ?? 0)) return { ...outerLine, text: "]", kind: "close" };
  const row = rowOfLine(starts, rows.length, line);
  let lines = cache.get(row);
  if (!lines) {
    if (cache.size > 200) cache.clear();
    lines = linesOf(rows[row], model.folds.get(row), 1, row < rows.length - 1);
    cache.set(row, lines);
  }
  const lineInRow = line - (starts[row] ?? 0);
  return { ...(lines[lineInRow] ?? { ...outerLine, text: "", kind: "close" }), row, lineInRow };
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
export async function findLines(rows: readonly unknown[], find: RegExp, signal: AbortSignal): Promise<RawMatch[] | null> {
  const matches: RawMatch[] = [];
  const finished = await forEachYielding(
    rows.length,
    (row) => {
      if (matches.length >= maxRawMatches) return;
      for (const [index, line] of linesOf(rows[row], undefined, 1, false).entries()) {
        // Unlike `test`, `search` does not change lastIndex of the expression, which also highlights the lines.
        if (lineText(line).search(find) >= 0) matches.push({ row, line: index });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, maxRawMatches) : null;
}
