import path from "node:path";
import { sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import { type CsvFile, csvSql, linesOfRowsIn } from "./text/csv-source.ts";
import { type JsonFile, linesOfCopiedRows } from "./text/json-source.ts";

export type TextFile = CsvFile | JsonFile;

export const fileNameOf = ({ file }: TextFile): string => path.basename(file.name ?? file.path);

/** With its sheet, where several are read. */
export const nameOf = (one: TextFile): string =>
  one.file.sheet === undefined ? fileNameOf(one) : `${fileNameOf(one)}, sheet ${one.file.sheet}`;

/** Position of a row. `line` is null if it is unknown. */
export interface RowPosition {
  readonly file: TextFile;
  readonly line: number | null;
  /** From 1, within its file. */
  readonly row: number;
}

/** The number of rows of a file; null if that would take counting all of a large one. */
export async function rowsOf(file: TextFile, connection: QueryConnection): Promise<number | null> {
  if (file.copy !== null) return file.copy.findings.lines - (file.copy.findings.unreadable?.count ?? 0);
  if (!file.isChecked || !("dialect" in file)) return null;
  const [row = []] = await connection.rows(compileRaw(sql`select cast(count(*) as varchar) from ${csvSql([file])}`));
  return Number(row[0]);
}

/** Positions of the rows with these indices, counted from 0 over all files in order. */
export async function positionsOf(
  indices: readonly number[],
  files: readonly TextFile[],
  connection: QueryConnection,
): Promise<ReadonlyMap<number, RowPosition>> {
  const positions = new Map<number, RowPosition>();
  let remaining = [...new Set(indices)];
  let before = 0;
  for (const file of files) {
    if (remaining.length === 0) break;
    const isLast = file === files.at(-1);
    const rows = isLast ? Infinity : ((await rowsOf(file, connection)) ?? Infinity);
    const own = remaining.filter((index) => index - before < rows);
    remaining = remaining.filter((index) => index - before >= rows);
    const lines = await linesIn(file, new Set(own.map((index) => index - before)), connection);
    for (const index of own) positions.set(index, { file, line: lines.get(index - before) ?? null, row: index - before + 1 });
    before += rows;
  }
  return positions;
}

async function linesIn(file: TextFile, indices: ReadonlySet<number>, connection: QueryConnection): Promise<ReadonlyMap<number, number>> {
  if (indices.size === 0) return new Map();
  if ("dialect" in file) return linesOfRowsIn(file, indices, connection);
  // The copies of JSON files hold the lines.
  return file.copy === null ? new Map() : linesOfCopiedRows(file, indices, connection);
}
