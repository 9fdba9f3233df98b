/** A piece of state that is stored. */
export interface Memory {
  restore(stored: unknown): void;
  forget(): void;
}

/**
 * State of one user in a storage of the browser. Each entry is bound to its owner; the entries of others are removed as soon as
 * the user is known. Storage may be blocked or full: the state then lasts as long as the page.
 */
export class OwnedMemory {
  readonly #storage: () => Storage;
  readonly #prefix: string;
  readonly #memories = new Map<string, Memory>();
  #owner: string | null = null;

  constructor(storage: () => Storage, prefix: string) {
    this.#storage = storage;
    this.#prefix = prefix;
  }

  /** Registers a piece of state. Returns the function that stores its current value, a no-op until the user is known. */
  remember(name: string, memory: Memory): (state: unknown) => void {
    this.#memories.set(name, memory);
    // Parts that load lazily restore their state as soon as they register.
    if (this.#owner !== null) this.#restore(name, memory, this.#owner);
    return (state) => {
      if (this.#owner !== null) this.#write(this.#prefix + name, { owner: this.#owner, state });
    };
  }

  /** Called once the signed-in user is known. Restores their state and removes that of other users. */
  adopt(owner: string): void {
    if (this.#owner === owner) return;
    if (this.#owner !== null) this.forget();
    this.#owner = owner;
    // Includes entries of parts that are not loaded yet.
    for (const key of this.#keys()) if (ownerOf(this.#read(key)) !== owner) this.#remove(key);
    for (const [name, memory] of this.#memories) this.#restore(name, memory, owner);
  }

  /** Stores and restores a state that comes from elsewhere, unless there is one. */
  takeOver(name: string, state: unknown): void {
    if (this.#owner === null || isStored(this.#read(this.#prefix + name))) return;
    this.#write(this.#prefix + name, { owner: this.#owner, state });
    this.#memories.get(name)?.restore(state);
  }

  /** Empties the storage and stores nothing more. What is in memory stays, for a screen that is about to be left. */
  close(): void {
    this.#owner = null;
    for (const key of this.#keys()) this.#remove(key);
  }

  /** Clears all state, both in memory and in the storage. */
  forget(): void {
    this.#owner = null;
    for (const memory of this.#memories.values()) memory.forget();
    this.close();
  }

  /** Takes over what another tab has stored under a key of the storage. */
  follow(key: string | null): void {
    if (this.#owner === null || key === null || !key.startsWith(this.#prefix)) return;
    const name = key.slice(this.#prefix.length);
    const memory = this.#memories.get(name);
    if (memory) this.#restore(name, memory, this.#owner);
  }

  #restore(name: string, memory: Memory, owner: string): void {
    const stored = this.#read(this.#prefix + name);
    if (isStored(stored) && stored.owner === owner) memory.restore(stored.state);
  }

  #attempt<T>(action: (storage: Storage) => T): T | undefined {
    try {
      return action(this.#storage());
    } catch (error) {
      if (error instanceof DOMException || error instanceof ReferenceError || error instanceof SyntaxError) return undefined;
      throw error;
    }
  }

  #read(key: string): unknown {
    return this.#attempt((storage) => JSON.parse(storage.getItem(key) ?? "null") as unknown);
  }

  #write(key: string, value: unknown): void {
    this.#attempt((storage) => storage.setItem(key, JSON.stringify(value)));
  }

  #remove(key: string): void {
    this.#attempt((storage) => storage.removeItem(key));
  }

  #keys(): string[] {
    return this.#attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(this.#prefix))) ?? [];
  }
}

const isStored = (value: unknown): value is { owner: unknown; state: unknown } =>
  typeof value === "object" && value !== null && "owner" in value && "state" in value;

const ownerOf = (stored: unknown): unknown => (isStored(stored) ? stored.owner : undefined);
