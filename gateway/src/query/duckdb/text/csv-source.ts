import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type QueryConnection, engineFailure } from "../query-runner.ts";
import { plainCsv } from "./csv-copy.ts";
import { type DetectedDialect, detectDialect } from "./csv-dialect.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { linesOf } from "./text-lines.ts";
import { type TextHint, type TextType, addCounts, countsOf, hintOf, typeByCounts } from "./text-types.ts";

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

export interface CsvSource {
  readonly from: RawBuilder<unknown>;
  readonly texts: ReadonlyMap<string, TextType>;
  readonly files: readonly CsvFile[];
}

const uncheckedSampleRows = 200_000;
/** Columns counted per statement: each of them needs several aggregates. */
const columnsPerCount = 100;
const hintRows = 200;

/** Detects how to read CSV files and the types of their columns. */
export async function readCsvSource(files: readonly SourceFile[], copies: TextCopies, connection: QueryConnection): Promise<CsvSource> {
  const heads: { file: SourceFile; head: TextHead; dialect: DetectedDialect; isRegular: boolean }[] = [];
  for (const file of files) {
    const head = await readHead(file.path, connection.signal);
    const texts: string[] = [];
    let hasUnusualLineEnds = false;
    for await (const lines of linesOf(singleChunk(head.bytes))) {
      texts.push(...lines.map(({ text }) => text));
      hasUnusualLineEnds ||=
        lines.some(({ end }) => end === "\r") || new Set(lines.map(({ end }) => end).filter((end) => end !== "")).size > 1;
    }
    // The head probably ends in the middle of a line.
    const dialect = detectDialect(head.isComplete ? texts : texts.slice(0, Math.max(1, texts.length - 1)));
    if (dialect !== undefined) heads.push({ file, head, dialect, isRegular: head.isUtf8 && dialect.isRegular && !hasUnusualLineEnds });
  }
  if (heads.length === 0) throw new UnreadableData("CSV", "there is nothing in it");

  const hints = hintsOf(heads);
  const counts = new Map<string, readonly number[]>();
  const read: CsvFile[] = [];
  let bytes = 0;
  for (const [index, { file, head, dialect, isRegular }] of heads.entries()) {
    bytes += file.bytes;
    const one: CsvFile = { file, head, dialect, copy: null, isChecked: bytes <= checkedBytes && index < checkedFiles };
    read.push(isRegular ? one : { ...one, copy: await copyFor(one, copies, connection) });
  }
  const counted: CsvFile[] = [];
  for (const [index, group] of groupsOf(read).entries()) {
    const isCounted = index === 0 || group.every(({ isChecked }) => isChecked);
    counted.push(...(isCounted ? await countInto(counts, group, hints, copies, connection) : group));
  }
  const texts = new Map([...hints].map(([name, hint]) => [name, typeByCounts(counts.get(name) ?? [], hint)]));
  return { from: unionSql(counted), texts, files: counted };
}

const copyFor = ({ file, head, dialect }: CsvFile, copies: TextCopies, { signal }: QueryConnection): Promise<TextCopy> =>
  copies.get(file.path, file.state, "csv", () => plainCsv(file.path, head.encoding, dialect, signal));

async function* singleChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** Type hints by column name, from the heads of all files. */
function hintsOf(heads: readonly { readonly dialect: DetectedDialect }[]): Map<string, TextHint> {
  const values = new Map<string, { texts: string[]; mayHaveDecimalCommas: boolean }>();
  for (const { dialect } of heads) {
    for (const [index, name] of dialect.names.entries()) {
      const known = values.get(name) ?? { texts: [], mayHaveDecimalCommas: true };
      if (known.texts.length < hintRows) known.texts.push(...dialect.sample.slice(0, hintRows).map((row) => row[index] ?? ""));
      known.mayHaveDecimalCommas &&= dialect.delimiter !== ",";
      values.set(name, known);
    }
  }
  return new Map([...values].map(([name, { texts, mayHaveDecimalCommas }]) => [name, hintOf(texts, mayHaveDecimalCommas)]));
}

/** Counts value types over files of the same dialect. A file that turns out to have a broken line is replaced by a copy without it. */
async function countInto(
  counts: Map<string, readonly number[]>,
  group: readonly CsvFile[],
  hints: ReadonlyMap<string, TextHint>,
  copies: TextCopies,
  connection: QueryConnection,
): Promise<readonly CsvFile[]> {
  const [first, ...others] = group;
  if (first === undefined) return [];
  try {
    for (const [name, row] of await countColumns(group, first, hints, connection)) counts.set(name, addCounts(row, counts.get(name) ?? []));
    return group;
  } catch (error) {
    if (first.copy !== null || connection.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    if (others.length === 0)
      return countInto(counts, [{ ...first, copy: await copyFor(first, copies, connection) }], hints, copies, connection);
    const each: CsvFile[] = [];
    for (const one of group) each.push(...(await countInto(counts, [one], hints, copies, connection)));
    return each;
  }
}

async function countColumns(
  group: readonly CsvFile[],
  { dialect, isChecked }: CsvFile,
  hints: ReadonlyMap<string, TextHint>,
  connection: QueryConnection,
): Promise<Map<string, number[]>> {
  const { names } = dialect;
  const from = isChecked ? csvSql(group) : sql`(select * from ${csvSql(group)} limit ${sql.lit(uncheckedSampleRows)})`;
  const found = new Map<string, number[]>();
  for (let start = 0; start < names.length; start += columnsPerCount) {
    const counted = names.slice(start, start + columnsPerCount).flatMap((name) => {
      const hint = hints.get(name);
      return hint === undefined ? [] : [{ name, counts: countsOf(sql.id(name), hint) }];
    });
    const [row = []] = await connection.rows(
      compileRaw(
        sql`select ${sql.join(
          counted.flatMap((column) => column.counts),
          sql`, `,
        )} from ${from}`,
      ),
    );
    let at = 0;
    for (const { name, counts } of counted) {
      found.set(
        name,
        row.slice(at, at + counts.length).map((count) => Number(count ?? 0)),
      );
      at += counts.length;
    }
  }
  return found;
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

const signature = ({ dialect, copy, isChecked }: CsvFile): string =>
  JSON.stringify([copy === null ? [dialect.delimiter, dialect.quote, dialect.escape, dialect.headerLine] : null, dialect.names, isChecked]);

/** Reads every value as text, so that an invalid number affects its cell only instead of failing the query. As fast as reading numbers. */
export function csvSql(files: readonly CsvFile[]): RawBuilder<unknown> {
  const [first] = files;
  if (first === undefined) throw new Error("no file to read");
  const { dialect, copy, isChecked } = first;
  const { delimiter, quote, escape } = copy === null ? dialect : { delimiter: ",", quote: '"', escape: '"' };
  const paths = files.map((one) => sql.lit(one.copy?.path ?? escapeGlob(one.file.path)));
  const longest = Math.max(0, ...files.map((one) => one.copy?.findings.longestLine ?? 0)) * 4;
  const options = [
    sql`auto_detect = false`,
    sql`delim = ${sql.lit(delimiter)}`,
    sql`quote = ${sql.lit(quote)}`,
    sql`escape = ${sql.lit(escape)}`,
    sql`header = ${sql.lit(copy === null && dialect.headerLine !== null)}`,
    ...(longest > 2_000_000 ? [sql`max_line_size = ${sql.lit(longest)}`] : []),
    // Unchecked lines must not fail a query.
    ...(isChecked ? [] : [sql`ignore_errors = true`]),
    sql`columns = {${sql.join(
      dialect.names.map((name) => sql`${sql.lit(name)}: 'VARCHAR'`),
      sql`, `,
    )}}`,
  ];
  return sql`read_csv([${sql.join(paths)}], ${sql.join(options, sql`, `)})`;
}
