import { currentTracer } from "#tracing/trace.ts";
import { type DatasetSource, EngineFailed, type QueryEngine } from "./engine.ts";
import { tracedEngine } from "./traced-engine.ts";

/** An engine that stays open until it is released. */
export interface EngineLease {
  readonly engine: QueryEngine;
  readonly release: () => void;
}

export interface Engines {
  /** The engine for a source, opened on demand. Rejects with EngineFailed if it cannot be opened. */
  lease(source: DatasetSource): Promise<EngineLease>;
}

/** How to open an engine, and with which settings. */
export interface EngineDefinition<Settings> {
  /** Read for every lease, so it must be fast. When the settings change, a new engine replaces the old one, which closes after its last lease. */
  settings(): Promise<Settings>;
  open(settings: Settings): Promise<QueryEngine>;
  close(engine: QueryEngine): Promise<void>;
}

/** For an engine that does not depend on the live configuration. The caller closes it. */
export const openedEngine = (engine: QueryEngine): EngineDefinition<null> => ({
  settings: () => Promise.resolve(null),
  open: () => Promise.resolve(engine),
  close: () => Promise.resolve(),
});

type EngineName = "files" | "tables" | "rest";

interface EngineLog {
  error(details: object, message: string): void;
}

/** Engines by name, each opened on first lease (decision 0231). */
export class EngineRegistry implements Engines {
  readonly #engines: Readonly<Record<EngineName, NamedEngine>>;

  constructor(definitions: Readonly<Record<EngineName, EngineDefinition<unknown>>>, log: EngineLog) {
    this.#engines = {
      files: new NamedEngine("files", definitions.files, log),
      tables: new NamedEngine("tables", definitions.tables, log),
      rest: new NamedEngine("rest", definitions.rest, log),
    };
  }

  lease(source: DatasetSource): Promise<EngineLease> {
    return this.#engines[engineNameOf(source)].lease();
  }

  /** Closes every engine, leased or not. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#engines).map((engine) => engine.close()));
  }
}

export function engineNameOf(source: DatasetSource): EngineName {
  switch (source.kind) {
    case "files":
    case "copies":
    case "imported":
      return "files";
    case "table":
      return "tables";
    case "rest":
      return "rest";
    default:
      return source satisfies never;
  }
}

/** An engine opened with one version of its settings. */
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
  /** All that are not closed yet. */
  readonly #opened = new Set<Opened>();
  /** The one that new leases get. */
  #latest: Opened | undefined;

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
      if (opened !== this.#latest) this.#closeUnused(opened);
    };
    try {
      const engine = await opened.engine;
      return { engine: currentTracer() === undefined ? engine : tracedEngine(this.#name, engine), release };
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
    const previous = this.#latest;
    const key = JSON.stringify(settings);
    if (previous?.settings === key && previous.closing === undefined) return previous;
    const engine = this.#definition.open(settings);
    const opened: Opened = { settings: key, engine, leases: 0, closing: undefined };
    // Forgetting it makes the next lease try again.
    engine.catch(() => this.#forget(opened));
    this.#opened.add(opened);
    this.#latest = opened;
    if (previous !== undefined) this.#closeUnused(previous);
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
    if (this.#latest === opened) this.#latest = undefined;
  }
}
