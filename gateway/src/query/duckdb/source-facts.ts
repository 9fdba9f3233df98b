import { stat } from "node:fs/promises";
import path from "node:path";
import { type RawBuilder, sql } from "kysely";
import { z } from "zod";
import { type DatasetSource, EngineFailed, type OrderKey, SourceNotReady } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type Running, engineFailure } from "./query-runner.ts";
import { spelledOut } from "./text-reading.ts";

/** What the files of a source say about themselves. */
export interface SourceFacts {
  /** Changes when the files do. */
  readonly state: string;
  readonly format: FileSource["format"];
  readonly from: RawBuilder<unknown>;
  /** DuckDB's type of each column, in file order. */
  readonly columns: ReadonlyMap<string, string>;
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
  readonly #known = new Map<string, SourceFacts>();
  readonly #globs = new Map<string, { state: Promise<string>; readAtMs: number }>();

  constructor(dataFolder: string) {
    this.#dataFolder = dataFolder;
  }

  async of(source: DatasetSource, running: Running): Promise<SourceFacts> {
    const files = requireFiles(source);
    const pattern = this.#patternOf(files);
    const state = await this.#state(pattern, running);
    const key = JSON.stringify(source);
    const known = this.#known.get(key);
    if (known?.state === state) return known;
    const facts = await this.#read(pattern, files.format, state, running);
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
  async #read(pattern: string, format: FileSource["format"], state: string, running: Running): Promise<SourceFacts> {
    try {
      return await readFacts(pattern, format, state, running);
    } catch (error) {
      const failure = engineFailure(error);
      if (running.signal.aborted || failure.reason !== "failed") throw failure;
      throw unreadable(error, this.#dataFolder);
    }
  }

  #state(pattern: string, running: Running): Promise<string> {
    if (!isGlob(pattern)) return fileState(pattern);
    const known = this.#globs.get(pattern);
    if (known !== undefined && Date.now() - known.readAtMs < globFreshMs) return known.state;
    const state = globState(pattern, running);
    this.#globs.set(pattern, { state, readAtMs: Date.now() });
    state.catch(() => this.#globs.delete(pattern));
    return state;
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
const escapeGlob = (folder: string): string => folder.replaceAll(/[*?[]/g, "[$&]");

async function fileState(file: string): Promise<string> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    // The time of the last change of the inode tells that somebody took away the permission to read.
    return `${mtimeMs}:${ctimeMs}:${size}:${ino}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
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

async function globState(pattern: string, running: Running): Promise<string> {
  const rows = await running.rows(compileRaw(sql`select file from glob(${pattern}) order by file`));
  const files = rows.map(([file]) => String(file));
  if (files.length === 0) throw missing();
  const states = await Promise.all(files.map(fileState));
  return files.map((file, index) => `${file} ${states[index]}`).join("\n");
}

async function readFacts(pattern: string, format: FileSource["format"], state: string, running: Running): Promise<SourceFacts> {
  const files = isGlob(pattern) ? state.split("\n").length : 1;
  // Several files may have grown columns over time; one file has nothing to unite.
  const reading = files > 1 ? sql`${sql.lit(pattern)}, union_by_name = true` : sql`${sql.lit(pattern)}`;
  const from = sql`${readers[format]}(${reading})`;
  const described = await running.rows(compileRaw(sql`select column_name, column_type from (describe select * from ${from})`));
  const columns = new Map(described.map(([name, type]) => [String(name), String(type)]));
  const footers = format === "parquet" && files <= readFootersUpTo;
  const finite = footers ? await finiteColumns(pattern, running) : new Set<string>();
  const storedOrder = footers && files === 1 ? await notedOrder(pattern, running) : null;
  const spelled = format === "parquet" || files !== 1 ? undefined : await spelledOut(format, pattern, columns, running);
  return { state, format, from: spelled ?? from, columns, finite, storedOrder, files };
}

const readers = { parquet: sql`read_parquet`, csv: sql`read_csv`, json: sql`read_json` };

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
