import { currentOwner } from "./caller.ts";

export interface TurnLimits {
  /** Number of tasks that may run at once. */
  readonly turns: number;
  /** Number of these for one owner. If there are several turns, one always stays free for other owners. */
  readonly perOwner: number;
  /** Number of tasks of all owners together that may wait. */
  readonly queue: number;
  /** Number of tasks of one owner that may wait. */
  readonly queuePerOwner: number;
  readonly waitMs: number;
}

/** The terms used in refusal messages. */
export interface TurnWording {
  /** The owner of the turns, as the start of a sentence. */
  readonly subject: string;
  /** The work that waits for turns, in the plural. */
  readonly work: string;
}

export interface TurnTask {
  /** Default: whoever makes the current call. Undefined = the portal itself, which may have all turns. */
  readonly owner?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Cost relative to ordinary work. */
  readonly weight?: number;
  readonly isBackground?: boolean;
}

export interface Turn {
  /** From the arrival of the task to its start. */
  readonly waitedMs: number;
  /** Later calls have no effect. */
  readonly end: () => void;
}

/** `too-many`: the owner's queue is full. `busy`: the shared queue is full, or the wait was too long. `left`: the signal was aborted. */
export class TurnRefused extends Error {
  override readonly name = "TurnRefused";
  readonly why: "too-many" | "busy" | "left";
  readonly retryAfterSeconds: number;
  /** Whether other work of the same owner was in the way. */
  readonly isOwn: boolean;

  constructor(why: TurnRefused["why"], message: string, options: { isOwn?: boolean; retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.why = why;
    this.isOwn = options.isOwn ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

interface Options {
  /** Starts the timer of a wait and returns how to stop it. */
  readonly startTimer?: (ms: number, onEnd: () => void) => () => void;
  /** How much longer to wait after `waitMs`: 0 = not at all. `isOwn`: only other work of the owner is in the way. */
  readonly patience?: (wait: { readonly waitedMs: number; readonly isOwn: boolean }) => number;
}

interface Waiter {
  readonly weight: number;
  /** Within its owner. */
  readonly arrival: number;
  /** Position in its owner's queue: lower goes first. */
  readonly rank: number;
  readonly grant: () => void;
  readonly refuse: (failure: TurnRefused) => void;
}

interface Owner {
  readonly share: number;
  readonly isPortal: boolean;
  running: number;
  /** Total weight served, on the clock shared by all owners. */
  served: number;
  arrivals: number;
  /** In order of arrival. */
  readonly waiting: Set<Waiter>;
  readonly background: Set<Waiter>;
}

/** A light task overtakes at most this many tasks of its owner, so that heavy ones are not starved. */
const maxOvertaken = 32;

const portal = Symbol("the portal itself");

const startTimeout = (ms: number, onEnd: () => void): (() => void) => {
  if (ms === Infinity) return () => undefined;
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
};

/**
 * Shares a fixed number of turns fairly between owners: each has at most a share of them, waits in a line of its own, and the
 * waiting owner who was served the least weight goes next. Within one owner, light tasks overtake heavy ones. Decisions 0111 and
 * 0640. Background tasks go after all others, and of several turns they always leave one free.
 */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #wording: TurnWording;
  readonly #startTimer: NonNullable<Options["startTimer"]>;
  readonly #patience: NonNullable<Options["patience"]>;
  readonly #owners = new Map<string | typeof portal, Owner>();
  /** `served` of the last owner before it was served. New owners start here, so that idle owners cannot save up turns. */
  #clock = 0;
  #inUse = 0;
  #waiting = 0;

  constructor(limits: TurnLimits, wording: TurnWording, { startTimer = startTimeout, patience = () => 0 }: Options = {}) {
    this.#limits = limits;
    this.#wording = wording;
    this.#startTimer = startTimer;
    this.#patience = patience;
  }

  get inUse(): number {
    return this.#inUse;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /** Waits for a turn. Rejects with TurnRefused, immediately if the owner's queue is full. */
  async take(task: TurnTask = {}): Promise<Turn> {
    const { signal, weight = 1, isBackground = false } = task;
    if (signal?.aborted === true) throw leftBy(signal);
    const name = ("owner" in task ? task.owner : currentOwner()) ?? portal;
    const owner = this.#ownerOf(name);
    const arrivedMs = performance.now();
    try {
      await this.#acquire(owner, signal, weight, isBackground);
    } catch (error) {
      this.#forgetIdle(name, owner);
      throw error;
    }
    let isOver = false;
    const end = () => {
      if (isOver) return;
      isOver = true;
      this.#inUse -= 1;
      owner.running -= 1;
      this.#forgetIdle(name, owner);
      this.#serveWaiting();
    };
    return { waitedMs: performance.now() - arrivedMs, end };
  }

  /** Does work in a turn. */
  async run<R>(work: () => Promise<R>, task: TurnTask = {}): Promise<R> {
    const turn = await this.take(task);
    try {
      return await work();
    } finally {
      turn.end();
    }
  }

  #acquire(owner: Owner, signal: AbortSignal | undefined, weight: number, isBackground: boolean): Promise<void> {
    const isAllowed = owner.running < owner.share && (!isBackground || this.#hasRoomForBackground);
    if (isAllowed && this.#inUse < this.#limits.turns) {
      this.#count(owner, weight);
      return Promise.resolve();
    }
    if (owner.waiting.size + owner.background.size >= this.#limits.queuePerOwner) return Promise.reject(this.#tooMany());
    if (this.#waiting >= this.#limits.queue && (isBackground || !this.#makeRoom(owner))) {
      return Promise.reject(this.#busy("too many are waiting"));
    }
    return this.#wait(owner, signal, weight, isBackground);
  }

  #wait(owner: Owner, signal: AbortSignal | undefined, weight: number, isBackground: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const queue = isBackground ? owner.background : owner.waiting;
      const startedMs = performance.now();
      const leave = () => {
        queue.delete(waiter);
        this.#waiting -= 1;
        stopTimer();
        signal?.removeEventListener("abort", onAbort);
      };
      const refuse = (failure: TurnRefused) => {
        leave();
        reject(failure);
      };
      const grant = () => {
        leave();
        this.#count(owner, weight);
        resolve();
      };
      const onAbort = () => signal && refuse(leftBy(signal));
      const onTimeout = () => {
        const waitedMs = performance.now() - startedMs;
        const moreMs = this.#patience({ waitedMs, isOwn: isInOwnWay(owner) });
        if (moreMs > 0) stopTimer = this.#startTimer(moreMs, onTimeout);
        else refuse(this.#waitedTooLong(owner, waitedMs));
      };
      let stopTimer = this.#startTimer(this.#limits.waitMs, onTimeout);
      signal?.addEventListener("abort", onAbort, { once: true });
      const arrival = owner.arrivals;
      const waiter = { weight, arrival, rank: arrival + Math.min(weight - 1, maxOvertaken), grant, refuse };
      owner.arrivals += 1;
      queue.add(waiter);
      this.#waiting += 1;
    });
  }

  #count(owner: Owner, weight: number): void {
    const start = Math.max(owner.served, this.#clock);
    this.#clock = start;
    owner.served = start + weight;
    owner.running += 1;
    this.#inUse += 1;
  }

  #serveWaiting(): void {
    while (this.#inUse < this.#limits.turns && this.#waiting > 0) {
      const first = this.#next("waiting") ?? (this.#hasRoomForBackground ? this.#next("background") : undefined);
      if (first === undefined) return;
      first.grant();
    }
  }

  /** The last free turn is for tasks that somebody waits for. */
  get #hasRoomForBackground(): boolean {
    const { turns } = this.#limits;
    return turns - this.#inUse > 1 || turns === 1;
  }

  #next(queue: "waiting" | "background"): Waiter | undefined {
    const eligible = [...this.#owners.values()].filter((one) => one.running < one.share && one[queue].size > 0);
    const owner = smallest(eligible, ({ served }) => Math.max(served, this.#clock));
    return owner && firstOf(owner[queue]);
  }

  /** When the queue is full, the owner with the most waiting tasks loses the last of them instead of the newcomer being refused. */
  #makeRoom(newcomer: Owner): boolean {
    const waitingOf = ({ waiting, background }: Owner) => waiting.size + background.size;
    const longest = smallest([...this.#owners.values()], (owner) => -waitingOf(owner));
    if (longest === undefined || waitingOf(longest) <= waitingOf(newcomer) + 1) return false;
    const last = smallest([...longest.waiting, ...longest.background], ({ rank }) => -rank);
    last?.refuse(this.#busy("too many are waiting"));
    return last !== undefined;
  }

  #ownerOf(name: string | typeof portal): Owner {
    const known = this.#owners.get(name);
    if (known !== undefined) return known;
    const { turns, perOwner } = this.#limits;
    const isPortal = name === portal;
    const share = isPortal ? turns : Math.max(1, Math.min(perOwner, turns - 1));
    const owner = {
      share,
      isPortal,
      running: 0,
      served: this.#clock,
      arrivals: 0,
      waiting: new Set<Waiter>(),
      background: new Set<Waiter>(),
    };
    this.#owners.set(name, owner);
    return owner;
  }

  #forgetIdle(name: string | typeof portal, owner: Owner): void {
    const isIdle = owner.running === 0 && owner.waiting.size === 0 && owner.background.size === 0;
    if (isIdle && this.#owners.get(name) === owner) this.#owners.delete(name);
  }

  #waitedTooLong(owner: Owner, waitedMs: number): TurnRefused {
    const within = `within ${Math.round(waitedMs / 1_000)} s`;
    if (isInOwnWay(owner)) return this.#busy(`your other ${this.#wording.work} did not end ${within}`, true);
    return this.#busy(`no slot became free ${within}`);
  }

  #tooMany(): TurnRefused {
    const { queuePerOwner } = this.#limits;
    const message = `${queuePerOwner} of your ${this.#wording.work} are already waiting. Try again when some of them have finished.`;
    return new TurnRefused("too-many", message, { isOwn: true, retryAfterSeconds: this.#retryAfterSeconds });
  }

  #busy(why: string, isOwn = false): TurnRefused {
    const message = `${this.#wording.subject} is busy: ${why}. Try again in a moment.`;
    return new TurnRefused("busy", message, { isOwn, retryAfterSeconds: this.#retryAfterSeconds });
  }

  get #retryAfterSeconds(): number {
    const { waitMs } = this.#limits;
    return waitMs === Infinity ? 2 : Math.max(1, Math.ceil(waitMs / 6_000));
  }
}

/** Whether only other work of the same caller is in the way. */
const isInOwnWay = ({ running, share, isPortal }: Owner): boolean => !isPortal && running >= share;

/** Of those that arrived later than the first `maxOvertaken`, none can go first. */
function firstOf(waiting: ReadonlySet<Waiter>): Waiter | undefined {
  let first: Waiter | undefined;
  for (const waiter of waiting) {
    if (first !== undefined && waiter.arrival >= first.rank) break;
    if (first === undefined || waiter.rank < first.rank) first = waiter;
  }
  return first;
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

const leftBy = (signal: AbortSignal): TurnRefused => new TurnRefused("left", "The caller left.", { cause: signal.reason });
