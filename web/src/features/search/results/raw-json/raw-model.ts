import { forEachYielding } from "#lib/yielding-loop.ts";
import { type JsonLine, isContainer, lineCount, lineText, linesOf, pathKey } from "./json-lines.ts";

/** What is folded: by row, the keys of its folded containers. A row itself has the key of the empty path. */
export type Folds = ReadonlyMap<number, ReadonlySet<string>>;

const rowKey = pathKey([]);

/** Where every row's lines begin. Counting is all that is done for every row; lines are made for rows in sight. */
export interface RawModel {
  rows: readonly unknown[];
  folds: Folds;
  /** Line at which each row begins; its last entry is the closing bracket's line. The opening bracket is line 0. */
  starts: Float64Array;
  lineTotal: number;
}

export function rawModel(rows: readonly unknown[], folds: Folds): RawModel {
  const starts = new Float64Array(rows.length + 1);
  let line = 1;
  for (const [index, row] of rows.entries()) {
    starts[index] = line;
    const folded = folds.get(index);
    line += folded ? lineCount(row, folded) : unfoldedCount(row);
  }
  starts[rows.length] = line;
  return { rows, folds, starts, lineTotal: rows.length === 0 ? 1 : line + 1 };
}

// Rows are never changed in place, so what was counted once holds.
const counted = new WeakMap<object, number>();

function unfoldedCount(row: unknown): number {
  if (!isContainer(row)) return 1;
  const known = counted.get(row);
  if (known !== undefined) return known;
  const count = lineCount(row, undefined);
  counted.set(row, count);
  return count;
}

export interface PlacedLine extends JsonLine {
  /** The row it belongs to; -1 for the brackets around them all. */
  row: number;
  /** Line within the row. */
  at: number;
}

const around = { key: undefined, depth: 0, comma: false, path: [], value: undefined, entries: 0, row: -1, at: 0 } as const;

/** The line with this number, from 0. `cache` keeps the lines of rows in sight. */
export function lineAt(model: RawModel, line: number, cache: Map<number, JsonLine[]>): PlacedLine {
  const { rows, starts } = model;
  if (rows.length === 0) return { ...around, text: "[]", kind: "atom" };
  if (line === 0) return { ...around, text: "[", kind: "open" };
  if (line >= (starts[rows.length] ?? 0)) return { ...around, text: "]", kind: "close" };
  const row = rowOfLine(starts, rows.length, line);
  let lines = cache.get(row);
  if (!lines) {
    if (cache.size > 200) cache.clear();
    lines = linesOf(rows[row], model.folds.get(row), 1, row < rows.length - 1);
    cache.set(row, lines);
  }
  const at = line - (starts[row] ?? 0);
  return { ...(lines[at] ?? { ...around, text: "", kind: "close" }), row, at };
}

/** The last row that begins at or before the line. */
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

/** A match: the line of its row when nothing in it is folded. */
export interface RawMatch {
  row: number;
  at: number;
}

export const mostRawMatches = 10_000;

/** The lines that hold the text, folded or not; at most `mostRawMatches`. Null when the signal ended it. */
export async function findLines(rows: readonly unknown[], find: RegExp, signal: AbortSignal): Promise<RawMatch[] | null> {
  const matches: RawMatch[] = [];
  const finished = await forEachYielding(
    rows.length,
    (row) => {
      if (matches.length >= mostRawMatches) return;
      for (const [at, line] of linesOf(rows[row], undefined, 1, false).entries()) {
        // Unlike test, leaves nothing in the expression that the lines are then marked by.
        if (lineText(line).search(find) >= 0) matches.push({ row, at });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, mostRawMatches) : null;
}
