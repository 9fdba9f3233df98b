import { checkConnection } from "../gateway/connection.ts";
import { PartNotFoundError } from "./part-not-found-error.ts";
import { currentLimits } from "../gateway/portal-settings.ts";
import { hasUnsavedChanges } from "./unsaved-changes.ts";

const reloadedKey = "fairway.reloaded-for";

/** A lazy part of the application could not be loaded. */
export class ChunkLoadError extends Error {
  /** The server runs another release, so only a page reload can load the part. */
  readonly isOutdated: boolean;

  constructor(cause: unknown) {
    super("This part of the application could not be loaded.", { cause });
    this.name = "ChunkLoadError";
    this.isOutdated = cause instanceof PartNotFoundError;
  }
}

/** Functions of the page that loading a part needs. */
export interface ChunkEnvironment {
  timeoutMs(): number;
  /** False while the page holds unsaved changes. */
  mayReload(): boolean;
  reload(): void;
  /** Called if the part could not be fetched, because the connection may be lost. */
  checkConnection(): void;
  /** Must survive a reload of this tab. */
  memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * Loads a lazy part of the application. If the server runs another release, the page is reloaded, once per part, and the
 * promise stays pending. Otherwise rejects with ChunkLoadError, at the latest after `timeoutMs`.
 */
export async function loadChunk<T>(name: string, load: () => Promise<T>, environment: ChunkEnvironment): Promise<T> {
  try {
    const part = await withTimeout(load(), environment.timeoutMs());
    if (environment.memory.getItem(reloadedKey) === name) environment.memory.removeItem(reloadedKey);
    return part;
  } catch (cause) {
    if (!(cause instanceof PartNotFoundError)) environment.checkConnection();
    if (!(cause instanceof PartNotFoundError) || environment.memory.getItem(reloadedKey) === name || !environment.mayReload()) {
      throw cause instanceof ChunkLoadError ? cause : new ChunkLoadError(cause);
    }
    environment.memory.setItem(reloadedKey, name);
    environment.reload();
    return new Promise<never>(() => {});
  }
}

function withTimeout<T>(loading: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError(new Error(`Not loaded within ${timeoutMs} ms.`))), timeoutMs);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const browserEnvironment: ChunkEnvironment = {
  timeoutMs: () => currentLimits().chunkLoadLimitMs,
  mayReload: () => !hasUnsavedChanges(),
  reload: () => location.reload(),
  checkConnection,
  get memory() {
    return sessionStorage;
  },
};

/** Loads a part that is not a screen, such as a dialog. Never reloads the page. */
export const loadInPlace = <T>(load: () => Promise<T>): Promise<T> =>
  loadChunk("", load, { ...browserEnvironment, memory: sessionStorage, mayReload: () => false });

/** `loadChunk` for a screen. `name` identifies the part. */
export const loadPart = <T>(name: string, load: () => Promise<T>): Promise<T> => loadChunk(name, load, browserEnvironment);
