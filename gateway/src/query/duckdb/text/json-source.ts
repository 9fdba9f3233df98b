import { type RawBuilder, sql } from "kysely";
import { UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type Running, engineFailure } from "../query-runner.ts";
import { faultOf, plainJson } from "./json-copy.ts";
import { type SourceFile, checkedBytes, checkedFiles, escapeGlob } from "./source-file.ts";
import { type TextHead, readHead } from "./text-bytes.ts";
import type { TextCopies, TextCopy } from "./text-copies.ts";
import { type TextHint, type TextType, countsOf, hintOf, plainText, typeByCounts } from "./text-types.ts";

/** How one JSON file is read. */
export interface JsonFile {
  readonly file: SourceFile;
  readonly head: TextHead;
  /** Read instead of the file, where the engine cannot read that. */
  readonly copy: TextCopy | null;
  readonly isChecked: boolean;
}

export interface JsonSource {
  readonly from: RawBuilder<unknown>;
  /** DuckDB's types of the columns that are not kept as texts. */
  readonly types: ReadonlyMap<string, string>;
  readonly texts: ReadonlyMap<string, TextType>;
  /** In file order. */
  readonly names: readonly string[];
  readonly files: readonly JsonFile[];
}

type Described = ReadonlyMap<string, string>;

/** What DuckDB calls the only column of values that are no objects. */
const bareValue = "json";
/** A double of this size may have been a whole number with more digits. */
const largestExact = 9_007_199_254_740_992n;

/** Finds out how JSON files are to be read, and what their columns hold. */
export async function readJsonSource(files: readonly SourceFile[], copies: TextCopies, running: Running): Promise<JsonSource> {
  const isChecked = files.length <= checkedFiles && files.reduce((sum, { bytes }) => sum + bytes, 0) <= checkedBytes;
  let read: JsonFile[] = [];
  for (const file of files) {
    const head = await readHead(file.path, running.signal);
    if (head.isWhole && head.bytes.toString("utf8").trim() === "") continue;
    const one: JsonFile = { file, head, copy: null, isChecked };
    read.push(head.isUtf8 && !head.hasMark ? one : await withCopy(one, false, copies, running));
  }
  if (read.length === 0) throw new UnreadableData("JSON", "there is nothing in it");
  const described = await describe(read, running).catch(async (error: unknown) => {
    if (running.signal.aborted || engineFailure(error).reason !== "failed") throw error;
    if (!read.some(hasObjectLines)) throw unreadableJson(error);
    return undefined;
  });
  const isOfObjects = described !== undefined && !(described.size === 1 && described.has(bareValue) && read.some(hasObjectLines));
  let columns = described;
  if (!isOfObjects) {
    const readable: JsonFile[] = [];
    for (const one of read) readable.push(hasObjectLines(one) ? await withCopy(one, true, copies, running) : one);
    read = readable;
    columns = await describe(read, running).catch((error: unknown) => {
      throw running.signal.aborted ? error : unreadableJson(error);
    });
  }
  return kept(read, columns ?? new Map(), running);
}

async function withCopy(one: JsonFile, objectsOnly: boolean, copies: TextCopies, { signal }: Running): Promise<JsonFile> {
  const { file, head } = one;
  const ending = objectsOnly ? "objects.json" : "json";
  return { ...one, copy: await copies.of(file.path, file.state, ending, () => plainJson(file.path, head.encoding, objectsOnly, signal)) };
}

/** Whether the file holds an object per line, by one of its first lines. */
function hasObjectLines({ head }: JsonFile): boolean {
  const lines = head.bytes.toString("utf8").split(/\r\n|\r|\n/);
  return lines.slice(0, 20).some((line) => line.trim().startsWith("{") && faultOf(line) === null);
}

async function describe(files: readonly JsonFile[], running: Running): Promise<Described> {
  const sample = files.every(({ isChecked }) => isChecked) ? sql`, sample_size = -1` : sql``;
  const rows = await running.rows(
    compileRaw(
      sql`select column_name, column_type from (describe select * from read_json(${pathsOf(files)}, union_by_name = true${sample}))`,
    ),
  );
  return new Map(rows.map(([name, type]) => [String(name), String(type)]));
}

const pathsOf = (files: readonly JsonFile[]): RawBuilder<unknown> =>
  sql`[${sql.join(files.map(({ file, copy }) => sql.lit(copy?.path ?? escapeGlob(file.path))))}]`;

/** Columns of plain numbers and the like as they are; everything else as the text it is, so that nothing of it is lost and nothing fails. */
async function kept(files: readonly JsonFile[], described: Described, running: Running): Promise<JsonSource> {
  const names = [...described.keys()];
  if (described.size === 1 && described.has(bareValue)) {
    if (described.get(bareValue) === "JSON") throw new UnreadableData("JSON", "it holds no objects");
    // Values without names are read as DuckDB found them.
    return { from: sql`read_json(${pathsOf(files)})`, types: described, texts: new Map(), names, files };
  }
  const large = await largeNumbers(files, described, running);
  const isText = (name: string, type: string) => isWrittenAsText(type) || large.has(name);
  const texts = new Map<string, TextType>();
  const types = new Map<string, string>();
  const from = jsonSql(files, described, isText);
  const hints = new Map<string, TextHint>();
  for (const [name, type] of described) {
    if (!isText(name, type)) types.set(name, type);
    else if (type === "JSON" || type.startsWith("TIMESTAMP") || large.has(name)) hints.set(name, await hintFor(name, type, from, running));
    else texts.set(name, plainText);
  }
  if (hints.size > 0) {
    const counted = [...hints].map(([name, hint]) => countsOf(sql.id(name), hint));
    const [row = []] = await running.rows(compileRaw(sql`select ${sql.join(counted.flat(), sql`, `)} from ${from}`));
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

/** Nested values, texts, values of several types, and times, whose offsets a typed column would drop. */
const isWrittenAsText = (type: string): boolean =>
  ["VARCHAR", "JSON"].includes(type) || type.startsWith("TIMESTAMP") || /^(STRUCT|MAP|UNION)|\[\d*\]$/.test(type);

async function hintFor(name: string, type: string, from: RawBuilder<unknown>, running: Running): Promise<TextHint> {
  if (type.startsWith("TIMESTAMP"))
    return { hasNumbers: false, hasMoments: true, formats: [], hasBooleans: false, hasDecimalCommas: false };
  const rows = await running.rows(compileRaw(sql`select ${sql.id(name)} from ${from} where ${sql.id(name)} is not null limit 200`));
  return hintOf(
    rows.map(([value]) => String(value)),
    false,
  );
}

/** Columns of doubles that hold numbers which a double may not hold exactly. */
async function largeNumbers(files: readonly JsonFile[], described: Described, running: Running): Promise<ReadonlySet<string>> {
  const doubles = [...described].flatMap(([name, type]) => (type === "DOUBLE" ? [name] : []));
  if (doubles.length === 0) return new Set();
  const tests = doubles.map((name) => sql`coalesce(bool_or(abs(${sql.id(name)}) > ${sql.lit(largestExact)}), false)`);
  const from = jsonSql(files, described, (_, type) => isWrittenAsText(type));
  const [row = []] = await running.rows(compileRaw(sql`select ${sql.join(tests, sql`, `)} from ${from}`));
  return new Set(doubles.filter((_, index) => row[index] === true));
}

function jsonSql(files: readonly JsonFile[], described: Described, isText: (name: string, type: string) => boolean): RawBuilder<unknown> {
  const columns = [...described].map(([name, type]) => sql`${sql.lit(name)}: ${sql.lit(isText(name, type) ? "VARCHAR" : type)}`);
  const isChecked = files.every((one) => one.isChecked);
  const isOfLines = files.every(hasObjectLines);
  // What nobody has looked at must not fail a query.
  const lenient = !isChecked && isOfLines ? sql`, format = 'newline_delimited', ignore_errors = true` : sql``;
  return sql`read_json(${pathsOf(files)}, columns = {${sql.join(columns, sql`, `)}}${lenient})`;
}

/** DuckDB's reason without the file's path and without SQL. */
function unreadableJson(error: unknown): UnreadableData {
  const [text = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
  const [, place = "", reason = ""] = /^[^"]*"[^"]*",? (?:at byte \d+ )?in ([^:]{1,50}): (.*)$/.exec(text) ?? [];
  const [first = ""] = reason.split(/\. |\.\s*$/);
  return new UnreadableData("JSON", place === "" ? "its text is no JSON" : `${first} in ${place}`, error);
}
