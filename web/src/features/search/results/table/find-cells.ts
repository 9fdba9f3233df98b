import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/text/cell-text.ts";
import { forEachYielding } from "#lib/pacing/yielding-loop.ts";

export interface CellMatch {
  row: number;
  column: string;
}

/** Further matches are not counted. */
export const maxMatches = 10_000;

/** The cells whose displayed text matches, row by row in column order; at most `maxMatches`. Null if aborted. */
export async function findCells(
  rows: readonly ResultRow[],
  columns: readonly Column[],
  find: RegExp,
  signal: AbortSignal,
  zone?: string,
): Promise<CellMatch[] | null> {
  const matches: CellMatch[] = [];
  const finished = await forEachYielding(
    rows.length,
    (index) => {
      const row = rows[index];
      if (!row || matches.length >= maxMatches) return;
      for (const column of columns) {
        // Unlike `test`, `search` does not change lastIndex of the expression, which also highlights the cells.
        if ((cellText(column, row, zone) ?? "").search(find) >= 0) matches.push({ row: index, column: column.name });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, maxMatches) : null;
}
