import { type EngineCall, EngineFailed } from "#query/engine.ts";

export interface SlotLimits {
  /** Slots that one owner may hold at once. One slot is always left to the others, where there are several. */
  readonly perOwner: number;
  /** How many questions may wait, of all owners together. */
  readonly queue: number;
  /** How many questions of one owner may wait. */
  readonly queuePerOwner: number;
  readonly waitMs: number;
}

/** The names that a refusal uses. */
export interface SlotWording {
  /** Whose slots they are, at the beginning of a sentence. */
  readonly subject: string;
  /** What waits, in the plural. */
  readonly work: string;
}

interface Waiter<T> {
  readonly weight: number;
  /** Its place in its owner's line: lower goes first. */
  readonly rank: number;
  readonly enter: (thing: T) => void;
  readonly refuse: (failure: EngineFailed) => void;
}

interface Owner<T> {
  running: number;
  /** Weight that was served so far, on the clock that all owners share. */
  served: number;
  arrivals: number;
  readonly waiting: Set<Waiter<T>>;
}

/** A light question passes at most this many others of its owner; beyond that the order of arrival decides. */
const maxPassed = 32;

/**
 * Hands out a fixed number of things, fairly between their owners: each holds at most a share of them, and of those who
 * wait the one goes next who was served least, measured in weight. Within one owner light questions pass heavy ones. Decision 0111.
 */
export class Slots<T> {
  readonly #things: number;
  readonly #free: T[];
  readonly #owners = new Map<string, Owner<T>>();
  readonly #limits: SlotLimits;
  readonly #wording: SlotWording;
  /** Where the owner who was served last stood before. Owners who come new start here: nobody saves up turns. */
  #clock = 0;
  #taken = 0;
  #waiting = 0;

  constructor(things: readonly T[], limits: SlotLimits, wording: SlotWording) {
    this.#things = things.length;
    this.#free = [...things];
    this.#limits = limits;
    this.#wording = wording;
  }

  get taken(): number {
    return this.#taken;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Runs `work` with a thing of its own. `weight` says how much work it is, 1 for an ordinary question. Rejects at once when
   * aborted, as `too-many` when the owner's queue is full, and as `busy` when the queue is full or the wait too long.
   */
  async use<R>({ signal, owner: name }: EngineCall, work: (thing: T) => Promise<R>, weight = 1): Promise<R> {
    if (signal.aborted) throw abandoned(signal);
    const owner = this.#ownerOf(name);
    let thing: T;
    try {
      thing = await this.#acquire(owner, signal, weight);
    } catch (error) {
      this.#forgetIdle(name, owner);
      throw error;
    }
    try {
      return await work(thing);
    } finally {
      this.#taken -= 1;
      owner.running -= 1;
      this.#free.push(thing);
      this.#forgetIdle(name, owner);
      this.#serveWaiting();
    }
  }

  #acquire(owner: Owner<T>, signal: AbortSignal, weight: number): Promise<T> {
    const free = owner.running < this.#share ? this.#free.pop() : undefined;
    if (free !== undefined) {
      this.#count(owner, weight);
      return Promise.resolve(free);
    }
    if (owner.waiting.size >= this.#limits.queuePerOwner) return Promise.reject(this.#tooMany());
    if (this.#waiting >= this.#limits.queue && !this.#makeRoom(owner)) return Promise.reject(this.#busy("too many are waiting"));
    return this.#wait(owner, signal, weight);
  }

  #wait(owner: Owner<T>, signal: AbortSignal, weight: number): Promise<T> {
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
      const enter = (thing: T) => {
        leave();
        this.#count(owner, weight);
        resolve(thing);
      };
      const onAbort = () => refuse(abandoned(signal));
      const timer = setTimeout(() => refuse(this.#waitedTooLong(owner)), this.#limits.waitMs);
      signal.addEventListener("abort", onAbort, { once: true });
      const waiter = { weight, rank: owner.arrivals + Math.min(weight - 1, maxPassed), enter, refuse };
      owner.arrivals += 1;
      owner.waiting.add(waiter);
      this.#waiting += 1;
    });
  }

  get #share(): number {
    return Math.max(1, Math.min(this.#limits.perOwner, this.#things - 1));
  }

  #count(owner: Owner<T>, weight: number): void {
    const start = Math.max(owner.served, this.#clock);
    this.#clock = start;
    owner.served = start + weight;
    owner.running += 1;
    this.#taken += 1;
  }

  #serveWaiting(): void {
    while (this.#free.length > 0) {
      const next = this.#nextOwner();
      const first = next && smallest([...next.waiting], ({ rank }) => rank);
      const thing = first && this.#free.pop();
      if (thing === undefined) return;
      first?.enter(thing);
    }
  }

  #nextOwner(): Owner<T> | undefined {
    const eligible = [...this.#owners.values()].filter(({ waiting, running }) => waiting.size > 0 && running < this.#share);
    return smallest(eligible, ({ served }) => Math.max(served, this.#clock));
  }

  /** When the queue is full, whoever waits with the most questions loses the last one of them, not the newcomer. */
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

/** The first of those with the smallest value. */
function smallest<V>(all: readonly V[], valueOf: (one: V) => number): V | undefined {
  let best: V | undefined;
  let bestValue = Number.POSITIVE_INFINITY;
  for (const one of all) {
    const value = valueOf(one);
    if (value < bestValue) [best, bestValue] = [one, value];
  }
  return best;
}

/** Nobody waits for the answer any more. */
export const abandoned = (signal: AbortSignal): EngineFailed =>
  new EngineFailed("abandoned", "The query was cancelled because its caller left.", { cause: signal.reason });
