import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type QueryConnection, engineFailure } from "../query-runner.ts";
import { faultOf, plainJson } from "./json-copy.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { type TextHint, type TextType, countsOf, hintOf, plainText, typeByCounts } from "./text-types.ts";

/** How one JSON file is read. */
export interface JsonFile {
  readonly file: SourceFile;
  readonly head: TextHead;
  /** Read instead of the file if the engine cannot read the file itself. */
  readonly copy: TextCopy | null;
  readonly isChecked: boolean;
}

export interface JsonSource {
  readonly from: RawBuilder<unknown>;
  /** DuckDB's types of the columns that are not read as text. */
  readonly types: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, TextType>;
  /** In file order. */
  readonly names: readonly string[];
  readonly files: readonly JsonFile[];
}

type Described = ReadonlyMap<string, string>;

/** DuckDB's name for the only column of values that are not objects. */
const bareValueColumn = "json";
/** Doubles above this may have been integers with more digits. */
const maxExactInteger = 9_007_199_254_740_992n;

/** Detects how to read JSON files and the types of their columns. */
export async function readJsonSource(files: readonly SourceFile[], copies: TextCopies, connection: QueryConnection): Promise<JsonSource> {
  const isChecked = files.length <= checkedFiles && files.reduce((sum, { bytes }) => sum + bytes, 0) <= checkedBytes;
  let read: JsonFile[] = [];
  for (const file of files) {
    const head = await readHead(file.path, connection.signal);
    if (head.isComplete && head.bytes.toString("utf8").trim() === "") continue;
    const one: JsonFile = { file, head, copy: null, isChecked };
    read.push(head.isUtf8 && !head.hasByteOrderMark ? one : await withCopy(one, false, copies, connection));
  }
  if (read.length === 0) throw new UnreadableData("JSON", "there is nothing in it");
  const described = await describe(read, connection).catch(async (error: unknown) => {
    if (connection.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    if (!read.some(hasObjectLines)) throw unreadableJson(error);
    return undefined;
  });
  const holdsObjects = described !== undefined && !(described.size === 1 && described.has(bareValueColumn) && read.some(hasObjectLines));
  let columns = described;
  if (!holdsObjects) {
    const readable: JsonFile[] = [];
    for (const one of read) readable.push(hasObjectLines(one) ? await withCopy(one, true, copies, connection) : one);
    read = readable;
    columns = await describe(read, connection).catch((error: unknown) => {
      throw connection.signal.aborted ? error : unreadableJson(error);
    });
  }
  return toSource(read, columns ?? new Map(), connection);
}

async function withCopy(one: JsonFile, objectsOnly: boolean, copies: TextCopies, { signal }: QueryConnection): Promise<JsonFile> {
  const { file, head } = one;
  const ending = objectsOnly ? "objects.json" : "json";
  return { ...one, copy: await copies.get(file.path, file.state, ending, () => plainJson(file.path, head.encoding, objectsOnly, signal)) };
}

/** Whether the file holds an object per line, judging by its first lines. */
function hasObjectLines({ head }: JsonFile): boolean {
  const lines = head.bytes.toString("utf8").split(/\r\n|\r|\n/);
  return lines.slice(0, 20).some((line) => line.trim().startsWith("{") && faultOf(line) === null);
}

async function describe(files: readonly JsonFile[], connection: QueryConnection): Promise<Described> {
  const sample = files.every(({ isChecked }) => isChecked) ? sql`, sample_size = -1` : sql``;
  const rows = await connection.rows(
    compileRaw(
      sql`select column_name, column_type from (describe select * from read_json(${pathsOf(files)}, union_by_name = true${sample}))`,
    ),
  );
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

const pathsOf = (files: readonly JsonFile[]): RawBuilder<unknown> =>
  sql`[${sql.join(files.map(({ file, copy }) => sql.lit(copy?.path ?? escapeGlob(file.path))))}]`;

/** Reads columns of plain numbers, booleans and dates in their type, and all others as text, so that nothing is lost or fails. */
async function toSource(files: readonly JsonFile[], described: Described, connection: QueryConnection): Promise<JsonSource> {
  const names = [...described.keys()];
  if (described.size === 1 && described.has(bareValueColumn)) {
    if (described.get(bareValueColumn) === "JSON") throw new UnreadableData("JSON", "it holds no objects");
    // Values without names keep DuckDB's type.
    return { from: sql`read_json(${pathsOf(files)})`, types: described, texts: new Map(), names, files };
  }
  const large = await largeNumbers(files, described, connection);
  const isText = (name: string, type: string) => isReadAsText(type) || large.has(name);
  const texts = new Map<string, TextType>();
  const types = new Map<string, string>();
  const from = jsonSql(files, described, isText);
  const hints = new Map<string, TextHint>();
  for (const [name, type] of described) {
    if (!isText(name, type)) types.set(name, type);
    else if (type === "JSON" || type.startsWith("TIMESTAMP") || large.has(name))
      hints.set(name, await hintFor(name, type, from, connection));
    else texts.set(name, plainText);
  }
  if (hints.size > 0) {
    const counted = [...hints].map(([name, hint]) => countsOf(sql.id(name), hint));
    const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(counted.flat(), sql`, `)} from ${from}`));
    let at = 0;
    for (const [index, [name, hint]] of [...hints].entries()) {
      const length = counted[index]?.length ?? 0;
      texts.set(
        name,
        typeByCounts(
          row.slice(at, at + length).map((count) => Number(count ?? 0)),
          hint,
        ),
      );
      at += length;
    }
  }
  return { from, types, texts, names, files };
}

/** Nested values, texts, values of mixed types, and times, whose offsets a typed column would drop. */
const isReadAsText = (type: string): boolean =>
  ["VARCHAR", "JSON"].includes(type) || type.startsWith("TIMESTAMP") || /^(STRUCT|MAP|UNION)|\[\d*\]$/.test(type);

async function hintFor(name: string, type: string, from: RawBuilder<unknown>, connection: QueryConnection): Promise<TextHint> {
  if (type.startsWith("TIMESTAMP"))
    return { hasNumbers: false, hasTimestamps: true, formats: [], hasBooleans: false, hasDecimalCommas: false };
  const rows = await connection.rows(compileRaw(sql`select ${sql.id(name)} from ${from} where ${sql.id(name)} is not null limit 200`));
  return hintOf(
    rows.map(([value]) => String(value)),
    false,
  );
}

/** DOUBLE columns with numbers that a double may not represent exactly. */
async function largeNumbers(files: readonly JsonFile[], described: Described, connection: QueryConnection): Promise<ReadonlySet<string>> {
  const doubles = [...described].flatMap(([name, type]) => (type === "DOUBLE" ? [name] : []));
  if (doubles.length === 0) return new Set();
  const tests = doubles.map((name) => sql`coalesce(bool_or(abs(${sql.id(name)}) > ${sql.lit(maxExactInteger)}), false)`);
  const from = jsonSql(files, described, (_, type) => isReadAsText(type));
  const [row = []] = await connection.rows(compileRaw(sql`select ${sql.join(tests, sql`, `)} from ${from}`));
  return new Set(doubles.filter((_, index) => row[index] === true));
}

function jsonSql(files: readonly JsonFile[], described: Described, isText: (name: string, type: string) => boolean): RawBuilder<unknown> {
  const columns = [...described].map(([name, type]) => sql`${sql.lit(name)}: ${sql.lit(isText(name, type) ? "VARCHAR" : type)}`);
  const isChecked = files.every((one) => one.isChecked);
  // Unchecked lines must not fail a query.
  const lenient = !isChecked && files.every(hasObjectLines) ? sql`, format = 'newline_delimited', ignore_errors = true` : sql``;
  return sql`read_json(${pathsOf(files)}, columns = {${sql.join(columns, sql`, `)}}${lenient})`;
}

/** DuckDB's reason without the file's path and SQL. */
function unreadableJson(error: unknown): UnreadableData {
  const [text = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const [, place = "", reason = ""] = /^[^"]*"[^"]*",? (?:at byte \d+ )?in ([^:]{1,50}): (.*)$/.exec(text) ?? [];
  const [first = ""] = reason.split(/\. |\.\s*$/);
  return new UnreadableData("JSON", place === "" ? "its text is no JSON" : `${first} in ${place}`, error);
}
