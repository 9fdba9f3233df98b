import type { ProfiledColumn } from "@fairway/contract/dataset-profiles";
import type { ColumnDistributions } from "@fairway/contract/distributions";
import { type Column, type Narrowing, allFigures, batchesOf, keysOf, namesIn, profiledColumn } from "./column-figures.ts";
import { compileGroups } from "./dataset-profile.ts";
import type { Scan } from "./scan.ts";
import type { SqlDialect } from "./table.ts";

/** More rows are not grouped: a sample of them has the same shape. */
export const maxGroupedRows = 500_000;

/**
 * Statistics of some columns over the rows of a search: a scan for figures and one for groups per batch of columns. Values of
 * columns with very many are not counted. Decision 0571.
 */
export async function columnDistributions(
  columns: readonly Column[],
  query: Narrowing,
  scan: Scan,
  dialect: SqlDialect,
): Promise<ColumnDistributions> {
  const { rows, all } = await allFigures(columns, query, scan, dialect);
  const sample = rows > maxGroupedRows ? { rows: maxGroupedRows } : undefined;
  const found: ProfiledColumn[] = [];
  for (const batch of batchesOf(all)) {
    const keys = batch.flatMap((figures) => keysOf(figures, new Map()));
    const groups =
      keys.length === 0 ? [] : await scan((table) => compileGroups(table, keys, query, dialect, sample), namesIn(batch, query));
    found.push(...batch.map((figures) => profiledColumn(figures, rows, keys, groups)));
  }
  if (sample === undefined) return { rows, countedRows: rows, columns: found };
  return { rows, countedRows: sample.rows, columns: found.map((column) => Object.assign(column, { isApproximate: true })) };
}
