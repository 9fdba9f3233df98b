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
  const blocks = isReadWhole(dataset) ? blocksOf(read, metadata) : [];
  const inBlocks = new Map(blocks.flatMap(({ id, names }) => names.map((name, index) => [name, sql`${id}[${sql.lit(index + 1)}]`])));
  const found =
    inBlocks.size === 0 ? columns : new Map([...columns].map(([name, one]) => [name, inBlocks.has(name) ? asFinite(one) : one]));
  const values = read.map((column) => sql`${inBlocks.get(column.name) ?? valueOf(column, metadata)} as ${sql.id(column.name)}`);
  const from = isUnconverted
    ? metadata.from
    : sql`(select ${sql.join([...values, ...(position ?? [])], sql`, `)} from ${withBlocks(metadata.from, blocks)}) as source`;
  const numbered = position === null ? numberRows(metadata, from) : { from, position, isFileOrder: true };
  return { from, columns: found, orderBy: dataset.orderBy, storedOrder: metadata.storedOrder, numbered };
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

/** Files of an import are read for all of their values; of others most queries need few columns, and filters should see theirs first. */
const isReadWhole = ({ source }: QueryableDataset): boolean => source.kind === "copies" && source.checksAll === true;

/** Fewer columns are converted one by one. A query of one column converts its whole block. */
const minBlockColumns = 20;
const maxBlockColumns = 100;

/** Text columns that are read alike, converted together as a list. */
interface Block {
  readonly id: RawBuilder<unknown>;
  readonly names: readonly string[];
  readonly values: RawBuilder<unknown>;
}

/**
 * The engine plans each expression and compiles each pattern for every column and thread: for 1,000 columns, that takes longer than to
 * read their values.
 */
function blocksOf(read: QueryableDataset["columns"], { columns, texts }: SourceMetadata): Block[] {
  const alike = new Map<string, QueryableDataset["columns"][number][]>();
  for (const column of read) {
    const reading = texts.get(column.name);
    if (column.type === "STRING" || reading === undefined) continue;
    const key = JSON.stringify([column.type, reading]);
    const group = alike.get(key);
    if (group === undefined) alike.set(key, [column]);
    else group.push(column);
  }
  const taken = new Set([...columns.keys()].map((name) => name.toLowerCase()));
  const blocks: Block[] = [];
  for (const group of alike.values()) {
    for (let start = 0; group.length >= minBlockColumns && start < group.length; start += maxBlockColumns) {
      const part = group.slice(start, start + maxBlockColumns);
      const [first] = part;
      const reading = first === undefined ? undefined : texts.get(first.name);
      if (first === undefined || reading === undefined) continue;
      let id = `fairway block ${blocks.length}`;
      while (taken.has(id)) id += "_";
      const names = part.map(({ name }) => name);
      const { value, storage } = readAs(first.type, sql.id("filled"), reading);
      const values = sql`list_transform([${sql.join(names.map((name) => sql.id(name)))}], lambda filled: ${value})`;
      blocks.push({ id: sql.id(id), names, values: storage.kind === "floating" ? finiteValues(values) : values });
    }
  }
  return blocks;
}

/** Tested for all of them together; else each use of each column tests its values. */
const finiteValues = (values: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`list_transform(${values}, lambda number: case when isfinite(number) then number end)`;

const asFinite = (column: SqlColumn): SqlColumn =>
  column.storage.kind === "floating" ? { ...column, storage: { ...column.storage, finite: true } } : column;

const withBlocks = (from: RawBuilder<unknown>, blocks: readonly Block[]): RawBuilder<unknown> =>
  blocks.length === 0
    ? from
    : sql`(select *, ${sql.join(blocks.map(({ id, values }) => sql`${values} as ${id}`))} from ${from}) as rows_read`;

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
