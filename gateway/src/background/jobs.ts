import { setTimeout as wait } from "node:timers/promises";
import { CoalescedRuns } from "#process/coalesced-runs.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import { withTimeout } from "#process/shutdown-stack.ts";

/** Why the runner interrupts a run: the reason of its signal. */
export class JobInterrupted extends Error {
  readonly why: "lost" | "timed-out" | "closing";

  constructor(why: JobInterrupted["why"]) {
    super(`the work was interrupted: ${why}`);
    this.why = why;
  }
}

/** The runner, as a run may ask it. */
export interface Job {
  /** Aborted with JobInterrupted, or with the error that `renew` resolved to. */
  readonly signal: AbortSignal;
  /** Renews now instead of at the next interval. Rejects if that fails. */
  readonly renew: () => Promise<void>;
  /**
   * Repeats work while the database is away, so that an outage costs neither the run nor its result. What stores a result has to
   * check whose the item is.
   */
  readonly persist: <T>(work: () => Promise<T>) => Promise<T>;
  /** Nothing more can be done for now: the gateway looks for work again at its next poll, or when it is woken. */
  readonly rest: () => void;
}

/**
 * One kind of background work, on tables of its own. An item belongs to one gateway as long as its lease lasts; what stores the
 * result of a run checks that it still does, so that late results change nothing.
 */
export interface JobKind<Item, Result = void> {
  /** Runs side by side on this gateway. Default: as many as are started. */
  readonly atOnce?: number;
  /** Interval of polling for work. Default: a second. */
  readonly pollMs?: number | undefined;
  /** When to look first. Default: after `pollMs`. */
  readonly firstMs?: number | undefined;
  /** How often a lease is renewed. Default: never, because it outlasts the run. */
  readonly renewMs?: number;
  /** Runs that take longer are interrupted. Default: no limit. */
  readonly timeoutMs?: number;
  /**
   * For work that cannot be interrupted: how long a gateway that stops waits for its runs, before it releases them and leaves them
   * alone. Default: they are interrupted and waited for.
   */
  readonly finishMs?: number;
  /** The waits between attempts to store a result. Default: up to a second each, until the gateway stops. */
  readonly retryMs?: readonly number[];
  /** Assigns at most so many items to this gateway, also what others have abandoned. Without it, only calls start work. */
  claim?(count: number): Promise<readonly Item[]>;
  /** Prolongs the lease. False: the item is not this gateway's any more. An error: the run has to end for this reason. */
  renew?(item: Item): Promise<boolean | Error>;
  run(item: Item, job: Job): Promise<Result>;
  /** Gives back an item whose run was interrupted because the gateway stops: another one may take it at once. */
  release?(item: Item): Promise<void>;
  /** Reports that the gateway could not look for work. Not called during outages, which the database layer reports. */
  couldNotLook?(error: unknown): void;
  /** Reports the unexpected failure of a run. Not called during outages. Default: its caller does. */
  failed?(error: unknown, item: Item): void;
}

interface Run<Item> {
  readonly item: Item;
  readonly stop: AbortController;
  /** Never rejects. */
  ended: Promise<void>;
}

const defaultPollMs = 1_000;
const maxRetryMs = 1_000;

/** Runs one kind of background work on this gateway. Close it before the database. Decision 0970. */
export class JobRunner<Item, Result = void> {
  readonly #kind: JobKind<Item, Result>;
  readonly #runs = new Set<Run<Item>>();
  readonly #claims = new CoalescedRuns(() => this.#claim());
  #claiming: Promise<void> | undefined;
  /** Slots that are reserved for work that is about to start. */
  #reserved = 0;
  #timer: NodeJS.Timeout | undefined;
  #isResting = false;
  #isClosing = false;

  constructor(kind: JobKind<Item, Result>) {
    this.#kind = kind;
    if (kind.claim !== undefined) this.wakeIn(kind.firstMs ?? kind.pollMs ?? defaultPollMs);
  }

  get running(): number {
    return this.#runs.size;
  }

  get isClosing(): boolean {
    return this.#isClosing;
  }

  /** Looks for work now. Resolves once what was found has started; never rejects. */
  wake(): Promise<void> {
    this.#isResting = false;
    return this.#look();
  }

  /** Looks for work after this time, and at each interval from then on. */
  wakeIn(delayMs: number): void {
    clearTimeout(this.#timer);
    if (this.#isClosing) return;
    this.#timer = setTimeout(() => {
      void this.wake();
      this.wakeIn(this.#kind.pollMs ?? defaultPollMs);
    }, delayMs).unref();
  }

  /** Looks for work now. Resolves when there is none left for this gateway. */
  async runDue(): Promise<void> {
    for (await this.wake(); this.#runs.size > 0; await this.#look()) await this.#allEnded();
  }

  /** Reserves a slot for a call that starts work, and returns a function that gives it back; undefined if all are taken. */
  async reserve(): Promise<(() => void) | undefined> {
    // Looking for work also reserves slots for a moment.
    while (this.#claiming !== undefined) await this.#claiming;
    if (this.#isClosing || this.#free <= 0) return undefined;
    this.#reserved += 1;
    return () => (this.#reserved -= 1);
  }

  /** Runs what the database has assigned to this gateway. The result may be ignored. */
  start(item: Item): Promise<Result> {
    const run: Run<Item> = { item, stop: new AbortController(), ended: Promise.resolve() };
    this.#runs.add(run);
    if (this.#isClosing && this.#kind.finishMs === undefined) run.stop.abort(new JobInterrupted("closing"));
    const work = this.#run(run).finally(() => {
      this.#runs.delete(run);
      void this.#look();
    });
    run.ended = work.then(
      () => undefined,
      (error: unknown) => this.#report(error, item),
    );
    return work;
  }

  /** Interrupts the runs of these items, and resolves once they have ended. */
  async interrupt(isMeant: (item: Item) => boolean): Promise<void> {
    const meant = [...this.#runs].filter(({ item }) => isMeant(item));
    for (const { stop } of meant) stop.abort(new JobInterrupted("lost"));
    await Promise.all(meant.map(({ ended }) => ended));
  }

  /** Interrupts what runs, and leaves it to other gateways or to the next start. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#isClosing = true;
    await this.#claims.close();
    const { finishMs } = this.#kind;
    if (finishMs === undefined) {
      for (const { stop } of this.#runs) stop.abort(new JobInterrupted("closing"));
      await this.#allEnded();
    } else {
      await (finishMs === Infinity ? this.#allEnded() : withTimeout(finishMs, this.#allEnded()));
      for (const { item } of this.#runs) await this.#release(item);
    }
  }

  get #free(): number {
    return (this.#kind.atOnce ?? Infinity) - this.#runs.size - this.#reserved;
  }

  async #allEnded(): Promise<void> {
    await Promise.all([...this.#runs].map(({ ended }) => ended));
  }

  async #look(): Promise<void> {
    if (this.#kind.claim === undefined || this.#isClosing) return;
    try {
      await this.#claims.request();
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) this.#kind.couldNotLook?.(error);
    }
  }

  async #claim(): Promise<void> {
    if (this.#free <= 0 || this.#isResting) return;
    const claiming = this.#claimFree(this.#free);
    this.#claiming = claiming.then(
      () => (this.#claiming = undefined),
      () => (this.#claiming = undefined),
    );
    await claiming;
  }

  async #claimFree(count: number): Promise<void> {
    this.#reserved += count;
    let items: readonly Item[] = [];
    try {
      items = (await this.#kind.claim?.(count)) ?? [];
    } finally {
      this.#reserved -= count;
    }
    for (const item of items) void this.start(item);
  }

  async #run({ item, stop }: Run<Item>): Promise<Result> {
    const kind = this.#kind;
    const { renewMs, timeoutMs } = kind;
    const renewals = new CoalescedRuns(async () => {
      const outcome = (await kind.renew?.(item)) ?? true;
      if (outcome !== true) stop.abort(outcome === false ? new JobInterrupted("lost") : outcome);
    });
    // The next renewal makes up for one that failed: a lease lasts for several of them.
    const renewing = renewMs && setInterval(() => void renewals.request().catch(() => undefined), renewMs).unref();
    const timeout = timeoutMs && setTimeout(() => stop.abort(new JobInterrupted("timed-out")), timeoutMs).unref();
    try {
      return await kind.run(item, {
        signal: stop.signal,
        renew: () => renewals.request(),
        persist: (work) => this.#persist(work),
        rest: () => (this.#isResting = true),
      });
    } finally {
      clearInterval(renewing);
      clearTimeout(timeout);
      // A renewal under way would take back what is released.
      await renewals.close();
      if (wasInterruptedBy(stop.signal, "closing")) await this.#release(item);
    }
  }

  async #persist<T>(work: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await work();
      } catch (error) {
        const waitMs = this.#retryMs(attempt);
        if (!(error instanceof DatabaseUnavailable) || waitMs === undefined) throw error;
        await wait(waitMs);
      }
    }
  }

  #retryMs(attempt: number): number | undefined {
    const { retryMs } = this.#kind;
    if (retryMs !== undefined) return retryMs[attempt];
    return this.#isClosing ? undefined : Math.min(maxRetryMs, 100 * 2 ** attempt);
  }

  async #release(item: Item): Promise<void> {
    try {
      await this.#kind.release?.(item);
    } catch (error) {
      // Its lease ends.
      this.#report(error, item);
    }
  }

  #report(error: unknown, item: Item): void {
    if (!(error instanceof DatabaseUnavailable)) this.#kind.failed?.(error, item);
  }
}

/** Whether the runner interrupted a run for this reason. */
export const wasInterruptedBy = ({ reason }: AbortSignal, why: JobInterrupted["why"]): boolean =>
  reason instanceof JobInterrupted && reason.why === why;
