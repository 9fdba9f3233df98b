import { mkdir, realpath, rm } from "node:fs/promises";
import path from "node:path";
import { type DuckDBConnection, StatementType } from "@duckdb/node-api";
import { EngineFailed } from "#query/engine.ts";
import type { Compiled } from "#query/sql/compile.ts";
import { rowCounter } from "./export-sql.ts";
import { type InstanceOptions, openLockedInstance } from "./locked-instance.ts";
import { bind, engineFailure } from "./query-runner.ts";

const countEveryMs = 200;
/** An interrupt sent before DuckDB's worker has started is lost, so it is sent again until the statement has ended. */
const interruptEveryMs = 50;

export interface ExporterOptions extends Pick<InstanceOptions, "dataFolder" | "copyFolder"> {
  /** The only folder below which files are written, what large sorts put aside among them. */
  readonly exportFolder: string;
  /** Memory of one running export. */
  readonly exportMemoryMb: number;
}

/**
 * Writes files, each in an instance of its own that ends with it: what an export held in memory is given back, and a
 * search never waits for one. A single thread leaves cores to searches, keeps rows in the order in which they are
 * read, and spares the buffers that several would need for that.
 */
export class Exporter {
  readonly #options: ExporterOptions;

  constructor(options: ExporterOptions) {
    this.#options = options;
  }

  /** `compile` is handed the file's path with its links resolved. Answers how many rows it wrote. */
  async write(file: string, compile: (path: string) => Compiled, onRows: (rows: number) => void, signal: AbortSignal): Promise<number> {
    let tempFolder: string | undefined;
    try {
      const target = await this.#target(file);
      tempFolder = `${target}.spill`;
      const { instance } = await openLockedInstance({
        dataFolder: this.#options.dataFolder,
        copyFolder: this.#options.copyFolder,
        tempFolder,
        threads: 1,
        ordersThreads: false,
        memoryLimitMb: this.#options.exportMemoryMb,
        writes: target,
      });
      try {
        const [writer, counter] = await Promise.all([instance.connect(), instance.connect()]);
        await writer.run(`create sequence ${rowCounter}`);
        const stopCounting = countRows(counter, onRows);
        try {
          return await copy(writer, compile(target), signal);
        } finally {
          await stopCounting();
        }
      } finally {
        instance.closeSync();
      }
    } catch (error) {
      if (signal.aborted) throw new EngineFailed("abandoned", "The export was cancelled.", { cause: signal.reason });
      throw exportFailure(error);
    } finally {
      if (tempFolder !== undefined) await rm(tempFolder, { recursive: true, force: true });
    }
  }

  /** DuckDB compares paths as texts, so links are resolved first. */
  async #target(file: string): Promise<string> {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    const [folder, allowed] = await Promise.all([realpath(path.dirname(file)), realpath(this.#options.exportFolder)]);
    if (folder !== allowed && !folder.startsWith(`${allowed}${path.sep}`)) throw new Error("an export outside the folder of exports");
    return path.join(folder, path.basename(file));
  }
}

async function copy(connection: DuckDBConnection, { sql, parameters }: Compiled, signal: AbortSignal): Promise<number> {
  signal.throwIfAborted();
  const prepared = await connection.prepare(sql);
  let interrupts: NodeJS.Timeout | undefined;
  const stop = () => {
    connection.interrupt();
    interrupts = setInterval(() => connection.interrupt(), interruptEveryMs);
  };
  signal.addEventListener("abort", stop, { once: true });
  try {
    if (prepared.statementType !== StatementType.COPY) throw new Error(`refused a statement of type ${prepared.statementType}`);
    for (const [index, value] of parameters.entries()) bind(prepared, index + 1, value);
    signal.throwIfAborted();
    const { rowsChanged } = await prepared.run();
    return rowsChanged;
  } finally {
    signal.removeEventListener("abort", stop);
    clearInterval(interrupts);
    prepared.destroySync();
  }
}

/** Asks again and again how many rows have passed; answers how to stop, which resolves once nothing runs any more. */
function countRows(connection: DuckDBConnection, onRows: (rows: number) => void): () => Promise<void> {
  let asking: Promise<void> = Promise.resolve();
  let idle = true;
  const ask = async () => {
    const answer = await connection.runAndReadAll("select last_value from duckdb_sequences()");
    onRows(Number(answer.getRows()[0]?.[0] ?? 0));
  };
  const timer = setInterval(() => {
    if (!idle) return;
    idle = false;
    // For show only: what goes wrong with the export, the export itself tells.
    asking = ask().catch(() => {});
    void asking.finally(() => (idle = true));
  }, countEveryMs);
  return async () => {
    clearInterval(timer);
    await asking;
  };
}

function exportFailure(error: unknown): EngineFailed {
  const text = error instanceof Error ? error.message : String(error);
  if (text.includes("No space left on device")) {
    return new EngineFailed("failed", "There is no room left on the server's disk.", { cause: error });
  }
  return engineFailure(error);
}
