import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import type { OrderKey } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { longDecimals } from "./parquet-decimals.ts";
import { type ColumnsWithGeometries, geometriesOf } from "./parquet-geometries.ts";
import type { QueryConnection } from "./query-runner.ts";

/** The content of Parquet files, as far as their footers describe it. */
export interface ParquetSource extends ColumnsWithGeometries {
  readonly from: RawBuilder<unknown>;
  /** Why the engine cannot read a column, to follow "it holds". Such columns are not among `columns`, and empty where they are described. */
  readonly unreadable: ReadonlyMap<string, string>;
  /** Floating-point columns without NaN and infinities. */
  readonly finite: ReadonlySet<string>;
  /** Integer columns whose values are all within ±2^53. */
  readonly narrow: ReadonlySet<string>;
  /** The order of the rows of a single file, as recorded by its writer; null if unknown. */
  readonly storedOrder: readonly OrderKey[] | null;
}

/** Footer entry in which our own writer records the order of the rows. */
export const storedOrderKey = "fairway_sorted_by";

const recordedOrder = z.array(z.object({ column: z.string(), direction: z.enum(["asc", "desc"]) }));

/** Footers are not read for more files than this, because it would cost more than it saves. */
const maxFooterFiles = 16;

const noStatistics = { finite: new Set<string>(), narrow: new Set<string>() };

/** `options`: further ones of the reader. */
export async function readParquetSource(
  { paths, fileCount, options }: { readonly paths: RawBuilder<unknown>; readonly fileCount: number; readonly options: RawBuilder<unknown> },
  connection: QueryConnection,
): Promise<ParquetSource> {
  // Several files may differ in columns.
  const from = fileCount > 1 ? sql`read_parquet(${paths}, union_by_name = true${options})` : sql`read_parquet(${paths}${options})`;
  const described = await connection.rows(compileRaw(sql`select column_name, column_type from (describe select * from ${from})`));
  const stored = new Map(described.map(([name, type]) => [String(name), String(type)]));
  const readsFooters = fileCount <= maxFooterFiles;
  const { finite, narrow } = readsFooters ? await readStatistics(paths, connection) : noStatistics;
  const storedOrder = readsFooters && fileCount === 1 ? await readStoredOrder(paths, connection) : null;
  const unreadable = await longDecimals(paths, stored, connection);
  for (const name of unreadable.keys()) stored.delete(name);
  const { columns, derived, notes } = await geometriesOf({ paths, from, stored }, connection);
  return { from, columns, derived, unreadable, notes, finite, narrow, storedOrder };
}

/**
 * `finite`: floating-point columns with minimum and maximum statistics in every row group. DuckDB's writer omits both if a NaN or an
 * infinity occurs; other writers do not, so nothing is known about their files. `narrow`: integer columns whose statistics say in
 * every row group that JSON holds their values, which saves a comparison of each.
 */
async function readStatistics(paths: RawBuilder<unknown>, connection: QueryConnection): Promise<Pick<ParquetSource, "finite" | "narrow">> {
  const writers = await connection.rows(compileRaw(sql`select distinct created_by from parquet_file_metadata(${paths})`));
  const isOurs = writers.every(([writer]) => String(writer).startsWith("DuckDB"));
  const within = (value: RawBuilder<unknown>) => sql`coalesce(abs(try_cast(${value} as hugeint)) <= 9007199254740992, false)`;
  const rows = await connection.rows(
    compileRaw(sql`
      select path_in_schema,
        coalesce(bool_and(stats_min_value is not null and stats_max_value is not null) filter (where type in ('DOUBLE', 'FLOAT')), false),
        coalesce(bool_and(${within(sql`stats_min_value`)} and ${within(sql`stats_max_value`)}) filter (where type in ('INT64', 'INT32')), false)
      from parquet_metadata(${paths}) group by 1`),
  );
  const names = (isColumn: (row: readonly unknown[]) => boolean) => new Set(rows.filter(isColumn).map(([name]) => String(name)));
  return { finite: names(([, hasStatistics]) => isOurs && hasStatistics === true), narrow: names(([, , isNarrow]) => isNarrow === true) };
}

async function readStoredOrder(paths: RawBuilder<unknown>, connection: QueryConnection): Promise<readonly OrderKey[] | null> {
  const rows = await connection.rows(
    compileRaw(sql`select decode(value) from parquet_kv_metadata(${paths}) where decode(key) = ${storedOrderKey}`),
  );
  const note = rows[0]?.[0];
  if (typeof note !== "string") return null;
  try {
    const parsed = recordedOrder.safeParse(JSON.parse(note));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
