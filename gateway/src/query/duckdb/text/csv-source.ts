import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type Running, engineFailure } from "../query-runner.ts";
import { plainCsv } from "./csv-copy.ts";
import { type FoundDialect, dialectOf } from "./csv-dialect.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { linesOf } from "./text-lines.ts";
import { type TextHint, type TextType, addCounts, countsOf, hintOf, typeByCounts } from "./text-types.ts";

/** How one CSV file is read. */
export interface CsvFile {
  readonly file: SourceFile;
  readonly head: TextHead;
  readonly dialect: FoundDialect;
  /** Read instead of the file, where the engine cannot read that. */
  readonly copy: TextCopy | null;
  /** Whether every line of it was looked at. */
  readonly isChecked: boolean;
}

export interface CsvSource {
  readonly from: RawBuilder<unknown>;
  readonly texts: ReadonlyMap<string, TextType>;
  readonly files: readonly CsvFile[];
}

const rowsOfUnchecked = 200_000;
/** Columns that one statement counts: each of them takes several values. */
const columnsPerCount = 100;
const hintRows = 200;

/** Finds out how CSV files are to be read, and what their columns hold. */
export async function readCsvSource(files: readonly SourceFile[], copies: TextCopies, running: Running): Promise<CsvSource> {
  const heads: { file: SourceFile; head: TextHead; dialect: FoundDialect; isRegular: boolean }[] = [];
  for (const file of files) {
    const head = await readHead(file.path, running.signal);
    const texts: string[] = [];
    let hasOddEnds = false;
    for await (const lines of linesOf(only(head.bytes))) {
      texts.push(...lines.map(({ text }) => text));
      hasOddEnds ||= lines.some(({ end }) => end === "\r") || new Set(lines.map(({ end }) => end).filter((end) => end !== "")).size > 1;
    }
    // The end of the head has probably split a line.
    const dialect = dialectOf(head.isWhole ? texts : texts.slice(0, Math.max(1, texts.length - 1)));
    if (dialect !== undefined) heads.push({ file, head, dialect, isRegular: head.isUtf8 && dialect.isRegular && !hasOddEnds });
  }
  if (heads.length === 0) throw new UnreadableData("CSV", "there is nothing in it");

  const hints = hintsOf(heads);
  const counts = new Map<string, readonly number[]>();
  const read: CsvFile[] = [];
  let bytes = 0;
  for (const [index, { file, head, dialect, isRegular }] of heads.entries()) {
    bytes += file.bytes;
    const one: CsvFile = { file, head, dialect, copy: null, isChecked: bytes <= checkedBytes && index < checkedFiles };
    read.push(isRegular ? one : { ...one, copy: await copyOf(one, copies, running) });
  }
  const counted: CsvFile[] = [];
  for (const [index, group] of groupsOf(read).entries()) {
    const isCounted = index === 0 || group.every(({ isChecked }) => isChecked);
    counted.push(...(isCounted ? await countInto(counts, group, hints, copies, running) : group));
  }
  const texts = new Map([...hints].map(([name, hint]) => [name, typeByCounts(counts.get(name) ?? [], hint)]));
  return { from: joined(counted), texts, files: counted };
}

const copyOf = ({ file, head, dialect }: CsvFile, copies: TextCopies, { signal }: Running): Promise<TextCopy> =>
  copies.of(file.path, file.state, "csv", () => plainCsv(file.path, head.encoding, dialect, signal));

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

/** By name, over the heads of all files. */
function hintsOf(heads: readonly { readonly dialect: FoundDialect }[]): Map<string, TextHint> {
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

/** Counts what the columns of files hold that are written alike. One that turns out to have a broken line is read by a copy without it. */
async function countInto(
  counts: Map<string, readonly number[]>,
  group: readonly CsvFile[],
  hints: ReadonlyMap<string, TextHint>,
  copies: TextCopies,
  running: Running,
): Promise<readonly CsvFile[]> {
  const [first, ...others] = group;
  if (first === undefined) return [];
  try {
    for (const [name, row] of await countColumns(group, first, hints, running)) counts.set(name, addCounts(row, counts.get(name) ?? []));
    return group;
  } catch (error) {
    if (first.copy !== null || running.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    if (others.length === 0) return countInto(counts, [{ ...first, copy: await copyOf(first, copies, running) }], hints, copies, running);
    const each: CsvFile[] = [];
    for (const one of group) each.push(...(await countInto(counts, [one], hints, copies, running)));
    return each;
  }
}

async function countColumns(
  group: readonly CsvFile[],
  { dialect, isChecked }: CsvFile,
  hints: ReadonlyMap<string, TextHint>,
  running: Running,
): Promise<Map<string, number[]>> {
  const { names } = dialect;
  const from = isChecked ? csvSql(group) : sql`(select * from ${csvSql(group)} limit ${sql.lit(rowsOfUnchecked)})`;
  const found = new Map<string, number[]>();
  for (let start = 0; start < names.length; start += columnsPerCount) {
    const counted = names.slice(start, start + columnsPerCount).flatMap((name) => {
      const hint = hints.get(name);
      return hint === undefined ? [] : [{ name, counts: countsOf(sql.id(name), hint) }];
    });
    const [row = []] = await running.rows(
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

/** Neighbors that are written alike. */
function groupsOf(files: readonly CsvFile[]): CsvFile[][] {
  const groups: CsvFile[][] = [];
  for (const file of files) {
    const [before] = groups.at(-1) ?? [];
    if (before !== undefined && signature(before) === signature(file)) groups.at(-1)?.push(file);
    else groups.push([file]);
  }
  return groups;
}

/** All files as one table, in their order. */
function joined(files: readonly CsvFile[]): RawBuilder<unknown> {
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

/** Every value as text: what is no number costs its cell then and not the query, at no more time than reading numbers takes. */
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
    // What nobody has looked at must not fail a query.
    ...(isChecked ? [] : [sql`ignore_errors = true`]),
    sql`columns = {${sql.join(
      dialect.names.map((name) => sql`${sql.lit(name)}: 'VARCHAR'`),
      sql`, `,
    )}}`,
  ];
  return sql`read_csv([${sql.join(paths)}], ${sql.join(options, sql`, `)})`;
}
