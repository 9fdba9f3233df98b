import type { Column } from "@fairway/contract/columns";
import type { ResultRow } from "@fairway/contract/search";
import { cellText } from "#lib/cell-text.ts";
import { forEachYielding } from "#lib/yielding-loop.ts";

export interface CellMatch {
  row: number;
  column: string;
}

/** More is not counted: nobody steps through so many. */
export const mostMatches = 10_000;

/** The cells that show the text, row by row in the columns' order; at most `mostMatches`. Null when the signal ended it. */
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
      if (!row || matches.length >= mostMatches) return;
      for (const column of columns) {
        // Unlike test, leaves nothing in the expression that the cells are then marked by.
        if ((cellText(column, row, zone) ?? "").search(find) >= 0) matches.push({ row: index, column: column.name });
      }
    },
    signal,
  );
  return finished ? matches.slice(0, mostMatches) : null;
}
