import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { Running } from "./query-runner.ts";

/**
 * Reads one CSV or JSON file the way DuckDB found it to be written. Said once, it need not be guessed for every query:
 * guessing a CSV file takes a few hundred times as long as reading a page of it.
 */
export async function spelledOut(
  format: "csv" | "json",
  pattern: string,
  columns: ReadonlyMap<string, string>,
  running: Running,
): Promise<RawBuilder<unknown> | undefined> {
  const types = sql`columns = {${sql.join(
    [...columns].map(([name, type]) => sql`${sql.lit(name)}: ${sql.lit(type)}`),
    sql`, `,
  )}}`;
  if (format === "json") return sql`read_json(${sql.lit(pattern)}, ${types})`;
  const [row] = await running.rows(
    compileRaw(
      sql`select "Delimiter", "Quote", "Escape", "Comment", "SkipRows", "HasHeader", "DateFormat", "TimestampFormat" from sniff_csv(${pattern})`,
    ),
  );
  if (row === undefined) return undefined;
  const [delimiter, quote, escape, comment, skip, header, dateFormat, timestampFormat] = row;
  const options = [
    ...Object.entries({ delim: delimiter, quote, escape, comment }).map(([name, value]) => text(name, value === "(empty)" ? "" : value)),
    ...Object.entries({ dateformat: dateFormat, timestampformat: timestampFormat })
      .filter(([, value]) => value !== null)
      .map(([name, value]) => text(name, value)),
    sql`skip = ${sql.lit(Number(skip))}`,
    sql`header = ${sql.lit(header === true)}`,
  ];
  return sql`read_csv(${sql.lit(pattern)}, auto_detect = false, ${sql.join(options, sql`, `)}, ${types})`;
}

const text = (name: string, value: unknown): RawBuilder<unknown> => sql`${sql.raw(name)} = ${sql.lit(String(value))}`;
