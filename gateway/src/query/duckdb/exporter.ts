import { mkdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { type DuckDBConnection, type DuckDBInstance, StatementType } from "@duckdb/node-api";
import type { ArrowPart } from "#query/arrow/ipc-stream.ts";
import { EngineFailed, type ExportTarget, type SearchQuery } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";
import type { SqlTable } from "#query/sql/table.ts";
import { compileArrowExport, rowCounter } from "./export-sql.ts";
import { type InstanceOptions, openLockedInstance } from "./locked-instance.ts";
import { type ReadResult, bind, engineFailure, interruptible, streamResult } from "./query-runner.ts";

const countIntervalMs = 200;

export interface ExporterOptions extends Pick<InstanceOptions, "dataFolder" | "copyFolder" | "cacheFolder" | "importedFolder"> {
  /** The only folders that files are written to, including those that large sorts spill. `writeFolder`: for datasets of users. */
  readonly exportFolder: string;
  readonly writeFolder?: string | undefined;
  /** Memory limit of one running export, unless it is known to need more. */
  readonly exportMemoryMb: number;
}

/**
 * Writes each file in a short-lived instance of its own, so that its memory is released and searches never wait for it. A
 * single thread leaves cores to searches and preserves the order of rows without the buffers that several threads need.
 */
export class Exporter {
  readonly #options: ExporterOptions;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /** Memory limit of one running export. */
  get memoryMb(): number {
    return this.#options.exportMemoryMb;
  }

  /**
   * `compile` receives the file's path with links resolved. `memoryMb`: raises the memory limit to what this export needs at least.
   * Resolves to the number of written rows.
   */
  write(
    file: string,
    compile: (path: string) => Compiled,
    { onRows, memoryMb = 0 }: { readonly onRows: (rows: number) => void; readonly memoryMb?: number },
    signal: AbortSignal,
  ): Promise<number> {
    return this.#withInstance(file, memoryMb, signal, async (instance, target) => {
      const [writer, counter] = await Promise.all([instance.connect(), instance.connect()]);
      await writer.run(`create sequence ${rowCounter}`);
      const stopCounting = countRows(counter, onRows);
      try {
        return await copy(writer, compile(target), signal);
      } finally {
        await stopCounting();
      }
    });
  }

  /** Writes an Arrow IPC stream of the rows as DuckDB finds them. Resolves to their number. */
  async writeArrow(
    { path: file, onRows, memoryMb }: Pick<ExportTarget, "path" | "onRows"> & { readonly memoryMb: number },
    table: SqlTable,
    query: Omit<SearchQuery, "offset">,
    signal: AbortSignal,
  ): Promise<number> {
    const [{ arrowRows }, { writeArrowFile }] = await Promise.all([import("./arrow-rows.ts"), import("#query/arrow/arrow-file.ts")]);
    const columns = [...table.columns.values()];
    const read: ReadResult<ArrowPart> = (result) => arrowRows(result, columns, query.limit, () => undefined);
    return this.#withInstance(file, memoryMb, signal, async (instance, target) => {
      const connection = await instance.connect();
      return interruptible(connection, signal, () =>
        writeArrowFile(target, streamResult(connection, compileArrowExport(table, query), signal, read), onRows),
      );
    });
  }

  /** Runs statements that only read. Large sorts spill beside the file, which is not written. */
  read<T>(file: string, signal: AbortSignal, work: (connection: DuckDBConnection) => Promise<T>): Promise<T> {
    return this.#withInstance(file, 0, signal, async (instance) => {
      const connection = await instance.connect();
      return interruptible(connection, signal, () => work(connection));
    });
  }

  async #withInstance<T>(
    file: string,
    memoryMb: number,
    signal: AbortSignal,
    work: (instance: DuckDBInstance, target: string) => Promise<T>,
  ): Promise<T> {
    let tempFolder: string | undefined;
    try {
      const target = await this.#target(file);
      tempFolder = `${target}.spill`;
      const { instance } = await openLockedInstance({
        dataFolder: this.#options.dataFolder,
        copyFolder: this.#options.copyFolder,
        cacheFolder: this.#options.cacheFolder,
        importedFolder: this.#options.importedFolder,
        tempFolder,
        threads: 1,
        preservesOrder: false,
        memoryLimitMb: Math.max(this.#options.exportMemoryMb, memoryMb),
        writes: target,
      });
      try {
        return await work(instance, target);
      } finally {
        instance.closeSync();
      }
    } catch (error) {
      if (signal.aborted) throw new EngineFailed("abandoned", "The export was canceled.", { cause: signal.reason });
      throw exportFailure(error);
    } finally {
      if (tempFolder !== undefined) await rm(tempFolder, { recursive: true, force: true });
    }
  }

  /** DuckDB compares paths as text, so links are resolved first. */
  async #target(file: string): Promise<string> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const { exportFolder, writeFolder = exportFolder } = this.#options;
    const [folder, ...allowed] = await Promise.all([path.dirname(file), exportFolder, writeFolder].map((one) => realpath(one)));
    if (folder === undefined || !allowed.some((one) => folder === one || folder.startsWith(`${one}${path.sep}`)))
      throw new Error("the export lies outside the export folder");
    return path.join(folder, path.basename(file));
  }
}

async function copy(connection: DuckDBConnection, { sql, parameters }: Compiled, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const prepared = await connection.prepare(sql);
  try {
    if (prepared.statementType !== StatementType.COPY) throw new Error(`refused a statement of type ${prepared.statementType}`);
    for (const [index, value] of parameters.entries()) bind(prepared, index + 1, value);
    const { rowsChanged } = await interruptible(connection, signal, () => prepared.run());
    return rowsChanged;
  } finally {
    prepared.destroySync();
  }
}

/** Polls the number of written rows. Returns a function that stops polling and resolves once the last poll has ended. */
function countRows(connection: DuckDBConnection, onRows: (rows: number) => void): () => Promise<void> {
  let poll: Promise<void> = Promise.resolve();
  let isIdle = true;
  const readCount = async () => {
    const result = await connection.runAndReadAll("select last_value from duckdb_sequences()");
    onRows(Number(result.getRows()[0]?.[0] ?? 0));
  };
  const timer = setInterval(() => {
    if (!isIdle) return;
    isIdle = false;
    // Progress is informational: the export itself reports failures.
    poll = readCount().catch(() => {});
    void poll.finally(() => (isIdle = true));
  }, countIntervalMs);
  return async () => {
    clearInterval(timer);
    await poll;
  };
}

function exportFailure(error: unknown): EngineFailed {
  const text = error instanceof Error ? error.message : String(error);
  if (text.includes("No space left on device")) {
    return new EngineFailed("failed", "The server's disk is full.", { cause: error });
  }
  return engineFailure(error);
}
