/**
 * A map that forgets what was not used for long: two generations, so that a hit costs one lookup and no reordering.
 * Holds between half of `capacity` and `capacity` entries once full.
 */
export class BoundedCache<V> {
  readonly #half: number;
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }

  /** Forgets every entry that `matches`. */
  forget(matches: (value: V, key: string) => boolean): void {
    for (const generation of [this.#young, this.#old]) {
      for (const [key, value] of generation) if (matches(value, key)) generation.delete(key);
    }
  }
}
