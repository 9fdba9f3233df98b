import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { traced } from "#tracing/trace.ts";
import { type Turn, type TurnLimits, TurnRefused, type TurnTask, type TurnWording, Turns } from "#turns/turns.ts";

export type SlotLimits = Omit<TurnLimits, "turns">;

/** A fixed number of resources, each for the exclusive use of whoever has the turn. Shared between owners as `Turns` are. */
export class Slots<T> {
  readonly #free: T[];
  readonly #turns: Turns;
  readonly #wording: TurnWording;
  readonly #onWaited: (waitedMs: number) => void;

  /** `onWaited` is called with the time from the arrival of each task to its start. */
  constructor(resources: readonly T[], limits: SlotLimits, wording: TurnWording, onWaited: (waitedMs: number) => void = () => undefined) {
    this.#free = [...resources];
    this.#turns = new Turns({ ...limits, turns: resources.length }, wording);
    this.#wording = wording;
    this.#onWaited = onWaited;
  }

  get inUse(): number {
    return this.#turns.inUse;
  }

  get waiting(): number {
    return this.#turns.waiting;
  }

  /**
   * Runs `work` with exclusive use of a resource. `weight` is the cost relative to an ordinary query. Rejects immediately if
   * aborted, with `too-many` if the owner's queue is full, and with `busy` if the shared queue is full or the wait too long.
   */
  use<R>({ signal, owner, isBackground = false }: EngineCall, work: (resource: T) => Promise<R>, weight = 1): Promise<R> {
    return traced(
      () => ({ name: `slot for ${this.#wording.work}` }),
      async (span) => {
        const turn = await this.#take({ signal, owner, isBackground, weight });
        try {
          span.set("fairway.queue_wait_ms", Math.round(turn.waitedMs));
          this.#onWaited(turn.waitedMs);
          const resource = this.#free.pop();
          if (resource === undefined) throw new Error("a slot was granted without a resource");
          try {
            return await work(resource);
          } finally {
            this.#free.push(resource);
          }
        } finally {
          turn.end();
        }
      },
    );
  }

  async #take(task: TurnTask & Pick<EngineCall, "signal">): Promise<Turn> {
    try {
      return await this.#turns.take(task);
    } catch (error) {
      if (!(error instanceof TurnRefused)) throw error;
      if (error.why === "left") throw abandoned(task.signal);
      throw new EngineFailed(error.why, error.message, { retryAfterSeconds: error.retryAfterSeconds });
    }
  }
}

/** The caller no longer waits for the result. */
export const abandoned = (signal: AbortSignal): EngineFailed =>
  new EngineFailed("abandoned", "The query was canceled because its caller left.", { cause: signal.reason });
