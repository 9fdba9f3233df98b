import { type TurnLimits, type TurnTask, type TurnWording, Turns } from "./turns.ts";

/** Turns of their own for each of several things, such as services, so that nobody waits for a slow one but those who use it. */
export class TurnsByName {
  readonly #limits: TurnLimits;
  readonly #wording: TurnWording;
  readonly #byName = new Map<string, Turns>();

  constructor(limits: TurnLimits, wording: TurnWording) {
    this.#limits = limits;
    this.#wording = wording;
  }

  /** Does work in a turn of this name. */
  async run<R>(name: string, work: () => Promise<R>, task: TurnTask = {}): Promise<R> {
    const turns = this.#byName.get(name) ?? new Turns(this.#limits, this.#wording);
    this.#byName.set(name, turns);
    try {
      return await turns.run(work, task);
    } finally {
      if (turns.inUse === 0 && turns.waiting === 0) this.#byName.delete(name);
    }
  }
}
