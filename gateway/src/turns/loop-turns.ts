/** A turn of the event loop takes new work for this long; the rest waits for the next turn. */
const newWorkMs = 15;
/** Pieces of a turn at most. */
const piecesPerTurn = 64;

/**
 * Shares the event loop between callers. While little arrives, work starts at once. Of much that arrives together, a little starts in
 * each turn of the loop, by turns between the owners, so that the loop stays free for what is under way and for others.
 */
export class LoopTurns {
  readonly #waiting = new Lines();
  #turnStartMs: number | undefined;
  #isServing = false;

  /**
   * Calls `start` now or in a later turn of the loop. `owner` names whoever it is for, from the outside in: first come turns between
   * the first names, such as addresses, then turns between the second names within each.
   */
  enter(owner: readonly string[], start: () => void): void {
    if (this.#waiting.isEmpty && this.#hasTime()) return start();
    this.#waiting.push(owner, start);
    if (this.#isServing) return;
    this.#isServing = true;
    this.#planTurn();
  }

  /** Each piece has an immediate of its own, so that what it goes on with at once counts, too. */
  #planTurn(): void {
    for (let piece = 0; piece < piecesPerTurn; piece += 1) setImmediate(() => this.#hasTime() && this.#waiting.shift()?.());
    setImmediate(() => {
      if (this.#waiting.isEmpty) this.#isServing = false;
      else this.#planTurn();
    });
  }

  #hasTime(): boolean {
    const nowMs = performance.now();
    if (this.#turnStartMs === undefined) {
      this.#turnStartMs = nowMs;
      setImmediate(() => (this.#turnStartMs = undefined));
    }
    return nowMs - this.#turnStartMs < newWorkMs;
  }
}

/** Lines within lines, which are served by turns. */
class Lines {
  readonly #lines = new Map<string, Lines>();
  readonly #items: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#items.length === 0 && this.#lines.size === 0;
  }

  push([name, ...inner]: readonly string[], item: () => void): void {
    if (name === undefined) {
      this.#items.push(item);
      return;
    }
    const line = this.#lines.get(name) ?? new Lines();
    this.#lines.set(name, line);
    line.push(inner, item);
  }

  shift(): (() => void) | undefined {
    const [first] = this.#lines;
    if (first === undefined) return this.#items.shift();
    const [name, line] = first;
    const item = line.shift();
    // Its next one goes after those of all others.
    this.#lines.delete(name);
    if (!line.isEmpty) this.#lines.set(name, line);
    return item;
  }
}
