import { formulaPattern, escapeFormula } from "@fairway/contract/formula-text";
import { type Column, isNumeric } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import { EngineFailed, type ExportTarget, type SearchQuery } from "#query/engine.ts";
import { type Compiled, compileRaw, everyRowSql, requireColumn } from "#query/sql/compile.ts";
import { isHuge } from "#query/sql/exact-numbers.ts";
import { unitMs } from "#query/sql/instants.ts";
import { comparable, named } from "#query/sql/operators.ts";
import type { SqlColumn, SqlTable } from "#query/sql/table.ts";
import { arrowRowsSql } from "./arrow-sql.ts";
import { storedOrderKey } from "./parquet-source.ts";
import { duckDbDialect, finite, isStoredDay, shown, unlessOutside } from "./dialect.ts";

/** The sequence that counts the rows an export has written. */
export const rowCounter = "rows_written";

/** A format that DuckDB writes itself. */
export type CopyTarget = ExportTarget & { readonly format: keyof typeof options };

/** The COPY that writes an export. */
export function compileExport(table: SqlTable, query: Omit<SearchQuery, "offset">, target: CopyTarget): Compiled {
  const [first, ...others] = fieldsOf(table, target);
  if (first === undefined) throw new EngineFailed("failed", "This dataset has no columns to export.");
  // Evaluated once per row, outside the sort, so it counts rows as they are written.
  const counted = { ...first, value: sql`case when nextval(${sql.lit(rowCounter)}) > 0 then ${first.value} end` };
  const fields = [counted, ...others].map(({ name, value }) => sql`${value} as ${sql.id(name)}`);
  const rows = sql`select ${sql.join(fields, sql`, `)} from (${everyRowSql(table, query, duckDbDialect)}) as matching`;
  return compileRaw(sql`copy (${rows}) to ${sql.lit(target.path)} (${options[target.format]}${recordedOrder(target)}, use_tmp_file false)`);
}

/**
 * Megabytes. DuckDB works on 2,048 rows at a time and holds all their values in several forms at once: of JSON that it writes, and of
 * texts that it reads as values.
 */
export const memoryNeeded = (
  { columns }: SqlTable,
  { format, readsTexts }: { readonly format: ExportTarget["format"]; readonly readsTexts: boolean },
): number => columns.size * ((format === "json" ? 1 : 0) + (readsTexts ? 1 : 0));

/** Written to the footer, where our reader finds it. */
const recordedOrder = ({ format, sortedBy }: CopyTarget): RawBuilder<unknown> =>
  format === "parquet" && sortedBy !== undefined
    ? sql`, kv_metadata {${sql.id(storedOrderKey)}: ${sql.lit(JSON.stringify(sortedBy))}}`
    : sql``;

const options = {
  csv: sql`format csv, header true, new_line ${sql.lit("\r\n")}`,
  json: sql`format json, array true`,
  // Rows as `stored-rows.ts` reads them.
  xlsx: sql`format csv, header false, force_quote *, new_line ${sql.lit("\n")}`,
  // Level 2 compresses as well as the default level and is faster.
  parquet: sql`format parquet, compression zstd, compression_level 2, row_group_size_bytes '32MB'`,
} as const;

interface Field {
  readonly name: string;
  readonly value: RawBuilder<unknown>;
}

function fieldsOf(table: SqlTable, { format, csvColumns, csvHeads, renamed }: CopyTarget): readonly Field[] {
  const plain = [...table.columns.values()];
  switch (format) {
    case "csv":
      return csvColumns.map((column, index) => ({ name: escapeFormula(csvHeads?.[index] ?? column.name), value: csvField(column, table) }));
    case "xlsx":
      return csvColumns.map((column, index) => ({ name: `c${index}`, value: sheetField(column, table) }));
    case "json":
      return plain.map((column) => ({ name: column.name, value: shown(named(column), column) }));
    case "parquet":
      return plain.map((column) => ({
        name: renamed?.get(column.name) ?? column.name,
        value: renamed === undefined ? typedValue(column) : keptValue(column),
      }));
    default:
      return format satisfies never;
  }
}

/** The SELECT of an export's rows in the types of Arrow. */
export function compileArrowExport(table: SqlTable, query: Omit<SearchQuery, "offset">): Compiled {
  const columns = [...table.columns.values()];
  return compileRaw(arrowRowsSql(columns, everyRowSql(table, query, duckDbDialect)));
}

/** The value in its stored type. 128-bit integers become text, because Parquet has none and DuckDB would round them. */
function typedValue(column: SqlColumn): RawBuilder<unknown> {
  if (isStoredDay(column)) return sql`cast(${named(column)} as date)`;
  return isHuge(column.storage) ? sql`cast(${named(column)} as varchar)` : comparable(column, duckDbDialect);
}

/** The value for a file that the portal itself reads, which has decimals without a fraction for integers of more than 64 bits. */
const keptValue = (column: SqlColumn): RawBuilder<unknown> =>
  isHuge(column.storage) && !isStoredDay(column) ? sql`try_cast(${named(column)} as decimal(38, 0))` : typedValue(column);

/** The text of a value as `sheet-cells.ts` reads it: times as numbers in their unit. */
function sheetField(column: Column, table: SqlTable): RawBuilder<unknown> {
  if (column.combined !== null) return joinedField(column.combined, table, (joined) => joined);
  const stored = requireColumn(table, column.name);
  const isInstant = stored.type !== "STRING" && stored.storage.kind === "instant";
  return sql`cast(${isInstant ? shown(named(stored), stored) : comparable(stored, duckDbDialect)} as varchar)`;
}

function csvField(column: Column, table: SqlTable): RawBuilder<unknown> {
  if (column.combined !== null) return joinedField(column.combined, table, guarded);
  const stored = requireColumn(table, column.name);
  if (stored.type === "TIMESTAMP_SECONDS" || stored.type === "TIMESTAMP_MILLS") return timeField(stored);
  const value = comparable(stored, duckDbDialect);
  return stored.type === "STRING" ? guarded(value) : value;
}

/** ISO 8601 in UTC with the precision of the column's unit, or the day alone. Times out of range stay numbers. */
function timeField(column: SqlColumn): RawBuilder<unknown> {
  const value = named(column);
  const format = column.day === true ? "%Y-%m-%d" : column.type === "TIMESTAMP_SECONDS" ? "%Y-%m-%dT%H:%M:%SZ" : "%Y-%m-%dT%H:%M:%S.%gZ";
  if (column.storage.kind === "instant") {
    // Of infinite times there are no microseconds.
    return sql`strftime(make_timestamp(epoch_us(${value})), ${sql.lit(format)})`;
  }
  const ms = unitMs(column.type);
  const maxTime = 8_640_000_000_000_000n / ms;
  const moment = sql`make_timestamp_ms(cast(${value} * ${sql.lit(ms)} as bigint))`;
  const number = sql`cast(${comparable(column, duckDbDialect)} as varchar)`;
  return unlessOutside(value, [sql.lit(-maxTime), sql.lit(maxTime)], sql`strftime(${moment}, ${sql.lit(format)})`, number);
}

/** Joined as the table shows it. Joined numbers are not guarded, like any number. */
function joinedField(
  { fields, joinedBy }: NonNullable<Column["combined"]>,
  table: SqlTable,
  guard: (text: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const parts = fields.map((name) => requireColumn(table, name));
  const texts = parts.map(partText);
  const joined = sql`concat_ws(${sql.lit(joinedBy)}, ${sql.join(
    texts.map((text) => sql`coalesce(${text}, '')`),
    sql`, `,
  )})`;
  const missing = (every: "and" | "or") =>
    sql`(${sql.join(
      texts.map((text) => sql`${text} is null`),
      every === "and" ? sql` and ` : sql` or `,
    )})`;
  const isPlain = parts.every(({ type }) => isNumeric(type)) ? sql`not ${missing("or")}` : sql`false`;
  return sql`case when ${missing("and")} then null when ${isPlain} then ${joined} else ${guard(joined)} end`;
}

/** A part's value as JavaScript formats it: integers without a fraction. */
function partText(column: SqlColumn): RawBuilder<unknown> {
  const { storage } = column;
  if (storage.kind === "instant") return sql`cast(${shown(named(column), column)} as varchar)`;
  const value = comparable(column, duckDbDialect);
  if (storage.kind !== "floating") return sql`cast(${value} as varchar)`;
  const whole = sql`abs(${value}) < 1e15 and ${value} = trunc(${value})`;
  return sql`case when ${whole} then cast(cast(${finite(named(column))} as bigint) as varchar) else cast(${value} as varchar) end`;
}

/** The pattern in RE2 syntax. */
const re2FormulaPattern = formulaPattern.source.replaceAll(/\\u([\da-f]{4})/g, String.raw`\x{$1}`);

const harmlessStarts = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Texts that start with a digit or a Latin letter, as most do, skip the regular expression. */
const guarded = (text: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case when contains(${sql.lit(harmlessStarts)}, left(${text}, 1)) then ${text}
    when regexp_matches(${text}, ${sql.lit(re2FormulaPattern)}) then concat('''', ${text}) else ${text} end`;
