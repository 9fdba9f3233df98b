import { type RawBuilder, sql } from "kysely";
import type { QueryableDataset } from "#query/engine.ts";
import type { SqlColumn, SqlTable } from "#query/sql/table.ts";
import { isNested } from "./column-types.ts";
import type { SourceMetadata } from "./source-metadata.ts";
import { readAs } from "./text/text-columns.ts";

/** The files of a dataset as a table with the described columns. `only`: those whose values are read; the engine plans how each of them is. */
export function tableOf(
  dataset: QueryableDataset,
  columns: ReadonlyMap<string, SqlColumn>,
  metadata: SourceMetadata,
  only?: ReadonlySet<string>,
): SqlTable {
  const position = filePosition(metadata);
  const { texts, columns: stored, derived, unreadable } = metadata;
  const isUnconverted =
    texts.size === 0 && !dataset.columns.some(({ name }) => derived.has(name) || unreadable.has(name) || isNested(stored.get(name) ?? ""));
  const read = only === undefined ? dataset.columns : dataset.columns.filter(({ name }) => only.has(name));
  const values = read.map((column) => sql`${valueOf(column, metadata)} as ${sql.id(column.name)}`);
  const from = isUnconverted
    ? metadata.from
    : sql`(select ${sql.join([...values, ...(position ?? [])], sql`, `)} from ${metadata.from}) as source`;
  const numbered = position === null ? numberRows(metadata, from) : { from, position, isFileOrder: true };
  return { from, columns, orderBy: dataset.orderBy, storedOrder: metadata.storedOrder, numbered };
}

function valueOf(
  { name, type }: QueryableDataset["columns"][number],
  { columns, texts, derived, unreadable }: SourceMetadata,
): RawBuilder<unknown> {
  const text = texts.get(name);
  if (text !== undefined) return readAs(type, sql.id(name), text).value;
  const made = derived.get(name);
  if (made !== undefined) return made.value;
  if (unreadable.has(name)) return type === "STRING" ? sql`cast(null as varchar)` : sql`cast(null as double)`;
  // DuckDB's own text of a nested value is not JSON: {'a': 0}.
  return isNested(columns.get(name) ?? "") ? sql`cast(to_json(${sql.id(name)}) as varchar)` : sql.id(name);
}

/** Columns for the position in file order that the reader provides for free, as it does for Parquet; null otherwise, or if a column has that name. */
function filePosition({ format, columns, files }: SourceMetadata): RawBuilder<unknown>[] | null {
  const names = new Set([...columns.keys()].map((name) => name.toLowerCase()));
  if (format !== "parquet" || names.has("file_row_number") || names.has("file_index")) return null;
  return files === 1 ? [sql`file_row_number`] : [sql`file_index`, sql`file_row_number`];
}

/** Numbers the rows while they are read. */
function numberRows({ columns }: SourceMetadata, from: RawBuilder<unknown>): SqlTable["numbered"] {
  const names = new Set([...columns.keys()].map((name) => name.toLowerCase()));
  let name = "fairway row";
  while (names.has(name)) name += "_";
  const position = sql.id(name);
  return { from: sql`(select *, row_number() over () as ${position} from ${from}) as numbered`, position: [position], isFileOrder: true };
}
