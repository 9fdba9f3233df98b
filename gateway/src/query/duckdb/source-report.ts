import { formatCount, plural, pluralize } from "@fairway/contract/counts";
import type { ColumnType } from "@fairway/contract/columns";
import { type RawBuilder, sql } from "kysely";
import type { QueryableDataset } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import type { QueryConnection } from "./query-runner.ts";
import { longDecimalReason } from "./parquet-decimals.ts";
import type { SourceMetadata } from "./source-metadata.ts";
import { sheetSentences } from "./sheets/sheet-sentences.ts";
import { type TextFile, nameOf, positionsOf } from "./text-rows.ts";
import { uncheckedSampleRows } from "./text/csv-source.ts";
import { encodingLabels } from "./text/encoding-labels.ts";
import { readAs } from "./text/text-columns.ts";

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
    .map((file) => lineSentences(file).map((sentence) => (isSingle ? sentence : `'${nameOf(file)}': ${sentence}`)))
    .filter((sentences) => sentences.length > 0);
  return [
    ...unreadableColumns(metadata, columns),
    ...fileReports.slice(0, maxNamedFiles).flat(),
    ...(fileReports.length > maxNamedFiles
      ? [`${pluralize(fileReports.length - maxNamedFiles, "more file")} could not be read completely.`]
      : []),
    ...(await valueSentences(metadata, columns, connection)),
    ...(textFiles.some(({ isChecked }) => !isChecked)
      ? [
          `The data is too large to be checked beyond row ${formatCount(uncheckedSampleRows)}: what follows may hold more lines and values that cannot be read. A schema update checks all of it.`,
        ]
      : []),
  ];
}

/** Described columns that are empty because the engine would read other values than there are. */
const unreadableColumns = ({ unreadable }: SourceMetadata, columns: QueryableDataset["columns"]): string[] =>
  columns.flatMap(({ name }) => {
    const stored = unreadable.get(name);
    return stored === undefined ? [] : [`The column '${name}' contains ${longDecimalReason(stored)}; it is read as empty.`];
  });

/** `withUnreadable`: also how many lines could not be read. */
export function lineSentences(file: TextFile, withUnreadable = true): string[] {
  const sentences: string[] = [];
  const { encoding, hasByteOrderMark, notUtf8 } = file.head;
  // Without a byte order mark the encoding is a guess.
  if (encoding.startsWith("utf-16") && !hasByteOrderMark && file.head.state === "assumed")
    sentences.push(`The file has no byte order mark and is read as ${encodingLabels[encoding]}.`);
  const findings = file.copy?.findings;
  if (withUnreadable && findings?.unreadable) {
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
  const recoded = findings?.recoded ?? notUtf8;
  if (recoded) {
    const name = encoding === "utf-8" ? "Windows-1252" : encodingLabels[encoding];
    sentences.push(
      `${pluralize(recoded.count, "line")} ${plural(recoded.count, "is", "are")} not UTF-8 (line ${formatCount(recoded.line)}) and read as ${name}.`,
    );
  }
  if (findings?.sheet !== undefined) sentences.push(...sheetSentences(findings.sheet, file.file.sheet !== undefined));
  const json = findings?.json;
  if (json?.repeatedKeys) {
    const { count, line } = json.repeatedKeys;
    sentences.push(
      `${pluralize(count, "object")} ${plural(count, "names", "name")} a key more than once (line ${formatCount(line)}); the last value counts.`,
    );
  }
  if (json?.halfCharacters) {
    const { count, line } = json.halfCharacters;
    sentences.push(
      `${pluralize(count, "object")} ${plural(count, "holds", "hold")} half a character (line ${formatCount(line)}), read as \ufffd.`,
    );
  }
  if (json?.isWhole === false) sentences.push("The file ends in the middle of its document: rows at its end may be missing.");
  if (!withUnreadable && json !== undefined && json.path !== "" && json.paths.length > 1) {
    const rowsOf = (path: string) => json.paths.find((one) => one.path === path)?.rows ?? 0;
    const isLargest = json.paths.every(({ rows }) => rows <= rowsOf(json.path));
    sentences.push(`The rows are those of '${json.path}', ${isLargest ? "the largest" : "one"} of ${json.paths.length} lists in the file.`);
  }
  if (json?.geo?.crs != null)
    sentences.push(`The positions are in another coordinate system (${json.geo.crs}) and are kept as text, without a place on the map.`);
  if ("dialect" in file) {
    for (const name of file.dialect.repeated)
      sentences.push(`The column name '${name}' is used more than once; the later columns are numbered.`);
  }
  return sentences;
}

interface BadColumn {
  readonly name: string;
  readonly type: ColumnType;
  /** The converted value; null if it cannot be read. */
  readonly value: RawBuilder<unknown>;
  /** How many values cannot be read; undefined if that is still to be counted. */
  readonly known: number | undefined;
  readonly filled: number;
}

async function valueSentences(
  { understood, texts, textFiles }: SourceMetadata,
  columns: QueryableDataset["columns"],
  connection: QueryConnection,
): Promise<string[]> {
  if (understood === null) return [];
  const parsed = columns.flatMap(({ name, type }): BadColumn[] => {
    const text = texts.get(name);
    if (text === undefined || type === "STRING") return [];
    const found = understood.columns.get(name);
    // The first look at the data has counted what can be read as the type that was found.
    const isKnown = found !== undefined && found.type === type && text.missingNumbers.length === 0;
    return [
      {
        name,
        type,
        value: readAs(type, sql.id(name), { ...text, missingNumbers: [] }).value,
        known: isKnown ? found.filled - found.readable : undefined,
        filled: found?.filled ?? 0,
      },
    ];
  });
  const open = parsed.filter(({ known }) => known === undefined);
  // Not count(*) filter (…): its plan grows with the square of the columns.
  const counts = open.map(({ value }) => sql`cast(count(${value}) as varchar)`);
  const [row = []] =
    open.length === 0 ? [] : await connection.rows(compileRaw(sql`select ${sql.join(counts, sql`, `)} from ${understood.looked}`));
  const sentences: string[] = [];
  for (const column of parsed) {
    const count = column.known ?? column.filled - Number(row[open.indexOf(column)]);
    if (count <= 0) continue;
    if (sentences.length === maxBadColumns) {
      sentences.push("More columns have values that cannot be read.");
      break;
    }
    sentences.push(await valueSentence(column, count, textFiles, understood.looked, connection));
  }
  return sentences;
}

const maxBadColumns = 50;

async function valueSentence(
  { name, type, value }: BadColumn,
  count: number,
  files: readonly TextFile[],
  from: RawBuilder<unknown>,
  connection: QueryConnection,
): Promise<string> {
  const [row = []] = await connection.rows(
    compileRaw(sql`select cast(position as varchar), v from (select trim(${sql.id(name)}) <> '' and ${value} is null as bad, ${sql.id(name)} as v, row_number() over () as position from ${from}) as numbered
      where bad order by position limit 1`),
  );
  const [rowNumber, text] = [Number(row[0]), String(row[1])];
  const where = await describeRow(rowNumber - 1, files, connection);
  const quoted = `'${text.length > 40 ? `${text.slice(0, 40)}…` : text}'`;
  const is = plural(count, "is", "are");
  return `${pluralize(count, "value")} of column '${name}' ${is} not ${expectedValues(type, text, count)} (${where}: ${quoted}); ${plural(count, "it is", "they are")} read as empty.`;
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
  const position = (await positionsOf([index], files, connection)).get(index);
  if (position === undefined) return `row ${formatCount(index + 1)}`;
  const prefix = files.length > 1 ? `'${nameOf(position.file)}', ` : "";
  return position.line === null ? `${prefix}row ${formatCount(position.row)}` : `${prefix}line ${formatCount(position.line)}`;
}
