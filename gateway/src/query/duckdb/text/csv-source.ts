import { formatCount } from "@fairway/contract/counts";
import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { workerProgram } from "#threads/task-workers.ts";
import { type QueryConnection, engineFailure } from "../query-runner.ts";
import { linesOfRows, plainCsv } from "./csv-copy.ts";
import { type DetectedDialect, detectDialect } from "./csv-dialect.ts";
import type { CsvLinesTask } from "./csv-lines-worker.ts";
import type { CsvTask } from "./csv-worker.ts";
import { withPlaces } from "./place-columns.ts";
import type { ReadingSettings } from "./reading-settings.ts";
import { type DecidedSource, decideSource } from "./source-decisions.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { linesIn } from "./text-lines.ts";
import { inThread, writeInThread } from "./threaded-copy.ts";

/** How one CSV file is read. */
export interface CsvFile {
  readonly file: SourceFile;
  readonly head: TextHead;
  readonly dialect: DetectedDialect;
  /** Read instead of the file if the engine cannot read the file itself. */
  readonly copy: TextCopy | null;
  /** Whether every line was checked. */
  readonly isChecked: boolean;
}

export interface CsvSource extends DecidedSource {
  readonly from: RawBuilder<unknown>;
  readonly files: readonly CsvFile[];
  /** The names in the files, where they are not the names of the columns. */
  readonly headers: ReadonlyMap<string, string>;
}

/** Of sources that are too large, this many rows are looked at. */
export const uncheckedSampleRows = 200_000;

/** As many as JSON may have. The engine takes minutes, and gigabytes, for those that a header of a few hundred kilobytes can name. */
const maxColumns = 10_000;

/** Detects how to read CSV files and the types of their columns. */
export async function readCsvSource(
  files: readonly SourceFile[],
  settings: ReadingSettings,
  checksAll: boolean,
  copies: TextCopies,
  connection: QueryConnection,
): Promise<CsvSource> {
  const read: CsvFile[] = [];
  let bytes = 0;
  for (const file of files) {
    const { head, dialect: found, isRegular } = await readDialect(file, settings, connection.signal);
    if (found === undefined) continue;
    if (found.width > maxColumns) throw new UnreadableData("CSV", `it has more than ${formatCount(maxColumns)} columns`);
    const dialect = { ...found, names: renamed(found.names, file.renamed) };
    bytes += file.bytes;
    const isChecked = bytes <= checkedBytes && read.length < checkedFiles;
    const one: CsvFile = { file, head, dialect, copy: null, isChecked };
    read.push(isRegular ? one : { ...one, copy: await copyFor(one, copies, connection) });
  }
  if (read.length === 0) throw new UnreadableData("CSV", "there is nothing in it");
  try {
    return await decided(read, settings, checksAll, connection);
  } catch (error) {
    if (connection.signal.aborted || engineFailure(error).reason !== "failed" || read.every(({ copy }) => copy !== null)) throw error;
    const repaired: CsvFile[] = [];
    for (const one of read)
      repaired.push(
        one.copy === null && !(await isReadable(one, connection)) ? { ...one, copy: await copyFor(one, copies, connection) } : one,
      );
    return decided(repaired, settings, checksAll, connection);
  }
}

/** The names of the columns, unless one would occur twice. */
function renamed(names: readonly string[], others: SourceFile["renamed"]): readonly string[] {
  if (others === undefined) return names;
  const changed = names.map((name) => others[name] ?? name);
  const isUnique = new Set(changed.map((name) => name.toLowerCase())).size === changed.length;
  return isUnique ? changed : names;
}

/** The first lines of a file, and how it is split into values. */
async function readDialect(
  file: SourceFile,
  settings: ReadingSettings,
  signal: AbortSignal,
): Promise<{ head: TextHead; dialect: DetectedDialect | undefined; isRegular: boolean }> {
  const head = await readHead(file.path, { encoding: settings.encoding, maxBytes: checkedBytes, signal });
  const lines = await linesIn(head.bytes);
  const texts = lines.map(({ text }) => text);
  const ends = new Set(lines.map(({ end }) => end).filter((end) => end !== ""));
  const hasUnusualLineEnds = ends.has("\r") || ends.size > 1;
  // The head probably ends in the middle of a line.
  const dialect = detectDialect(head.isComplete ? texts : texts.slice(0, Math.max(1, texts.length - 1)), settings);
  return { head, dialect, isRegular: head.isUtf8 && dialect?.isRegular === true && !hasUnusualLineEnds };
}

async function decided(
  files: readonly CsvFile[],
  settings: ReadingSettings,
  checksAll: boolean,
  connection: QueryConnection,
): Promise<CsvSource> {
  const from = unionSql(files);
  const headers = new Map<string, string>();
  for (const { dialect } of files)
    for (const [index, name] of dialect.names.entries()) if (!headers.has(name)) headers.set(name, dialect.headers[index] ?? name);
  const isWhole = checksAll || files.every((one) => one.isChecked);
  const source = {
    from: isWhole ? from : sql`(select * from ${from} limit ${sql.lit(uncheckedSampleRows)})`,
    names: [...headers.keys()],
    numbers: new Set<string>(),
    isWhole,
    isSemicolon: files[0]?.dialect.delimiter === ";",
  };
  const decisions = await decideSource(source, settings, connection);
  return { ...decisions, from: withPlaces(from, decisions.places), files, headers };
}

/** Lines that a value spans are held until its end. */
const inCsvThread = { format: "CSV", memoryMb: 1_024, failure: "The CSV file could not be read." } as const;

function copyFor({ file, head, dialect }: CsvFile, copies: TextCopies, { signal }: QueryConnection): Promise<TextCopy> {
  const { delimiter, quote, escape, headerLine, skipLines, width } = dialect;
  const state = JSON.stringify([file.state, head.encoding, delimiter, quote, escape, headerLine, skipLines, width]);
  const parts = { file: file.path, encoding: head.encoding, dialect };
  if (head.isComplete) return copies.get(file.path, state, "csv", () => plainCsv({ ...parts, signal }));
  return copies.write(file.path, state, "csv", (target, maxBytes) => {
    const task: CsvTask = { parts, target, maxBytes };
    return writeInThread({ program: workerProgram(import.meta.url, "./csv-worker"), task, ...inCsvThread, signal });
  });
}

/** The lines on which the rows at these indices start, counted from 0. */
export async function linesOfRowsIn(
  { file, head, dialect }: CsvFile,
  indices: ReadonlySet<number>,
  { signal }: QueryConnection,
): Promise<ReadonlyMap<number, number>> {
  const parts = { file: file.path, encoding: head.encoding, dialect };
  if (head.isComplete) return linesOfRows({ ...parts, signal }, indices);
  const task: CsvLinesTask = { parts, indices };
  return inThread({ program: workerProgram(import.meta.url, "./csv-lines-worker"), task, ...inCsvThread, signal });
}

/** Whether the engine reads every line of a file. */
async function isReadable(file: CsvFile, connection: QueryConnection): Promise<boolean> {
  try {
    const counts = file.dialect.names.map((name) => sql`count(${sql.id(name)})`);
    await connection.rows(compileRaw(sql`select cast(greatest(${sql.join(counts)}) as varchar) from ${csvSql([file])}`));
    return true;
  } catch (error) {
    if (connection.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    return false;
  }
}

/** Groups adjacent files of the same dialect. */
function groupsOf(files: readonly CsvFile[]): CsvFile[][] {
  const groups: CsvFile[][] = [];
  for (const file of files) {
    const [before] = groups.at(-1) ?? [];
    if (before !== undefined && signature(before) === signature(file)) groups.at(-1)?.push(file);
    else groups.push([file]);
  }
  return groups;
}

/** All files as one table, in order. */
function unionSql(files: readonly CsvFile[]): RawBuilder<unknown> {
  const reads = groupsOf(files).map(csvSql);
  const [first] = reads;
  if (first !== undefined && reads.length === 1) return first;
  return sql`(${sql.join(
    reads.map((read) => sql`select * from ${read}`),
    sql` union all by name `,
  )})`;
}

/** DuckDB's own limit of a line. */
const plainLineBytes = 2_000_000;
const plainBufferBytes = 32_000_000;

/** Options for lines that are longer than DuckDB expects. Its buffer would be sixteen times such a line. */
export function longLineOptions(characters: number): readonly RawBuilder<unknown>[] {
  const bytes = characters * 4;
  if (bytes <= plainLineBytes) return [];
  return [sql`max_line_size = ${sql.lit(bytes)}`, sql`buffer_size = ${sql.lit(Math.max(bytes, plainBufferBytes))}`];
}

const signature = ({ dialect, copy, isChecked }: CsvFile): string =>
  JSON.stringify([copy === null ? [dialect.delimiter, dialect.quote, dialect.escape, dialect.headerLine] : null, dialect.names, isChecked]);

/** Reads every value as text, so that an invalid number affects its cell only instead of failing the query. As fast as reading numbers. */
export function csvSql(files: readonly Omit<CsvFile, "head">[]): RawBuilder<unknown> {
  const [first] = files;
  if (first === undefined) throw new Error("no file to read");
  const { dialect, copy, isChecked } = first;
  const { delimiter, quote, escape } = copy === null ? dialect : { delimiter: ",", quote: '"', escape: '"' };
  const paths = files.map((one) => sql.lit(one.copy?.path ?? escapeGlob(one.file.path)));
  const longest = Math.max(0, ...files.map((one) => one.copy?.findings.longestLine ?? 0));
  const options = [
    sql`auto_detect = false`,
    // The files' own columns count, not the names of their folders.
    sql`hive_partitioning = false`,
    sql`delim = ${sql.lit(delimiter)}`,
    sql`quote = ${sql.lit(quote)}`,
    sql`escape = ${sql.lit(escape)}`,
    sql`header = ${sql.lit(copy === null && dialect.headerLine !== null)}`,
    ...longLineOptions(longest),
    // Unchecked lines must not fail a query.
    ...(isChecked ? [] : [sql`ignore_errors = true`]),
    sql`columns = {${sql.join(
      dialect.names.map((name) => sql`${sql.lit(name)}: 'VARCHAR'`),
      sql`, `,
    )}}`,
  ];
  return sql`read_csv([${sql.join(paths)}], ${sql.join(options, sql`, `)})`;
}
