import { type EngineCall, EngineFailed } from "#query/engine.ts";
import { traced } from "#tracing/trace.ts";

export interface SlotLimits {
  /** Slots that one owner may hold at once. If there are several slots, one always stays free for other owners. */
  readonly perOwner: number;
  /** How many tasks of all owners together may wait. */
  readonly queue: number;
  /** How many tasks of one owner may wait. */
  readonly queuePerOwner: number;
  readonly waitMs: number;
}

/** The terms used in refusal messages. */
export interface SlotWording {
  /** What the slots belong to, as the start of a sentence. */
  readonly subject: string;
  /** What waits for slots, in the plural. */
  readonly work: string;
}

interface Waiter<T> {
  readonly weight: number;
  /** Position in its owner's queue: lower goes first. */
  readonly rank: number;
  readonly isBackground: boolean;
  readonly grant: (resource: T) => void;
  readonly refuse: (failure: EngineFailed) => void;
}

interface Owner<T> {
  running: number;
  /** Total weight served, on the clock shared by all owners. */
  served: number;
  arrivals: number;
  readonly waiting: Set<Waiter<T>>;
}

/** A light task overtakes at most this many tasks of its owner, so that heavy ones are not starved. */
const maxOvertaken = 32;

/**
 * Shares a fixed number of resources fairly between owners: each holds at most a share of them, and the waiting owner who
 * was served the least weight goes next. Within one owner, light tasks overtake heavy ones. Decision 0111. Background tasks go
 * after all others, and of several resources they always leave one free.
 */
export class Slots<T> {
  readonly #total: number;
  readonly #free: T[];
  readonly #owners = new Map<string, Owner<T>>();
  readonly #limits: SlotLimits;
  readonly #wording: SlotWording;
  readonly #onWaited: (waitedMs: number) => void;
  /** `served` of the last owner before it was served. New owners start here, so that idle owners cannot save up turns. */
  #clock = 0;
  #inUse = 0;
  #waiting = 0;

  /** `onWaited` is called with the time from the arrival of each task to its start. */
  constructor(resources: readonly T[], limits: SlotLimits, wording: SlotWording, onWaited: (waitedMs: number) => void = () => undefined) {
    this.#total = resources.length;
    this.#free = [...resources];
    this.#limits = limits;
    this.#wording = wording;
    this.#onWaited = onWaited;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` with exclusive use of a resource. `weight` is the cost relative to an ordinary query. Rejects immediately if
   * aborted, with `too-many` if the owner's queue is full, and with `busy` if the shared queue is full or the wait too long.
   */
  use<R>(call: EngineCall, work: (resource: T) => Promise<R>, weight = 1): Promise<R> {
    return traced(
      () => ({ name: `slot for ${this.#wording.work}` }),
      (span) =>
        this.#use(call, work, weight, (waitedMs) => {
          span.set("fairway.queue_wait_ms", Math.round(waitedMs));
          this.#onWaited(waitedMs);
        }),
    );
  }

  async #use<R>(
    { signal, owner: name, isBackground = false }: EngineCall,
    work: (resource: T) => Promise<R>,
    weight: number,
    onGranted: (waitedMs: number) => void,
  ): Promise<R> {
    if (signal.aborted) throw abandoned(signal);
    const owner = this.#ownerOf(name);
    const arrivedMs = performance.now();
    let resource: T;
    try {
      resource = await this.#acquire(owner, signal, { weight, isBackground });
      onGranted(performance.now() - arrivedMs);
    } catch (error) {
      this.#forgetIdle(name, owner);
      throw error;
    }
    try {
      return await work(resource);
    } finally {
      this.#inUse -= 1;
      owner.running -= 1;
      this.#free.push(resource);
      this.#forgetIdle(name, owner);
      this.#serveWaiting();
    }
  }

  #acquire(owner: Owner<T>, signal: AbortSignal, task: Pick<Waiter<T>, "weight" | "isBackground">): Promise<T> {
    const isAllowed = owner.running < this.#share && (!task.isBackground || this.#hasRoomForBackground);
    const free = isAllowed ? this.#free.pop() : undefined;
    if (free !== undefined) {
      this.#count(owner, task.weight);
      return Promise.resolve(free);
    }
    if (owner.waiting.size >= this.#limits.queuePerOwner) return Promise.reject(this.#tooMany());
    if (this.#waiting >= this.#limits.queue && (task.isBackground || !this.#makeRoom(owner))) {
      return Promise.reject(this.#busy("too many are waiting"));
    }
    return this.#wait(owner, signal, task);
  }

  #wait(owner: Owner<T>, signal: AbortSignal, { weight, isBackground }: Pick<Waiter<T>, "weight" | "isBackground">): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        owner.waiting.delete(waiter);
        this.#waiting -= 1;
        clearTimeout(timer);
        signal.removeEventListener("abort", onAbort);
      };
      const refuse = (failure: EngineFailed) => {
        leave();
        reject(failure);
      };
      const grant = (resource: T) => {
        leave();
        this.#count(owner, weight);
        resolve(resource);
      };
      const onAbort = () => refuse(abandoned(signal));
      const timer = setTimeout(() => refuse(this.#waitedTooLong(owner)), this.#limits.waitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      const waiter = { weight, rank: owner.arrivals + Math.min(weight - 1, maxOvertaken), isBackground, grant, refuse };
      owner.arrivals += 1;
      owner.waiting.add(waiter);
      this.#waiting += 1;
    });
  }

  get #share(): number {
    return Math.max(1, Math.min(this.#limits.perOwner, this.#total - 1));
  }

  #count(owner: Owner<T>, weight: number): void {
    const start = Math.max(owner.served, this.#clock);
    this.#clock = start;
    owner.served = start + weight;
    owner.running += 1;
    this.#inUse += 1;
  }

  #serveWaiting(): void {
    while (this.#free.length > 0) {
      const first = this.#next(false) ?? (this.#hasRoomForBackground ? this.#next(true) : undefined);
      const resource = first && this.#free.pop();
      if (resource === undefined) return;
      first?.grant(resource);
    }
  }

  /** The last free resource is for tasks that somebody waits for. */
  get #hasRoomForBackground(): boolean {
    return this.#free.length > 1 || this.#total === 1;
  }

  #next(isBackground: boolean): Waiter<T> | undefined {
    const tasksOf = ({ waiting }: Owner<T>) => [...waiting].filter((task) => task.isBackground === isBackground);
    const eligible = [...this.#owners.values()].filter((owner) => owner.running < this.#share && tasksOf(owner).length > 0);
    const owner = smallest(eligible, ({ served }) => Math.max(served, this.#clock));
    return owner && smallest(tasksOf(owner), ({ rank }) => rank);
  }

  /** When the queue is full, the owner with the most waiting tasks loses the last of them instead of the newcomer being refused. */
  #makeRoom(newcomer: Owner<T>): boolean {
    const longest = smallest([...this.#owners.values()], ({ waiting }) => -waiting.size);
    if (longest === undefined || longest.waiting.size <= newcomer.waiting.size + 1) return false;
    const last = smallest([...longest.waiting], ({ rank }) => -rank);
    last?.refuse(this.#busy("too many are waiting"));
    return last !== undefined;
  }

  #ownerOf(name: string): Owner<T> {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const owner = { running: 0, served: this.#clock, arrivals: 0, waiting: new Set<Waiter<T>>() };
    this.#owners.set(name, owner);
    return owner;
  }

  #forgetIdle(name: string, owner: Owner<T>): void {
    if (owner.running === 0 && owner.waiting.size === 0 && this.#owners.get(name) === owner) this.#owners.delete(name);
  }

  #waitedTooLong({ running }: Owner<T>): EngineFailed {
    const within = `within ${Math.round(this.#limits.waitMs / 1_000)} s`;
    if (running >= this.#share) return this.#busy(`your other ${this.#wording.work} did not end ${within}`);
    return this.#busy(`no place came free ${within}`);
  }

  #tooMany(): EngineFailed {
    const { queuePerOwner } = this.#limits;
    const message = `${queuePerOwner} of your ${this.#wording.work} are waiting already. Try again when some of them have been answered.`;
    return new EngineFailed("too-many", message, { retryAfterSeconds: this.#retryAfterSeconds });
  }

  #busy(why: string): EngineFailed {
    const message = `${this.#wording.subject} is busy: ${why}. Try again in a moment.`;
    return new EngineFailed("busy", message, { retryAfterSeconds: this.#retryAfterSeconds });
  }

  get #retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#limits.waitMs / 6_000));
  }
}

/** The first item with the smallest value. */
function smallest<V>(items: readonly V[], valueOf: (item: V) => number): V | undefined {
  let best: V | undefined;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const value = valueOf(item);
    if (value < bestValue) [best, bestValue] = [item, value];
  }
  return best;
}

/** The caller no longer waits for the result. */
export const abandoned = (signal: AbortSignal): EngineFailed =>
  new EngineFailed("abandoned", "The query was cancelled because its caller left.", { cause: signal.reason });
