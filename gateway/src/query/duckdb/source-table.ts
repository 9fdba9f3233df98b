import { type RawBuilder, sql } from "kysely";
import type { QueryableDataset } from "#query/engine.ts";
import type { SqlColumn, SqlTable } from "#query/sql/table.ts";
import { isNested } from "./column-types.ts";
import type { SourceFacts } from "./source-facts.ts";
import { readAs } from "./text/text-columns.ts";

/** The files of a dataset as a table with the columns that it describes. */
export function tableOf(dataset: QueryableDataset, columns: ReadonlyMap<string, SqlColumn>, facts: SourceFacts): SqlTable {
  const position = filePosition(facts);
  const isAsStored = facts.texts.size === 0 && !dataset.columns.some(({ name }) => isNested(facts.columns.get(name) ?? ""));
  const values = dataset.columns.map((column) => sql`${valueOf(column, facts)} as ${sql.id(column.name)}`);
  const from = isAsStored ? facts.from : sql`(select ${sql.join([...values, ...(position ?? [])], sql`, `)} from ${facts.from}) as source`;
  const numbered = position === null ? countedRows(facts, from) : { from, position };
  return { from, columns, orderBy: dataset.orderBy, storedOrder: facts.storedOrder, numbered };
}

function valueOf({ name, type }: QueryableDataset["columns"][number], { columns, texts }: SourceFacts): RawBuilder<unknown> {
  const text = texts.get(name);
  if (text !== undefined) return readAs(type, sql.id(name), text).value;
  // The engine's own text of a nested value is no JSON: {'a': 0}.
  return isNested(columns.get(name) ?? "") ? sql`cast(to_json(${sql.id(name)}) as varchar)` : sql.id(name);
}

/** What tells rows apart in file order where reading counts them for free, as it does with Parquet; null elsewhere, or where a column takes that name. */
function filePosition({ format, columns, files }: SourceFacts): RawBuilder<unknown>[] | null {
  const names = new Set([...columns.keys()].map((name) => name.toLowerCase()));
  if (format !== "parquet" || names.has("file_row_number") || names.has("file_index")) return null;
  return files === 1 ? [sql`file_row_number`] : [sql`file_index`, sql`file_row_number`];
}

/** The rows counted while they are read. */
function countedRows({ columns }: SourceFacts, from: RawBuilder<unknown>): SqlTable["numbered"] {
  const names = new Set([...columns.keys()].map((name) => name.toLowerCase()));
  let name = "fairway row";
  while (names.has(name)) name += "_";
  const position = sql.id(name);
  return { from: sql`(select *, row_number() over () as ${position} from ${from}) as numbered`, position: [position] };
}
