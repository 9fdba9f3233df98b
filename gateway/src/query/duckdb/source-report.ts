import path from "node:path";
import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import type { ColumnType } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { QueryableDataset } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import type { SourceMetadata } from "./source-metadata.ts";
import { lineOfRow } from "./text/csv-copy.ts";
import { type CsvFile, csvSql } from "./text/csv-source.ts";
import type { JsonFile } from "./text/json-source.ts";
import { readAs } from "./text/text-columns.ts";
import type { TextType } from "./text/text-types.ts";

type TextFile = CsvFile | JsonFile;

/** The number of files reported individually. */
const maxNamedFiles = 5;

/** Sentences about what cannot be read of a source as these columns. */
export async function sourceReport(
  metadata: SourceMetadata,
  columns: QueryableDataset["columns"],
  connection: QueryConnection,
): Promise<readonly string[]> {
  const { textFiles } = metadata;
  const isSingle = textFiles.length === 1;
  const fileReports = textFiles
    .map((file) => lineSentences(file).map((sentence) => (isSingle ? sentence : `${nameOf(file)}: ${sentence}`)))
    .filter((sentences) => sentences.length > 0);
  return [
    ...fileReports.slice(0, maxNamedFiles).flat(),
    ...(fileReports.length > maxNamedFiles
      ? [`${pluralize(fileReports.length - maxNamedFiles, "more file")} could not be read completely.`]
      : []),
    ...(await valueSentences(metadata, columns, connection)),
    ...(textFiles.some(({ isChecked }) => !isChecked)
      ? ["The data are too large to be looked at completely: what follows later may hold more lines and values that cannot be read."]
      : []),
  ];
}

const nameOf = ({ file }: TextFile): string => `'${path.basename(file.name ?? file.path)}'`;

const encodingNames = { "utf-16le": "UTF-16 (little-endian)", "utf-16be": "UTF-16 (big-endian)" } as const;

function lineSentences(file: TextFile): string[] {
  const sentences: string[] = [];
  const { encoding, hasByteOrderMark } = file.head;
  // Without a byte order mark the encoding is a guess.
  if (encoding !== "utf-8" && !hasByteOrderMark)
    sentences.push(`The file has no byte order mark and is read as ${encodingNames[encoding]}.`);
  const findings = file.copy?.findings;
  if (findings?.unreadable) {
    const { count, line, reason } = findings.unreadable;
    const lines = findings.lines > count ? `${formatCount(count)} of ${pluralize(findings.lines, "line")}` : pluralize(count, "line");
    sentences.push(`${lines} could not be read (line ${formatCount(line)}: ${reason}).`);
  }
  if (findings?.short) {
    const { count, line } = findings.short;
    const verb = plural(count, "has", "have");
    sentences.push(
      `${pluralize(count, "line")} ${verb} fewer values than there are columns (line ${formatCount(line)}); the missing ones are read as empty.`,
    );
  }
  if (findings?.comments) {
    const { count, line } = findings.comments;
    sentences.push(`${pluralize(count, "line")} beginning with # ${plural(count, "is", "are")} left out (line ${formatCount(line)}).`);
  }
  if (findings?.recoded) {
    const { count, line } = findings.recoded;
    sentences.push(
      `${pluralize(count, "line")} ${plural(count, "is", "are")} not UTF-8 (line ${formatCount(line)}) and read as Windows-1252.`,
    );
  }
  if ("dialect" in file) {
    for (const name of file.dialect.repeated)
      sentences.push(`The column name '${name}' is used more than once; the later columns are numbered.`);
  }
  return sentences;
}

interface BadColumn {
  readonly name: string;
  readonly type: ColumnType;
  readonly isBad: RawBuilder<boolean>;
}

async function valueSentences(
  { from, texts, textFiles }: SourceMetadata,
  columns: QueryableDataset["columns"],
  connection: QueryConnection,
): Promise<string[]> {
  const parsed = columns.flatMap(({ name, type }): BadColumn[] => {
    const text = texts.get(name);
    return text === undefined || type === "STRING" ? [] : [{ name, type, isBad: isBad(name, type, text) }];
  });
  if (parsed.length === 0) return [];
  const counts = parsed.map(({ isBad: test }) => sql`cast(count(*) filter (where ${test}) as varchar)`);
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counts, sql`, `)} from ${from}`));
  const sentences: string[] = [];
  for (const [index, column] of parsed.entries()) {
    const count = Number(row[index]);
    if (count > 0) sentences.push(await valueSentence(column, count, textFiles, from, connection));
  }
  return sentences;
}

function isBad(name: string, type: ColumnType, text: TextType): RawBuilder<boolean> {
  const value = sql.id(name);
  return sql<boolean>`trim(${value}) <> '' and ${readAs(type, value, text).value} is null`;
}

async function valueSentence(
  { name, type, isBad: test }: BadColumn,
  count: number,
  files: readonly TextFile[],
  from: RawBuilder<unknown>,
  connection: QueryConnection,
): Promise<string> {
  const [row = []] = await connection.rows(
    compileRaw(sql`select cast(position as varchar), v from (select ${test} as bad, ${sql.id(name)} as v, row_number() over () as position from ${from}) as numbered
      where bad order by position limit 1`),
  );
  const [rowNumber, value] = [Number(row[0]), String(row[1])];
  const where = await describeRow(rowNumber - 1, files, connection);
  const quoted = `'${value.length > 40 ? `${value.slice(0, 40)}…` : value}'`;
  const is = plural(count, "is", "are");
  return `${pluralize(count, "value")} of column '${name}' ${is} not ${expectedValues(type, value, count)} (${where}: ${quoted}); ${plural(count, "it is", "they are")} read as empty.`;
}

function expectedValues(type: ColumnType, value: string, count: number): string {
  const isOne = count === 1;
  switch (type) {
    case "integer":
      return value.trim() !== "" && Number.isFinite(Number(value))
        ? isOne
          ? "a whole number"
          : "whole numbers"
        : isOne
          ? "a number"
          : "numbers";
    case "decimal":
      return isOne ? "a number" : "numbers";
    case "BOOLEAN":
      return "true or false";
    case "TIMESTAMP_SECONDS":
    case "TIMESTAMP_MILLS":
      return isOne ? "a time" : "times";
    case "STRING":
      return isOne ? "a text" : "texts";
    default:
      return type satisfies never;
  }
}

/** The line or number of a row, whose index counts over all files. */
async function describeRow(index: number, files: readonly TextFile[], connection: QueryConnection): Promise<string> {
  let remaining = index;
  for (const one of files) {
    const prefix = files.length > 1 ? `${nameOf(one)}, ` : "";
    if (!("dialect" in one)) return files.length > 1 ? `row ${formatCount(index + 1)}` : `row ${formatCount(remaining + 1)}`;
    if (files.length > 1) {
      const [row = []] = await connection.rows(compileRaw(sql`select cast(count(*) as varchar) from ${csvSql([one])}`));
      const rows = Number(row[0]);
      if (remaining >= rows) {
        remaining -= rows;
        continue;
      }
    }
    const line = await lineOfRow(one.file.path, one.head.encoding, one.dialect, remaining, connection.signal);
    return line === undefined ? `${prefix}row ${formatCount(remaining + 1)}` : `${prefix}line ${formatCount(line)}`;
  }
  return `row ${formatCount(index + 1)}`;
}
