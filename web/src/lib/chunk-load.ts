import { noteUnanswered } from "./connection.ts";
import { PartGoneError } from "./part-gone-error.ts";
import { currentLimits } from "./portal-settings.ts";
import { hasUnsavedChanges } from "./unsaved-changes.ts";

const reloadedKey = "fairway.reloaded-for";

/** A part of the application did not arrive. */
export class ChunkLoadError extends Error {
  /** The server has a newer release: only a reload brings the part. */
  readonly isOutdated: boolean;

  constructor(cause: unknown) {
    super("This part of the application could not be loaded.", { cause });
    this.name = "ChunkLoadError";
    this.isOutdated = cause instanceof PartGoneError;
  }
}

/** What loading a part needs from its surroundings. */
export interface ChunkSurroundings {
  limitMs(): number;
  /** False while the page holds something that a reload would lose. */
  mayReload(): boolean;
  reload(): void;
  /** The part did not arrive, which may be more than its own trouble. */
  noteUnanswered(): void;
  /** Survives a reload of this tab, nothing else. */
  memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * Loads a lazy part of the application. If the server runs a newer release, the page is reloaded, once per part, and the
 * promise stays open meanwhile. Otherwise rejects with ChunkLoadError, and after `limitMs` in any case.
 */
export async function loadChunk<T>(name: string, load: () => Promise<T>, around: ChunkSurroundings): Promise<T> {
  try {
    const part = await withinLimit(load(), around.limitMs());
    if (around.memory.getItem(reloadedKey) === name) around.memory.removeItem(reloadedKey);
    return part;
  } catch (cause) {
    if (!(cause instanceof PartGoneError)) around.noteUnanswered();
    if (!(cause instanceof PartGoneError) || around.memory.getItem(reloadedKey) === name || !around.mayReload()) {
      throw cause instanceof ChunkLoadError ? cause : new ChunkLoadError(cause);
    }
    around.memory.setItem(reloadedKey, name);
    around.reload();
    return new Promise<never>(() => {});
  }
}

function withinLimit<T>(loading: Promise<T>, limitMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChunkLoadError(new Error(`Not loaded within ${limitMs} ms.`))), limitMs);
    loading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

const inBrowser: ChunkSurroundings = {
  limitMs: () => currentLimits().chunkLoadLimitMs,
  mayReload: () => !hasUnsavedChanges(),
  reload: () => location.reload(),
  noteUnanswered,
  get memory() {
    return sessionStorage;
  },
};

/** Loads a part that is no screen, such as a dialog: what is on the page is never reloaded away for it. */
export const loadInPlace = <T>(load: () => Promise<T>): Promise<T> =>
  loadChunk("", load, { ...inBrowser, memory: sessionStorage, mayReload: () => false });

/** `loadChunk` for a screen in this page. `name` tells the parts apart. */
export const loadPart = <T>(name: string, load: () => Promise<T>): Promise<T> => loadChunk(name, load, inBrowser);
