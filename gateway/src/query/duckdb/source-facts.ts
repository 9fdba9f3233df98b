import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { type DatasetSource, EngineFailed, type OrderKey, SourceNotReady, UnreadableData } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type Running, engineFailure } from "./query-runner.ts";
import { type CsvFile, readCsvSource } from "./text/csv-source.ts";
import { type JsonFile, readJsonSource } from "./text/json-source.ts";
import { type SourceFile, escapeGlob } from "./text/source-file.ts";
import { type TextCopies, statIfThere } from "./text/text-copies.ts";
import type { TextType } from "./text/text-types.ts";
import { systemCode } from "#system-code.ts";

/** What the files of a source say about themselves. */
export interface SourceFacts {
  /** Changes when the files do. */
  readonly state: string;
  readonly format: FileSource["format"];
  readonly from: RawBuilder<unknown>;
  /** DuckDB's type of each column, in file order. */
  readonly columns: ReadonlyMap<string, string>;
  /** Columns that `from` holds as texts, whatever type their values are found to be of. */
  readonly texts: ReadonlyMap<string, TextType>;
  /** How each file of text is read; none of Parquet. */
  readonly textFiles: readonly (CsvFile | JsonFile)[];
  /** Floating-point columns without NaN and infinities. */
  readonly finite: ReadonlySet<string>;
  /** The order the rows of a single file lie in, as its writer noted; null where unknown. */
  readonly storedOrder: readonly OrderKey[] | null;
  readonly files: number;
}

/** Footer entry in which our own writer notes the order of the rows. */
export const storedOrderKey = "fairway_sorted_by";

const orderNote = z.array(z.object({ column: z.string(), direction: z.enum(["asc", "desc"]) }));

/** Above this many files their footers are not read one by one: what they would save is not worth it. */
const readFootersUpTo = 16;

/** A glob is looked up again after this long; a single file is looked at for every query. */
const globFreshMs = 2_000;

/** Reads and remembers the facts of sources below one folder. */
export class SourceFactsCache {
  readonly #dataFolder: string;
  readonly #copies: TextCopies;
  readonly #known = new Map<string, SourceFacts>();
  readonly #globs = new Map<string, { files: Promise<SourceFile[]>; readAtMs: number }>();

  constructor(dataFolder: string, copies: TextCopies) {
    this.#dataFolder = dataFolder;
    this.#copies = copies;
  }

  async of(source: DatasetSource, running: Running): Promise<SourceFacts> {
    const files = requireFiles(source);
    const pattern = this.#patternOf(files);
    const found = await this.#files(pattern, running);
    const state = found.map((file) => `${file.path} ${file.state}`).join("\n");
    const key = JSON.stringify(source);
    const known = this.#known.get(key);
    if (known?.state === state && (await copiesAreThere(known))) return known;
    const facts = { state, ...(await this.#readOrExplain(pattern, files.format, found, running)) };
    this.#known.set(key, facts);
    return facts;
  }

  /** Drops what is known of a source: its files have turned out to be different. */
  forget(source: DatasetSource): void {
    this.#known.delete(JSON.stringify(source));
    if (source.kind === "files") this.#globs.delete(this.#patternOf(source));
  }

  #patternOf = ({ glob }: FileSource): string => `${escapeGlob(this.#dataFolder)}/${glob}`;

  /** Reading what files say about themselves fails only because of the files, unless the engine has no time or memory for it. */
  async #readOrExplain(
    pattern: string,
    format: FileSource["format"],
    files: readonly SourceFile[],
    running: Running,
  ): Promise<Omit<SourceFacts, "state">> {
    try {
      return await this.#read(pattern, format, files, running);
    } catch (error) {
      const failure = engineFailure(error);
      if (running.signal.aborted || failure.reason !== "failed") throw failure;
      throw unreadable(error, this.#dataFolder);
    }
  }

  async #read(
    pattern: string,
    format: FileSource["format"],
    files: readonly SourceFile[],
    running: Running,
  ): Promise<Omit<SourceFacts, "state">> {
    const ofText = { format, finite: new Set<string>(), storedOrder: null, files: files.length };
    switch (format) {
      case "parquet":
        return readParquet(pattern, files.length, running).catch((error: unknown) => {
          throw running.signal.aborted ? error : noParquet(error, this.#dataFolder);
        });
      case "csv": {
        await this.#requireInside(files);
        const { from, texts, files: textFiles } = await readCsvSource(files, this.#copies, running);
        return { ...ofText, from, texts, textFiles, columns: new Map([...texts].map(([name, { duckType }]) => [name, duckType])) };
      }
      case "json": {
        await this.#requireInside(files);
        const { from, texts, types, names, files: textFiles } = await readJsonSource(files, this.#copies, running);
        const columns = new Map(names.map((name) => [name, texts.get(name)?.duckType ?? types.get(name) ?? "VARCHAR"]));
        return { ...ofText, from, texts, textFiles, columns };
      }
      default:
        return format satisfies never;
    }
  }

  /** The engine follows no link out of the folder; nor may what looks at files before it. */
  async #requireInside(files: readonly SourceFile[]): Promise<void> {
    for (const file of files) {
      const real = await realpath(file.path);
      if (!real.startsWith(`${this.#dataFolder}${path.sep}`))
        throw new EngineFailed("failed", "The dataset's source lies outside the data folder.");
    }
  }

  #files(pattern: string, running: Running): Promise<SourceFile[]> {
    if (!isGlob(pattern)) return fileState(pattern.replaceAll(/\[([*?[])\]/g, "$1")).then((file) => [file]);
    const known = this.#globs.get(pattern);
    if (known !== undefined && Date.now() - known.readAtMs < globFreshMs) return known.files;
    const files = globFiles(pattern, running);
    this.#globs.set(pattern, { files, readAtMs: Date.now() });
    files.catch(() => this.#globs.delete(pattern));
    return files;
  }
}

type FileSource = Extract<DatasetSource, { kind: "files" }>;

/** Stays below the data folder, whatever the entity says. */
function requireFiles(source: DatasetSource): FileSource {
  if (source.kind !== "files") {
    if (source.kind === "table") throw new SourceNotReady([{ code: "no-engine", reason: "no engine is connected for its table" }]);
    throw new EngineFailed("failed", "This dataset's source is a service, which the embedded engine does not have.");
  }
  if (source.glob.includes("\0") || path.isAbsolute(source.glob) || source.glob.split("/").includes("..")) {
    throw new EngineFailed("failed", "The dataset's source lies outside the data folder.");
  }
  return source;
}

const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);
/** A converted copy makes room for others where it has not been used for long. */
async function copiesAreThere({ textFiles }: SourceFacts): Promise<boolean> {
  const copies = textFiles.flatMap(({ copy }) => (copy === null ? [] : [copy.path]));
  const there = await Promise.all(copies.map(statIfThere));
  return there.every((found) => found !== undefined);
}

async function fileState(file: string): Promise<SourceFile> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    // The time of the last change of the inode tells that somebody took away the permission to read.
    return { path: file, state: `${mtimeMs}:${ctimeMs}:${size}:${ino}`, bytes: size };
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR") throw missing(error);
    throw new SourceNotReady([{ code: "data-unreadable", reason: unreadableReason, detail: code ?? "" }], { cause: error });
  }
}

const unreadableReason = "its data files cannot be read";

const missing = (cause?: unknown): SourceNotReady =>
  new SourceNotReady([{ code: "data-missing", reason: "its data files are missing" }], { cause });

/** For a failure that only the files can have caused. */
export function unreadable(cause: unknown, dataFolder: string): SourceNotReady {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (text.includes("No files found")) return missing(cause);
  const [line = ""] = text.replaceAll(`${dataFolder}/`, "").split("\n");
  return new SourceNotReady([{ code: "data-unreadable", reason: unreadableReason, detail: line.slice(0, 300) }], { cause });
}

async function globFiles(pattern: string, running: Running): Promise<SourceFile[]> {
  const rows = await running.rows(compileRaw(sql`select file from glob(${pattern}) order by file`));
  if (rows.length === 0) throw missing();
  return Promise.all(rows.map(([file]) => fileState(String(file))));
}

async function readParquet(pattern: string, files: number, running: Running): Promise<Omit<SourceFacts, "state">> {
  // Several files may have grown columns over time; one file has nothing to unite.
  const from = files > 1 ? sql`read_parquet(${sql.lit(pattern)}, union_by_name = true)` : sql`read_parquet(${sql.lit(pattern)})`;
  const described = await running.rows(compileRaw(sql`select column_name, column_type from (describe select * from ${from})`));
  const columns = new Map(described.map(([name, type]) => [String(name), String(type)]));
  const footers = files <= readFootersUpTo;
  const finite = footers ? await finiteColumns(pattern, running) : new Set<string>();
  const storedOrder = footers && files === 1 ? await notedOrder(pattern, running) : null;
  return { format: "parquet", from, columns, texts: new Map(), textFiles: [], finite, storedOrder, files };
}

/** DuckDB's words, without paths outside the data folder. */
function noParquet(error: unknown, dataFolder: string): unknown {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineFailed || engineFailure(error).reason !== "failed" || text.includes("No files found")) return error;
  const [line = ""] = text.replaceAll(`${dataFolder}/`, "").split("\n");
  const why = line.slice(line.indexOf("Error: ") + (line.includes("Error: ") ? "Error: ".length : 1)).slice(0, 300);
  return new UnreadableData("Parquet", `${why.charAt(0).toLowerCase()}${why.slice(1)}`, error);
}

/**
 * Columns whose every row group has a smallest and a largest value. DuckDB's writer leaves both out where NaN or an
 * infinity occurs; other writers do not, so their files prove nothing.
 */
async function finiteColumns(pattern: string, running: Running): Promise<Set<string>> {
  const writers = await running.rows(compileRaw(sql`select distinct created_by from parquet_file_metadata(${pattern})`));
  if (!writers.every(([writer]) => String(writer).startsWith("DuckDB"))) return new Set();
  const rows = await running.rows(
    compileRaw(
      sql`select path_in_schema from parquet_metadata(${pattern}) where type in ('DOUBLE', 'FLOAT') group by 1 having bool_and(stats_min_value is not null and stats_max_value is not null)`,
    ),
  );
  return new Set(rows.map(([name]) => String(name)));
}

async function notedOrder(pattern: string, running: Running): Promise<readonly OrderKey[] | null> {
  const rows = await running.rows(
    compileRaw(sql`select decode(value) from parquet_kv_metadata(${pattern}) where decode(key) = ${storedOrderKey}`),
  );
  const note = rows[0]?.[0];
  if (typeof note !== "string") return null;
  try {
    const parsed = orderNote.safeParse(JSON.parse(note));
    return parsed.success ? parsed.data : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
