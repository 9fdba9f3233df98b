/** Value stored in this browser; null if there is none, or if the storage is blocked. */
export const readLocal = (key: string): string | null => attempt(() => localStorage.getItem(key)) ?? null;

/** Does nothing if the storage is blocked or full. */
export const writeLocal = (key: string, value: string): void => attempt(() => localStorage.setItem(key, value));

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}
