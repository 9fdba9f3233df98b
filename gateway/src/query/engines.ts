import { type DatasetSource, EngineFailed, type QueryEngine } from "./engine.ts";

/** An engine that stays open until it is released. */
export interface EngineLease {
  readonly engine: QueryEngine;
  readonly release: () => void;
}

export interface Engines {
  /** The engine that answers for a source, opened where needed. Rejects with EngineFailed where it cannot be opened. */
  lease(source: DatasetSource): Promise<EngineLease>;
}

/** How an engine is opened, and from what. */
export interface EngineDefinition<Settings> {
  /** Read for every lease, so it has to be quick. An engine of other settings is replaced, and closed once its last lease is released. */
  settings(): Promise<Settings>;
  open(settings: Settings): Promise<QueryEngine>;
  close(engine: QueryEngine): Promise<void>;
}

/** For an engine that no live configuration concerns: whoever opened it closes it. */
export const openedEngine = (engine: QueryEngine): EngineDefinition<null> => ({
  settings: () => Promise.resolve(null),
  open: () => Promise.resolve(engine),
  close: () => Promise.resolve(),
});

type EngineName = "files" | "rest";

interface EngineLog {
  error(details: object, message: string): void;
}

/** Engines by name, each opened at its first lease (decision 0231). */
export class EngineRegistry implements Engines {
  readonly #engines: Readonly<Record<EngineName, NamedEngine>>;

  constructor(definitions: Readonly<Record<EngineName, EngineDefinition<unknown>>>, log: EngineLog) {
    this.#engines = { files: new NamedEngine("files", definitions.files, log), rest: new NamedEngine("rest", definitions.rest, log) };
  }

  lease(source: DatasetSource): Promise<EngineLease> {
    return this.#engines[nameOf(source)].lease();
  }

  /** Closes every engine, leased or not. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#engines).map((engine) => engine.close()));
  }
}

function nameOf(source: DatasetSource): EngineName {
  switch (source.kind) {
    case "files":
    // No engine of tables is connected; the one of files says so.
    case "table":
      return "files";
    case "rest":
      return "rest";
    default:
      return source satisfies never;
  }
}

/** One engine of one state of its settings. */
interface Opened {
  readonly settings: string;
  readonly engine: Promise<QueryEngine>;
  leases: number;
  closing: Promise<void> | undefined;
}

class NamedEngine {
  readonly #name: EngineName;
  readonly #definition: EngineDefinition<unknown>;
  readonly #log: EngineLog;
  /** Those that are not closed yet. */
  readonly #opened = new Set<Opened>();
  /** The one that new leases are of. */
  #last: Opened | undefined;

  constructor(name: EngineName, definition: EngineDefinition<unknown>, log: EngineLog) {
    this.#name = name;
    this.#definition = definition;
    this.#log = log;
  }

  async lease(): Promise<EngineLease> {
    const opened = this.#current(await this.#definition.settings());
    opened.leases += 1;
    let isReleased = false;
    const release = () => {
      if (isReleased) return;
      isReleased = true;
      opened.leases -= 1;
      if (opened !== this.#last) this.#closeUnused(opened);
    };
    try {
      return { engine: await opened.engine, release };
    } catch (error) {
      release();
      if (error instanceof EngineFailed) throw error;
      throw new EngineFailed("not-ready", `The engine '${this.#name}' cannot be opened now. Tell an administrator.`, {
        cause: error,
        retryAfterSeconds: 60,
      });
    }
  }

  async close(): Promise<void> {
    await Promise.all(Array.from(this.#opened, (opened) => (opened.closing ??= this.#close(opened))));
  }

  #current(settings: unknown): Opened {
    const last = this.#last;
    const key = JSON.stringify(settings);
    if (last?.settings === key && last.closing === undefined) return last;
    const engine = this.#definition.open(settings);
    const opened: Opened = { settings: key, engine, leases: 0, closing: undefined };
    // The next lease tries again.
    engine.catch(() => this.#forget(opened));
    this.#opened.add(opened);
    this.#last = opened;
    if (last !== undefined) this.#closeUnused(last);
    return opened;
  }

  #closeUnused(opened: Opened): void {
    if (opened.leases === 0 && this.#opened.has(opened)) opened.closing ??= this.#close(opened);
  }

  async #close(opened: Opened): Promise<void> {
    try {
      await this.#definition.close(await opened.engine);
    } catch (error) {
      this.#log.error({ err: error, engine: this.#name }, "an engine could not be closed");
    } finally {
      this.#forget(opened);
    }
  }

  #forget(opened: Opened): void {
    this.#opened.delete(opened);
    if (this.#last === opened) this.#last = undefined;
  }
}
