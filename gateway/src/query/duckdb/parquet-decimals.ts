import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";

/**
 * Columns with decimals of more than 38 digits, and what they hold. The engine describes them as doubles and reads other numbers than
 * there are in the file (duckdb/duckdb#25058). Decision 0720.
 */
export async function longDecimals(
  paths: RawBuilder<unknown>,
  columns: ReadonlyMap<string, string>,
  connection: QueryConnection,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (![...columns.values()].some((type) => type.includes("DOUBLE"))) return found;
  const [any] = await connection.rows(compileRaw(sql`select 1 from parquet_schema(${paths}) where ${isLongDecimal} limit 1`));
  if (any === undefined) return found;
  const rows = await connection.rows(
    compileRaw(sql`
      select file_name, name, cast(num_children as varchar), case when ${isLongDecimal} then 'DECIMAL(' || precision || ',' || scale || ')' end
      from parquet_schema(${paths})`),
  );
  for (const { column, decimal } of leavesOf(rows)) if (decimal !== null && columns.has(column)) found.set(column, decimal);
  return found;
}

/** Doubles are stored as such; what the engine makes doubles of bytes are decimals that none of its own types holds. */
const isLongDecimal = sql`type in ('FIXED_LEN_BYTE_ARRAY', 'BYTE_ARRAY') and duckdb_type = 'DOUBLE'`;

/** Why a column of this type cannot be read, after "it holds". */
export const longDecimalReason = (type: string): string => `${type}, and numbers of more than 38 digits cannot be read exactly`;

interface Leaf {
  /** The column that holds it, itself or within structures and lists. */
  readonly column: string;
  /** The type of a long decimal. */
  readonly decimal: string | null;
}

/** The rows list the schema of each file depth first: an element, then its children. */
function* leavesOf(rows: readonly (readonly unknown[])[]): Generator<Leaf> {
  let file: unknown;
  let column = "";
  /** Number of missing children of each incomplete element; the first one is the file itself. */
  let open: number[] = [];
  for (const [fileName, name, childCount, decimal] of rows) {
    if (fileName !== file) {
      file = fileName;
      open = [Number(childCount)];
      continue;
    }
    if (open.length === 1) column = String(name);
    open[open.length - 1] = (open.at(-1) ?? 0) - 1;
    const children = Number(childCount ?? 0);
    if (children > 0) open.push(children);
    else yield { column, decimal: typeof decimal === "string" ? decimal : null };
    while (open.length > 1 && open.at(-1) === 0) open.pop();
  }
}
