import { currentOwner } from "./caller.ts";
import type { Turns } from "./turns.ts";

/**
 * Work whose result several callers wait for: it starts with the first turn that any of them gets, so that none waits in another's
 * line. It fails without a start only when all of them have been refused a turn.
 */
export class SharedWork<R> {
  readonly done: Promise<R>;
  readonly #turns: Turns;
  readonly #work: () => Promise<R>;
  readonly #signal: AbortSignal | undefined;
  /** Owners that wait for a turn. */
  readonly #owners = new Set<string | undefined>();
  #resolve: (result: Promise<R>) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;
  #hasStarted = false;

  /** The signal ends the wait for a turn. */
  constructor(turns: Turns, work: () => Promise<R>, signal?: AbortSignal) {
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.#turns = turns;
    this.#work = work;
    this.#signal = signal;
  }

  /** Waits on behalf of the current caller, too. */
  join(): Promise<R> {
    const owner = currentOwner();
    if (!this.#hasStarted && !this.#owners.has(owner)) {
      this.#owners.add(owner);
      void this.#takeTurn(owner);
    }
    return this.done;
  }

  async #takeTurn(owner: string | undefined): Promise<void> {
    try {
      const turn = await this.#turns.take({ owner, signal: this.#signal });
      if (this.#hasStarted) return turn.end();
      this.#hasStarted = true;
      const working = this.#work();
      this.#resolve(working);
      await working.catch(() => undefined);
      turn.end();
    } catch (error) {
      this.#owners.delete(owner);
      if (!this.#hasStarted && this.#owners.size === 0) this.#reject(error);
    }
  }
}
