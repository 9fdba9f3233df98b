import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { workerProgram } from "#threads/task-workers.ts";
import type { QueryConnection } from "../query-runner.ts";
import { namesOf } from "./csv-dialect.ts";
import { longLineOptions, uncheckedSampleRows } from "./csv-source.ts";
import { bareValueColumn, layoutOf, lineColumn, plainJson } from "./json-copy.ts";
import { parseObject } from "./json-rows.ts";
import type { JsonTask } from "./json-worker.ts";
import { derivedColumns, withPlaces } from "./place-columns.ts";
import type { ReadingSettings } from "./reading-settings.ts";
import { type DecidedSource, decideSource } from "./source-decisions.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { writeInThread } from "./threaded-copy.ts";

/** A value is held as text several times over while it is understood. */
const memoryMb = 2_048;

/** How one JSON file is read. */
export interface JsonFile {
  readonly file: SourceFile;
  readonly head: TextHead;
  /** The rows as plain CSV; null of sources that are too large to be converted. */
  readonly copy: TextCopy | null;
  readonly isChecked: boolean;
}

export interface JsonSource extends DecidedSource {
  readonly from: RawBuilder<unknown>;
  /** DuckDB's types of the columns that are not read as text. */
  readonly types: ReadonlyMap<string, string>;
  /** In file order. */
  readonly names: readonly string[];
  readonly files: readonly JsonFile[];
  readonly headers: ReadonlyMap<string, string>;
}

/** Detects how to read JSON files and the types of their columns. */
export async function readJsonSource(
  files: readonly SourceFile[],
  settings: ReadingSettings,
  checksAll: boolean,
  copies: TextCopies,
  connection: QueryConnection,
): Promise<JsonSource> {
  const isChecked = files.length <= checkedFiles && files.reduce((sum, { bytes }) => sum + bytes, 0) <= checkedBytes;
  const read: JsonFile[] = [];
  for (const file of files) {
    const head = await readHead(file.path, { encoding: settings.encoding, maxBytes: checkedBytes, signal: connection.signal });
    if (head.isComplete && head.bytes.toString("utf8").trim() === "") continue;
    const needsCopy = isChecked || !head.isUtf8 || head.hasByteOrderMark || !hasObjectLines(head);
    read.push({ file, head, copy: needsCopy ? await copyOf(file, head, settings, copies, connection) : null, isChecked });
  }
  if (read.length === 0) throw new UnreadableData("JSON", "there is nothing in it");
  if (read.some(({ copy }) => copy === null)) return readDirectly(read, settings, checksAll, connection);
  if (read.every(({ copy }) => (copy?.findings.json?.headers.length ?? 0) === 0)) {
    const first = read.map(({ copy }) => copy?.findings.unreadableLines[0]).find((line) => line !== undefined);
    throw new UnreadableData("JSON", first === undefined ? "it holds no objects" : `line ${first.line}: ${first.reason}`);
  }
  return fromCopies(read, settings, connection);
}

async function copyOf(
  file: SourceFile,
  head: TextHead,
  settings: ReadingSettings,
  copies: TextCopies,
  { signal }: QueryConnection,
): Promise<TextCopy> {
  const parts = { file: file.path, encoding: head.encoding, head: head.bytes.toString("utf8"), signal };
  const layout = await layoutOf(parts, settings.path);
  const state = JSON.stringify([file.state, head.encoding, layout.kind, layout.path]);
  // One value can be the whole file, and is understood in one go.
  if (head.isComplete) return copies.get(file.path, state, "rows.csv", () => plainJson(parts, layout));
  return copies.write(file.path, state, "rows.csv", (target, maxBytes) => {
    const task: JsonTask = { parts: { file: parts.file, encoding: parts.encoding, head: parts.head }, layout, target, maxBytes };
    const program = workerProgram(import.meta.url, "./json-worker");
    return writeInThread({ program, task, format: "JSON", memoryMb, failure: "The JSON file could not be read.", signal });
  });
}

/** Files whose rows are all in copies. */
export async function fromCopies(files: readonly JsonFile[], settings: ReadingSettings, connection: QueryConnection): Promise<JsonSource> {
  const headers = new Map<string, string>();
  const kinds = new Map<string, { numbers: number; others: number }>();
  for (const { copy } of files) {
    const json = copy?.findings.json;
    if (json === undefined) continue;
    for (const [index, name] of namesOf(json.headers).names.entries()) {
      if (!headers.has(name)) headers.set(name, json.headers[index] ?? name);
      const known = kinds.get(name) ?? { numbers: 0, others: 0 };
      const { numbers = 0, texts = 0, booleans = 0, nested = 0 } = json.kinds[index] ?? {};
      kinds.set(name, { numbers: known.numbers + numbers, others: known.others + texts + booleans + nested });
    }
  }
  const names = [...headers.keys()];
  const numbers = new Set([...kinds].flatMap(([name, one]) => (one.numbers > 0 && one.others === 0 ? [name] : [])));
  const from = sql`(${sql.join(
    files.filter(({ copy }) => copy?.findings.json !== undefined && copy.findings.json.headers.length > 0).map(copySql),
    sql` union all by name `,
  )})`;
  const isProjected = files.some(({ copy }) => copy?.findings.json?.geo?.crs != null);
  const decided = await decideSource({ from, names, numbers, isSemicolon: false, isProjected, isWhole: true }, settings, connection);
  return { ...withDerived(decided, from, names), types: new Map(), files, headers };
}

/** With the columns that are derived from positions. */
const withDerived = (decided: DecidedSource, from: RawBuilder<unknown>, names: readonly string[]) => ({
  ...decided,
  from: withPlaces(from, decided.places),
  names: [...names, ...derivedColumns(decided.places).keys()],
});

/** The rows of a copy without the numbers of their lines. */
export function copySql({ copy }: JsonFile): RawBuilder<unknown> {
  return sql`select * exclude (${sql.id(lineColumn)}) from ${copyRows(copy)}`;
}

function copyRows(copy: TextCopy | null): RawBuilder<unknown> {
  if (copy === null) throw new Error("there is no copy to read");
  const { findings } = copy;
  const names = namesOf(findings.json?.headers ?? []).names;
  const options = [
    sql`auto_detect = false`,
    // The files' own columns count, not the names of their folders.
    sql`hive_partitioning = false`,
    sql`header = false`,
    sql`delim = ','`,
    sql`quote = '"'`,
    sql`escape = '"'`,
    sql`allow_quoted_nulls = false`,
    ...longLineOptions(findings.longestLine),
    sql`columns = {${sql.join([lineColumn, ...names].map((name) => sql`${sql.lit(name)}: 'VARCHAR'`))}}`,
  ];
  return sql`read_csv([${sql.lit(copy.path)}], ${sql.join(options)})`;
}

/** The lines of rows of a copy, with these indices, counted from 0. */
export async function linesOfCopiedRows(
  { copy }: JsonFile,
  indices: ReadonlySet<number>,
  connection: QueryConnection,
): Promise<ReadonlyMap<number, number>> {
  if (indices.size === 0) return new Map();
  const rows = await connection.rows(
    compileRaw(sql`
      select cast(row as varchar), line from (select row_number() over () - 1 as row, ${sql.id(lineColumn)} as line from ${copyRows(copy)})
      where row in (${sql.join([...indices].map((index) => sql.lit(index)))})`),
  );
  return new Map(rows.map(([row, line]) => [Number(row), Number(line)]));
}

/** Whether the file holds an object per line, judging by its first lines. */
function hasObjectLines(head: TextHead): boolean {
  const lines = head.bytes.toString("utf8").split(/\r\n|\r|\n/);
  return lines.slice(0, 20).filter((line) => line.trim().startsWith("{") && typeof parseObject(line) !== "string").length > 1;
}

/**
 * Reads files that are too large to be converted with the engine's own reader: columns of plain numbers, booleans and dates in their
 * type, and all others as text.
 */
async function readDirectly(
  files: readonly JsonFile[],
  settings: ReadingSettings,
  checksAll: boolean,
  connection: QueryConnection,
): Promise<JsonSource> {
  const paths = sql`[${sql.join(files.map(({ file }) => sql.lit(escapeGlob(file.path))))}]`;
  const describe = (options: RawBuilder<unknown>) =>
    connection.rows(
      compileRaw(sql`select column_name, column_type from (describe select * from read_json(${paths}, union_by_name = true${options}))`),
    );
  const rows = await describe(sql``)
    // A broken line loses only itself.
    .catch(() => describe(sql`, format = 'newline_delimited', ignore_errors = true`))
    .catch((error: unknown) => {
      throw connection.signal.aborted ? error : new UnreadableData("JSON", "its text is not JSON", error);
    });
  const described = new Map(rows.map(([name, type]) => [String(name), String(type)]));
  const names = [...described.keys()];
  if (described.size === 1 && described.has(bareValueColumn)) throw new UnreadableData("JSON", "it holds no objects");
  const isText = (type: string): boolean =>
    ["VARCHAR", "JSON", "DOUBLE"].includes(type) || type.startsWith("TIMESTAMP") || /^(STRUCT|MAP|UNION)|\[\d*\]$/.test(type);
  const types = new Map([...described].filter(([, type]) => !isText(type)));
  const columns = [...described].map(([name, type]) => sql`${sql.lit(name)}: ${sql.lit(isText(type) ? "VARCHAR" : type)}`);
  // Unchecked lines must not fail a query.
  const from = sql`read_json(${paths}, columns = {${sql.join(columns)}}, format = 'newline_delimited', ignore_errors = true)`;
  const texts = names.filter((name) => !types.has(name));
  const numbers = new Set(texts.filter((name) => described.get(name) === "DOUBLE"));
  const sample = checksAll ? from : sql`(select * from ${from} limit ${sql.lit(uncheckedSampleRows)})`;
  const decided = await decideSource({ from: sample, names: texts, numbers, isSemicolon: false, isWhole: checksAll }, settings, connection);
  return { ...withDerived(decided, from, names), types, files, headers: new Map(names.map((name) => [name, name])) };
}
