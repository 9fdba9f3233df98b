import { health } from "@fairway/contract/health";
import { call } from "./call.ts";
import { GatewayError } from "./gateway-error.ts";
import { currentLimits } from "./portal-settings.ts";

const reloadedKey = "fairway.reloaded-for";

/** A part of the application did not arrive. */
export class ChunkLoadError extends Error {
  constructor(cause: unknown) {
    super("This part of the application could not be loaded.", { cause });
    this.name = "ChunkLoadError";
  }
}

/** What loading a part needs from its surroundings. */
export interface ChunkSurroundings {
  limitMs(): number;
  /** Whether the server the page came from answers at all. */
  originAnswers(): Promise<boolean>;
  reload(): void;
  /** Survives a reload of this tab, nothing else. */
  memory: Pick<Storage, "getItem" | "setItem" | "removeItem">;
}

/**
 * Loads a lazy part of the application. A part that fails while the server answers is most likely of an older release:
 * the page is then reloaded, once per part, and the promise stays open meanwhile. Otherwise rejects with ChunkLoadError,
 * and after `limitMs` in any case.
 */
export async function loadChunk<T>(name: string, load: () => Promise<T>, around: ChunkSurroundings): Promise<T> {
  try {
    const part = await withinLimit(load(), around.limitMs());
    if (around.memory.getItem(reloadedKey) === name) around.memory.removeItem(reloadedKey);
    return part;
  } catch (cause) {
    // A part that used up the whole limit is told of at once: another round would double the wait.
    const slow = cause instanceof ChunkLoadError;
    if (slow || around.memory.getItem(reloadedKey) === name || !(await around.originAnswers())) {
      throw slow ? cause : new ChunkLoadError(cause);
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
  originAnswers: async () => {
    try {
      await call(health.live, {});
      return true;
    } catch (error) {
      if (error instanceof GatewayError) return error.status !== 0;
      throw error;
    }
  },
  reload: () => location.reload(),
  get memory() {
    return sessionStorage;
  },
};

/** Loads a part that is no screen, such as a dialog: what is on the page is never reloaded away for it. */
export const loadInPlace = <T>(load: () => Promise<T>): Promise<T> =>
  loadChunk("", load, { ...inBrowser, memory: sessionStorage, originAnswers: () => Promise.resolve(false) });

/** `loadChunk` for a screen in this page. `name` tells the parts apart. */
export const loadPart = <T>(name: string, load: () => Promise<T>): Promise<T> => loadChunk(name, load, inBrowser);
