import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";
import { inSlices } from "#lib/slices.ts";

export interface CellMatch {
  row: number;
  column: string;
}

/** More is not counted: nobody steps through so many. */
export const mostMatches = 10_000;

/** Finds a text as it stands, in any case. Null for an empty query. */
export const finder = (query: string): RegExp | null =>
  query === "" ? null : new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`), "giu");

export interface TextPart {
  text: string;
  isMatch: boolean;
}

/** A text in parts, matching and not. */
export function partsOf(text: string, find: RegExp | null): TextPart[] {
  if (!find) return [{ text, isMatch: false }];
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(find)) {
    if (match.index > end) parts.push({ text: text.slice(end, match.index), isMatch: false });
    parts.push({ text: match[0], isMatch: true });
    end = match.index + match[0].length;
  }
  if (end < text.length || parts.length === 0) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

/** The cells that show the text, row by row in the columns' order; at most `mostMatches`. Null when the signal ended it. */
export async function findCells(
  rows: readonly ResultRow[],
  columns: readonly Column[],
  find: RegExp,
  signal: AbortSignal,
): Promise<CellMatch[] | null> {
  const matches: CellMatch[] = [];
  const finished = await inSlices(
    rows.length,
    (index) => {
      const row = rows[index];
      if (!row || matches.length >= mostMatches) return;
      for (const column of columns) {
        find.lastIndex = 0;
        if (find.test(cellText(column, row) ?? "")) matches.push({ row: index, column: column.name });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, mostMatches) : null;
}
