import { mkdir } from "node:fs/promises";
import type { Limits } from "@fairway/contract/limits";
import { sql } from "kysely";
import type { QueryEngine } from "#query/engine.ts";
import { compileRaw } from "#query/sql/compile.ts";
import { SqlEngine, checkOptions, ownCall } from "#query/sql/engine.ts";
import { type SqlLimits, slotLimits } from "#query/sql/server.ts";
import { type TableSource, inPlace } from "#query/sql/table-source.ts";
import { Exporter } from "./exporter.ts";
import { type InstanceOptions, openLockedInstance } from "./locked-instance.ts";
import { type QueryConnection, QueryRunner } from "./query-runner.ts";
import { DuckDbServer } from "./server.ts";
import { SourceMetadataCache } from "./source-metadata.ts";
import { TextCopies } from "./text/text-copies.ts";

export interface DuckDbOptions extends Omit<InstanceOptions, "writes"> {
  /** The folder that exports are written to. Created if missing. */
  readonly exportFolder: string;
  /** Also written to, for datasets of users. Default: none. Created if missing. */
  readonly writeFolder?: string | undefined;
  readonly limits: SqlLimits & Pick<Limits, "exportMemoryMb" | "convertedFilesBytes">;
  readonly log: { warn(details: object, message: string): void };
  /** Called with the time that each query waited for a slot. */
  readonly onWaited?: (waitedMs: number) => void;
}

/**
 * Opens the embedded engine over the files of one folder. UV_THREADPOOL_SIZE must be large enough, because each running
 * query occupies a thread of the pool. Decision 0008.
 */
export async function openDuckDb(options: DuckDbOptions): Promise<DuckDbEngine> {
  const { exportFolder, limits, log } = options;
  const locked = await openLockedInstance(options);
  await mkdir(exportFolder, { recursive: true, mode: 0o700 });
  if (options.writeFolder !== undefined) await mkdir(options.writeFolder, { recursive: true, mode: 0o700 });
  const connections = await Promise.all(Array.from({ length: limits.engineSlots }, () => locked.instance.connect()));
  const runner = new QueryRunner(connections, slotLimits(limits), options.onWaited);
  const exporter = new Exporter({ ...options, exportMemoryMb: limits.exportMemoryMb });
  const copies = new TextCopies(locked.copyFolder, limits.convertedFilesBytes);
  await copies.removeUnfinished();
  const sources = new SourceMetadataCache(locked.dataFolder, copies);
  return new DuckDbEngine({ server: new DuckDbServer({ locked, runner, sources, exporter, log }), limits, source: inPlace });
}

type Engine = Required<QueryEngine>;

interface Parts {
  readonly server: DuckDbServer;
  readonly limits: SqlLimits;
  readonly source: TableSource;
  /** Whether another engine closes the server. */
  readonly isShared?: boolean;
}

/** The engine of files. */
export class DuckDbEngine extends SqlEngine<QueryConnection> {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    super(parts.server, parts.source, parts.limits);
    this.#parts = parts;
  }

  /** The same engine over files that are elsewhere. This one is closed with it. */
  over(source: TableSource): DuckDbEngine {
    return new DuckDbEngine({ ...this.#parts, source, isShared: true });
  }

  readonly inspect: Engine["inspect"] = (source, columns, call) => {
    const { server, source: files } = this.#parts;
    return files.inspect(source, call, (found) => server.runner.run(call, (connection) => server.inspect(found, columns, connection)));
  };

  readonly notes: Engine["notes"] = (source, call) => {
    const { server, source: files } = this.#parts;
    return files.notes(source, call, (found) => server.runner.run(call, (connection) => server.notes(found, connection)));
  };

  readonly reading: Engine["reading"] = (source, call) => {
    const { server, source: files } = this.#parts;
    return files.reading(source, call, (found) =>
      server.runner.run(call, (connection) => server.reading(found, connection), checkOptions(found)),
    );
  };

  readonly unreadable: Engine["unreadable"] = (source, pages, call) => {
    const { server, source: files } = this.#parts;
    return files.use(source, {}, call, (found) =>
      server.runner.run(call, (connection) => server.unreadable(found, pages, connection), checkOptions(found)),
    );
  };

  async version(): Promise<string> {
    const [row] = await this.#parts.server.runner.run(ownCall(), (connection) => connection.rows(compileRaw(sql`select version()`)));
    return String(row?.[0]);
  }

  override close(): Promise<void> {
    return this.#parts.isShared === true ? Promise.resolve() : super.close();
  }
}
