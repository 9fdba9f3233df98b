/**
 * State of this tab that survives a reload. Stored in session storage, each entry bound to a username.
 * Cleared by an explicit logout and by another user's login.
 */
interface Memory {
  restore(stored: unknown): void;
  forget(): void;
}

const prefix = "fairway.tab.";
const memories = new Map<string, Memory>();
let owner: string | null = null;

/** Registers a piece of state. Returns the function that stores its current value, a no-op until the user is known. */
export function rememberInTab(name: string, memory: Memory): (state: unknown) => void {
  memories.set(name, memory);
  // Parts that load lazily restore their state as soon as they register.
  if (owner !== null) restoreOne(name, memory, owner);
  return (state) => {
    if (owner !== null) write(prefix + name, { owner, state });
  };
}

/** Called once the signed-in user is known. Restores their state and removes that of other users. */
export function adoptTabMemory(username: string): void {
  if (owner === username) return;
  if (owner !== null) forgetTabMemory();
  owner = username;
  // Includes entries of parts that are not loaded yet.
  for (const key of storedKeys()) if (ownerOf(read(key)) !== username) remove(key);
  for (const [name, memory] of memories) restoreOne(name, memory, username);
}

/** Clears all state, both in memory and in the storage. */
export function forgetTabMemory(): void {
  owner = null;
  for (const memory of memories.values()) memory.forget();
  for (const key of storedKeys()) remove(key);
}

function restoreOne(name: string, memory: Memory, username: string): void {
  const stored = read(prefix + name);
  if (isStored(stored) && stored.owner === username) memory.restore(stored.state);
}

const isStored = (value: unknown): value is { owner: unknown; state: unknown } =>
  typeof value === "object" && value !== null && "owner" in value && "state" in value;

const ownerOf = (stored: unknown): unknown => (isStored(stored) ? stored.owner : undefined);

// Storage may be blocked or full. The tab then keeps nothing.
function attempt<T>(action: (storage: Storage) => T): T | undefined {
  try {
    return action(sessionStorage);
  } catch (error) {
    if (error instanceof DOMException || error instanceof ReferenceError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

const read = (key: string): unknown => attempt((storage) => JSON.parse(storage.getItem(key) ?? "null") as unknown);
const write = (key: string, value: unknown): void => attempt((storage) => storage.setItem(key, JSON.stringify(value)));
const remove = (key: string): void => attempt((storage) => storage.removeItem(key));
const storedKeys = (): string[] => attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? [];
