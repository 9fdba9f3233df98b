import { type RawBuilder, sql } from "kysely";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "../query-runner.ts";
import { type CsvFile, csvSql } from "./csv-source.ts";
import { textBytes } from "./text-bytes.ts";

const lineFeed = 10;
const isBlankByte = (byte: number | undefined): boolean => byte === 32 || byte === 9 || byte === 13;

/** The number of lines of a text file that hold more than blanks. */
async function filledLines(file: string, signal: AbortSignal): Promise<number> {
  let lines = 0;
  let isFilled = false;
  for await (const part of textBytes(file, "utf-8", signal)) {
    let at = 0;
    while (at < part.length) {
      const end = part.indexOf(lineFeed, at);
      const stop = end < 0 ? part.length : end;
      while (!isFilled && at < stop) {
        isFilled = !isBlankByte(part[at]);
        at += 1;
      }
      if (end >= 0 && isFilled) lines += 1;
      if (end >= 0) isFilled = false;
      at = stop + 1;
    }
  }
  return isFilled ? lines + 1 : lines;
}

/** Lines after the first that a record fills, as its values hold line breaks. */
const furtherLines = (values: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  sql`len(list_filter(string_split(concat_ws('x', ${sql.join(values)}, 'x'), chr(10))[2:], lambda line: trim(line, ${sql.lit(" \t\r")}) <> ''))`;

const furtherLinesOf = (texts: readonly string[]): number =>
  [...texts, "x"]
    .join("x")
    .split("\n")
    .slice(1)
    .filter((line) => /[^ \t\r]/.test(line)).length;

/**
 * The number of lines of a file that the engine itself reads and that are in no row, because they do not fit its columns. The engine
 * does not report them: they are the rest of all lines.
 */
export async function leftOutLines({ file, dialect }: Pick<CsvFile, "file" | "dialect">, connection: QueryConnection): Promise<number> {
  // Every line fits a single column.
  if (dialect.names.length === 1) return 0;
  const one = csvSql([{ file, dialect, copy: null, isChecked: false }]);
  const further = furtherLines(dialect.names.map((name) => sql.id(name)));
  const [row = []] = await connection.rows(
    compileRaw(sql`select cast(count(*) as varchar), cast(coalesce(sum(${further}), 0) as varchar) from ${one}`),
  );
  const header = dialect.headerLine === null ? 0 : 1 + furtherLinesOf(dialect.headers);
  return Math.max(0, (await filledLines(file.path, connection.signal)) - header - Number(row[0]) - Number(row[1]));
}
