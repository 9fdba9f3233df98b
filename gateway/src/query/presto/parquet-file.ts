import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { Exporter } from "#query/duckdb/exporter.ts";
import { type ExportTarget, unfinishedRows } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import type { SqlColumn } from "#query/sql/table.ts";
import { storeRows } from "#query/xlsx/stored-rows.ts";

export interface ParquetWriter {
  /** The only folder that files are written to. */
  readonly exportFolder: string;
  readonly exportMemoryMb: number;
}

type Pages = AsyncIterable<readonly (readonly unknown[])[]>;

/** The embedded engine makes a Parquet file of rows that are kept as text meanwhile. Resolves to their number. Decision 0521. */
export async function writeParquet(
  pages: Pages,
  columns: readonly SqlColumn[],
  target: ExportTarget,
  { exportFolder, exportMemoryMb }: ParquetWriter,
  signal: AbortSignal,
): Promise<number> {
  const folder = unfinishedRows(target);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const rows = path.join(folder, "rows.csv");
    await storeRows(pages, rows, target.onRows);
    const exporter = new Exporter({ dataFolder: folder, copyFolder: folder, exportFolder, exportMemoryMb });
    return await exporter.write(target.path, (file) => copyOf(rows, columns, file), { onRows: () => undefined }, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function copyOf(rows: string, columns: readonly SqlColumn[], file: string) {
  const texts = sql.join(
    columns.map((_, index) => sql`${sql.lit(`c${index}`)}: 'VARCHAR'`),
    sql`, `,
  );
  const from = sql`read_csv(${sql.lit(rows)}, header = false, auto_detect = false, delim = ',', quote = '"', escape = '"', new_line = ${sql.lit(String.raw`\n`)},
    nullstr = '', allow_quoted_nulls = false, max_line_size = 8000000, parallel = false, columns = {${texts}})`;
  const values = columns.map((column, index) => sql`${typed(column, index)} as ${sql.id(column.name)}`);
  return compileRaw(
    sql`copy (select ${sql.join(values, sql`, `)} from ${from}) to ${sql.lit(file)} (format parquet, compression zstd, compression_level 2, row_group_size_bytes '32MB', use_tmp_file false)`,
  );
}

/** A column's values in the type that it is described as; numbers as the table stores them. */
function typed({ type, storage, day }: SqlColumn, index: number) {
  const text = sql.id(`c${index}`);
  if (type === "STRING") return text;
  switch (storage.kind) {
    case "boolean":
      return sql`cast(${text} as boolean)`;
    case "integer":
      return storage.digits === undefined ? sql`cast(${text} as bigint)` : sql`cast(${text} as decimal(${sql.lit(storage.digits)}, 0))`;
    case "exact-decimal":
      return sql`cast(${text} as decimal(${sql.lit(storage.digits)}, ${sql.lit(storage.scale)}))`;
    case "floating":
      // A value that is no number is shown as empty.
      return sql`case when isfinite(cast(${text} as double)) then cast(${text} as ${storage.single ? sql`float` : sql`double`}) end`;
    case "instant":
      return day === true ? sql`cast(make_timestamp_ms(cast(${text} as bigint)) as date)` : sql`make_timestamp_ms(cast(${text} as bigint))`;
    case "text":
    case "other":
      return text;
    default:
      return storage satisfies never;
  }
}
