/**
 * What this tab remembers of its user over a reload: session storage, every entry bound to the username.
 * A chosen logout and another user's login empty it.
 */
interface Memory {
  restore(stored: unknown): void;
  forget(): void;
}

const prefix = "fairway.tab.";
const memories = new Map<string, Memory>();
let owner: string | null = null;

/** Adds something to remember. Answers the function that stores its present state; before a user is known that does nothing. */
export function rememberInTab(name: string, memory: Memory): (state: unknown) => void {
  memories.set(name, memory);
  // Parts of the application load late: what belongs to the signed-in user is theirs from the start.
  if (owner !== null) restoreOne(name, memory, owner);
  return (state) => {
    if (owner !== null) write(prefix + name, { owner, state });
  };
}

/** The signed-in user is known: takes up what this tab holds of them, and drops what it holds of anyone else. */
export function adoptTabMemory(username: string): void {
  if (owner === username) return;
  if (owner !== null) forgetTabMemory();
  owner = username;
  // Also of parts that are not loaded yet: nobody finds here what another left.
  for (const key of storedKeys()) if (ownerOf(read(key)) !== username) remove(key);
  for (const [name, memory] of memories) restoreOne(name, memory, username);
}

/** Forgets everything, on the screen and in the storage. */
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

// Storage may be closed to us or full: the tab then simply does not remember.
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
