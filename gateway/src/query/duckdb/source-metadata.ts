import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { type RawBuilder, sql } from "kysely";
import {
  type CopiedSource,
  type DatasetSource,
  EngineFailed,
  type OrderKey,
  SourceNotReady,
  type TextSource,
  UnreadableData,
} from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { type ParquetSource, readParquetSource } from "./parquet-source.ts";
import { type QueryConnection, engineFailure } from "./query-runner.ts";
import { type CsvFile, readCsvSource } from "./text/csv-source.ts";
import { readSheetSource } from "./sheets/sheet-source.ts";
import { type JsonFile, readJsonSource } from "./text/json-source.ts";
import { type SourceFile, escapeGlob } from "./text/source-file.ts";
import { type TextCopies, statIfExists } from "./text/text-copies.ts";
import type { ColumnDecision } from "./text/column-facts.ts";
import { type ReadingSettings, settingsOf } from "./text/reading-settings.ts";
import type { DecidedSource } from "./text/source-decisions.ts";
import type { TextReading } from "./text/text-reading.ts";
import { systemCode } from "#process/system-code.ts";

/** Metadata read from the files of a source. */
export interface SourceMetadata {
  /** Changes when the files do. */
  readonly state: string;
  readonly format: FileSource["format"];
  readonly from: RawBuilder<unknown>;
  /** DuckDB's type of each column, in file order. */
  readonly columns: ReadonlyMap<string, string>;
  /** Columns that `from` reads as text, with the type detected for their values. */
  readonly texts: ReadonlyMap<string, TextReading>;
  /** How each text file is read; empty for Parquet. */
  readonly textFiles: readonly (CsvFile | JsonFile)[];
  /** How text files are read; null for Parquet. */
  readonly understood: Understood | null;
  /** Floating-point columns without NaN and infinities. */
  readonly finite: ReadonlySet<string>;
  readonly narrow: ParquetSource["narrow"];
  /** The order of the rows of a single file, as recorded by its writer; null if unknown. */
  readonly storedOrder: readonly OrderKey[] | null;
  readonly files: number;
  /** Of Parquet; see there. */
  readonly derived: ParquetSource["derived"];
  readonly unreadable: ParquetSource["unreadable"];
  readonly notes: ParquetSource["notes"];
}

/** How text files are read, and with which settings. */
export interface Understood extends DecidedSource {
  readonly settings: ReadingSettings;
  /** The names of columns as they are in the files. */
  readonly headers: ReadonlyMap<string, string>;
}

/** How long the files of a glob are cached; a single file is checked for every query. */
const globCacheMs = 2_000;

/** Reads and caches the metadata of sources below one folder. */
export class SourceMetadataCache {
  readonly #dataFolder: string;
  readonly #copies: TextCopies;
  readonly #known = new Map<string, SourceMetadata>();
  readonly #globs = new Map<string, { files: Promise<SourceFile[]>; readAtMs: number }>();

  constructor(dataFolder: string, copies: TextCopies) {
    this.#dataFolder = dataFolder;
    this.#copies = copies;
  }

  async get(source: DatasetSource, connection: QueryConnection): Promise<SourceMetadata> {
    const readable = await this.#readable(source, connection);
    const key = sourceKey(source);
    const known = this.#known.get(key);
    if (known?.state === readable.state && (await copiesExist(known))) return known;
    const metadata = { state: readable.state, ...(await this.#readOrExplain(source, readable, connection)) };
    this.#known.delete(key);
    this.#known.set(key, metadata);
    const [oldest = ""] = this.#known.keys();
    if (this.#known.size > maxKnownSources) this.#known.delete(oldest);
    return metadata;
  }

  /** Drops the metadata of a source whose files have changed. */
  forget(source: DatasetSource): void {
    this.#known.delete(sourceKey(source));
    if (source.kind === "files") this.#globs.delete(this.#patternOf(source));
  }

  /** Replaces local paths in a message by what administrators call the files. */
  namer(source: DatasetSource): Namer {
    if (source.kind !== "copies") return (text) => text.replaceAll(`${this.#dataFolder}/`, "");
    return (text) => {
      const file = source.files.find(({ path: local }) => text.includes(local));
      return file === undefined ? text : text.replaceAll(file.path, file.name);
    };
  }

  #patternOf = ({ glob }: FileSource): string => `${escapeGlob(this.#dataFolder)}/${glob}`;

  async #readable(source: DatasetSource, connection: QueryConnection): Promise<Readable> {
    if (source.kind === "copies") {
      const files = source.files.map((file) => ({ ...file, state: "" }));
      const paths = sql`[${sql.join(source.files.map(({ path: local }) => sql.lit(escapeGlob(local))))}]`;
      return { format: source.format, files, paths, state: source.state, options: partitionOptions(source) };
    }
    const { format, glob } = requireFiles(source);
    const pattern = this.#patternOf({ kind: "files", format, glob });
    const files = await this.#files(pattern, connection);
    const state = files.map((file) => `${file.path} ${file.state}`).join("\n");
    return { format, files, paths: sql.lit(pattern), state, options: sql`` };
  }

  /** Reading metadata fails only because of the files, unless the engine runs out of time or memory. */
  async #readOrExplain(source: DatasetSource, readable: Readable, connection: QueryConnection): Promise<Omit<SourceMetadata, "state">> {
    const named = this.namer(source);
    try {
      return await this.#read(source, readable, connection);
    } catch (error) {
      const failure = engineFailure(error);
      if (connection.signal.aborted || failure.reason !== "failed") throw failure;
      throw unreadable(error, named);
    }
  }

  async #read(source: DatasetSource, readable: Readable, connection: QueryConnection): Promise<Omit<SourceMetadata, "state">> {
    const { format, files } = readable;
    const common = {
      format,
      texts: new Map<string, TextReading>(),
      textFiles: [],
      understood: null,
      finite: new Set<string>(),
      narrow: new Set<string>(),
      storedOrder: null,
      files: files.length,
      derived: new Map<never, never>(),
      unreadable: new Map<never, never>(),
      notes: [],
    };
    // Copies are made by the portal, which follows no links.
    if (source.kind === "files" && format !== "parquet") await this.#requireInside(files);
    switch (format) {
      case "parquet":
        return readParquetSource({ ...readable, fileCount: files.length }, connection).then(
          (read) => ({ ...common, ...read }),
          (error: unknown) => {
            throw connection.signal.aborted ? error : parquetFailure(error, this.namer(source));
          },
        );
      case "csv": {
        const settings = settingsOf(textSource(source));
        const { from, files: textFiles, ...understood } = await readCsvSource(files, settings, checksAll(source), this.#copies, connection);
        return { ...common, from, textFiles, ...describedTexts(understood.columns), understood: { ...understood, settings } };
      }
      case "json":
      case "xlsx": {
        const settings = settingsOf(textSource(source));
        const {
          from,
          types,
          names,
          files: textFiles,
          ...understood
        } = format === "xlsx"
          ? await readSheetSource(files, settings, this.#copies, connection)
          : await readJsonSource(files, settings, checksAll(source), this.#copies, connection);
        const { texts, columns: ofTexts } = describedTexts(understood.columns);
        const columns = new Map(names.map((name) => [name, ofTexts.get(name) ?? types.get(name) ?? "VARCHAR"]));
        return { ...common, from, textFiles, texts, columns, understood: { ...understood, settings } };
      }
      default:
        return format satisfies never;
    }
  }

  /** The engine follows no link out of the folder, so reading the files here must not either. */
  async #requireInside(files: readonly SourceFile[]): Promise<void> {
    for (const file of files) {
      const real = await realpath(file.path);
      if (!real.startsWith(`${this.#dataFolder}${path.sep}`))
        throw new EngineFailed("failed", "The dataset's source is outside the data folder.");
    }
  }

  async #files(pattern: string, connection: QueryConnection): Promise<SourceFile[]> {
    if (!isGlob(pattern)) return [await fileState(pattern.replaceAll(/\[([*?[])\]/g, "$1"))];
    const known = this.#globs.get(pattern);
    if (known !== undefined && Date.now() - known.readAtMs < globCacheMs) {
      try {
        return await known.files;
      } catch (error) {
        // The query that reads them may have ended before it had them, as its caller left.
        if (connection.signal.aborted) throw error;
      }
    }
    const reading = { files: globFiles(pattern, connection), readAtMs: Date.now() };
    this.#globs.set(pattern, reading);
    try {
      return await reading.files;
    } catch (error) {
      if (this.#globs.get(pattern) === reading) this.#globs.delete(pattern);
      throw error;
    }
  }
}

const textSource = (source: DatasetSource): TextSource => (source.kind === "files" || source.kind === "copies" ? source : {});
const checksAll = (source: DatasetSource): boolean => textSource(source).checksAll === true;

function describedTexts(columns: ReadonlyMap<string, ColumnDecision>): Pick<SourceMetadata, "texts" | "columns"> {
  const texts = new Map([...columns].map(([name, { reading }]) => [name, reading]));
  return { texts, columns: new Map([...texts].map(([name, { duckType }]) => [name, duckType])) };
}

type FileSource = Extract<DatasetSource, { kind: "files" }>;
type Namer = (text: string) => string;

/** The files of a source as the engine reads them. */
interface Readable {
  readonly format: FileSource["format"];
  readonly files: readonly SourceFile[];
  /** A glob, or a list of paths. */
  readonly paths: RawBuilder<unknown>;
  readonly state: string;
  /** Further options of the reader of Parquet. */
  readonly options: RawBuilder<unknown>;
}

/** The least recently read ones are forgotten: parts of sources in buckets are sources, too. */
export const maxKnownSources = 2_000;

export function sourceKey(source: DatasetSource): string {
  if (source.kind !== "copies") return JSON.stringify(source);
  const { key, reading, choices, hints, checksAll: all } = source;
  return reading === undefined && choices === undefined && hints === undefined && all === undefined
    ? key
    : JSON.stringify([key, reading, choices, hints, all]);
}

/** Said explicitly: what the engine would find out itself would depend on which of the files a query reads. */
function partitionOptions({ partitions }: CopiedSource): RawBuilder<unknown> {
  if (partitions.length === 0) return sql`, hive_partitioning = false`;
  const types = partitions.map(({ name, type }) => sql`${sql.lit(name)}: ${sql.lit(type)}`);
  return sql`, hive_partitioning = true, hive_types = {${sql.join(types)}}`;
}

/** Refuses paths outside the data folder. */
function requireFiles(source: DatasetSource): FileSource {
  if (source.kind !== "files") {
    throw new EngineFailed("failed", "This dataset's source is not files.");
  }
  if (source.glob.includes("\0") || path.isAbsolute(source.glob) || source.glob.split("/").includes("..")) {
    throw new EngineFailed("failed", "The dataset's source is outside the data folder.");
  }
  return source;
}

const isGlob = (pattern: string): boolean => /[*?[]/.test(pattern);

/** Converted copies may have been evicted. */
async function copiesExist({ textFiles }: SourceMetadata): Promise<boolean> {
  const copies = textFiles.flatMap(({ copy }) => (copy === null ? [] : [copy.path]));
  const stats = await Promise.all(copies.map(statIfExists));
  return stats.every((found) => found !== undefined);
}

async function fileState(file: string): Promise<SourceFile> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    // ctime also changes when permissions do.
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

/** For a failure that only the files can cause. */
export function unreadable(cause: unknown, named: Namer): SourceNotReady {
  const text = cause instanceof Error ? cause.message : String(cause);
  if (text.includes("No files found")) return missing(cause);
  const [line = ""] = named(text).split("\n");
  return new SourceNotReady([{ code: "data-unreadable", reason: unreadableReason, detail: line.slice(0, 300) }], { cause });
}

async function globFiles(pattern: string, connection: QueryConnection): Promise<SourceFile[]> {
  const rows = await connection.rows(compileRaw(sql`select file from glob(${pattern}) order by file`));
  if (rows.length === 0) throw missing();
  return Promise.all(rows.map(([file]) => fileState(String(file))));
}

/** DuckDB's message, without paths outside the data folder. */
function parquetFailure(error: unknown, named: Namer): unknown {
  const text = error instanceof Error ? error.message : String(error);
  if (error instanceof EngineFailed || engineFailure(error).reason !== "failed" || text.includes("No files found")) return error;
  const [line = ""] = named(text).split("\n");
  const detail = line.slice(line.indexOf("Error: ") + (line.includes("Error: ") ? "Error: ".length : 1)).slice(0, 300);
  return new UnreadableData("Parquet", `${detail.charAt(0).toLowerCase()}${detail.slice(1)}`, error);
}
