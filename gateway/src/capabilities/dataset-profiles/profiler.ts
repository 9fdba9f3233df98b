import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { BaseLogger } from "pino";
import { type Job, type JobKind, type JobRunner, wasInterruptedBy } from "#background/jobs.ts";
import type { GuardedClient, GuardedPool } from "#database/guarded-pool.ts";
import { EngineFailed } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { Begun, ProfileStore } from "./store.ts";

/** An enabled dataset that is not external, as far as its profile depends on it. */
export interface ProfiledDataset {
  readonly dataset: DatasetRef;
  /** Identifies its data. A profile of other data is not shown. */
  readonly source: string;
  /** Whether a user has brought it. Its rows never change for one source. Default: false. */
  readonly isOwn?: boolean;
  /** Plain columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Whether its readers may see different rows: then it has no profile. Default: false. */
  readonly hasRowsPerReader?: boolean;
}

export interface ProfilerParts<Dataset extends ProfiledDataset = ProfiledDataset> {
  readonly store: ProfileStore;
  /** For the lock that lets one gateway at a time compute profiles. */
  readonly pool: Pick<GuardedPool, "connect">;
  readonly profiledDatasets: () => Promise<readonly Dataset[]>;
  readonly use: <T>(dataset: Dataset, work: (dataset: SearchableDataset) => Promise<T>) => Promise<T>;
  readonly limits: Pick<Limits, "profileIntervalHours" | "profileTimeoutMs">;
  readonly log: Pick<BaseLogger, "warn" | "error">;
  /** When to look for work first, and how often then. */
  readonly startDelayMs?: number;
  readonly pollMs?: number;
  readonly heartbeatMs?: number;
}

/** Arbitrary, but must not be used by another advisory lock. */
const profileLock = 7_102_133;
/** Profiles share the engine like one more user. */
const owner = "portal: profiles";

/** A profile that this gateway computes while it holds the lock. */
export interface ProfileRun<Dataset extends ProfiledDataset> {
  readonly profiled: Dataset;
  readonly begun: Begun;
  readonly lock: GuardedClient;
}

/**
 * Computes profiles in the background, one dataset at a time over all gateways. They are not repeated at once: one whose gateway
 * stopped has failed until the next interval. Decision 0401.
 */
export class Profiler<Dataset extends ProfiledDataset> implements JobKind<ProfileRun<Dataset>> {
  readonly atOnce = 1;
  readonly firstMs: number;
  readonly pollMs: number;
  readonly renewMs: number;
  readonly #parts: ProfilerParts<Dataset>;

  constructor(parts: ProfilerParts<Dataset>) {
    this.firstMs = parts.startDelayMs ?? 5_000;
    this.pollMs = parts.pollMs ?? 60_000;
    this.renewMs = parts.heartbeatMs ?? 10_000;
    this.#parts = parts;
  }

  async claim(): Promise<ProfileRun<Dataset>[]> {
    const { pool, store } = this.#parts;
    const lock = await pool.connect();
    try {
      const { rows } = await lock.query<{ acquired: boolean }>("select pg_try_advisory_lock($1) as acquired", [profileLock]);
      if (rows[0]?.acquired !== true) {
        lock.release();
        return [];
      }
      await store.failAbandoned();
      const profiled = await this.#next();
      if (profiled !== undefined) return [{ profiled, begun: await store.begin(profiled.dataset, profiled.source), lock }];
      await store.removeOrphans();
    } catch (error) {
      // Closing the connection also gives up the lock.
      lock.release(true);
      throw error;
    }
    await unlock(lock);
    return [];
  }

  renew({ begun }: ProfileRun<Dataset>): Promise<boolean> {
    return this.#parts.store.heartbeat(begun);
  }

  async run(run: ProfileRun<Dataset>, job: Job): Promise<void> {
    try {
      await this.#profile(run, job);
    } finally {
      await unlock(run.lock);
    }
  }

  release({ begun }: ProfileRun<Dataset>): Promise<void> {
    return this.#parts.store.postpone(begun);
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.warn({ err: error }, "could not compute profiles of datasets");
  }

  failed(error: unknown): void {
    this.couldNotLook(error);
  }

  /** Requested ones first, then those without a profile of their data, then the oldest. */
  async #next(): Promise<Dataset | undefined> {
    const { store, profiledDatasets, limits } = this.#parts;
    const [datasets, attempts] = await Promise.all([profiledDatasets(), store.attempts(limits.profileIntervalHours * 3_600)]);
    const attemptOn = ({ dataset }: Dataset) => attempts.get(datasetKey(dataset));
    const isNew = (one: Dataset) => attemptOn(one)?.source !== one.source;
    const byKey = new Map(datasets.map((one) => [datasetKey(one.dataset), one]));
    const oldest = [...attempts].find(([key, { isOld, isMeasured }]) => isOld && !(isMeasured && byKey.get(key)?.isOwn) && byKey.has(key));
    return datasets.find((one) => attemptOn(one)?.isRequested === true) ?? datasets.find(isNew) ?? (oldest && byKey.get(oldest[0]));
  }

  async #profile({ profiled, begun }: ProfileRun<Dataset>, { signal, persist, rest }: Job): Promise<void> {
    const { store, use, limits, log } = this.#parts;
    try {
      const measured = await use(profiled, async (searchable) => {
        // Nobody may see values of other rows.
        const query = { conditions: searchable.queryable.ownConditions, timeoutMs: limits.profileTimeoutMs };
        if (searchable.engine.profileDataset === undefined)
          throw new EngineFailed("unsupported", "The engine of this dataset computes no profiles.");
        return searchable.engine.profileDataset(searchable.queryable, query, { signal, owner });
      });
      await persist(() => store.save(begun, measured));
    } catch (error) {
      if (wasInterruptedBy(signal, "closing")) return;
      if (signal.aborted) return store.postpone(begun);
      if (isBusy(error)) {
        rest();
        return store.postpone(begun);
      }
      if (!(error instanceof EngineFailed)) log.error({ err: error, dataset: begun.dataset.datasetId }, "a profile failed");
      await persist(() => store.fail(begun, problemOf(error, limits.profileTimeoutMs)));
    }
  }
}

/** Call when datasets may have changed. Cancels the profile of a dataset that was removed, disabled or given other data. */
export async function profileChanged<Dataset extends ProfiledDataset>(
  profiler: JobRunner<ProfileRun<Dataset>>,
  profiledDatasets: () => Promise<readonly Dataset[]>,
): Promise<void> {
  const datasets = profiler.running === 0 ? [] : await profiledDatasets();
  profiler.wakeIn(changeDelayMs);
  await profiler.interrupt(({ begun }) => !datasets.some((one) => isSame(one, begun)));
}

async function unlock(lock: GuardedClient): Promise<void> {
  try {
    await lock.query("select pg_advisory_unlock($1)", [profileLock]);
  } catch {
    // The lock ends with its connection.
    lock.release(true);
    return;
  }
  lock.release();
}

/** Changes often come in groups. */
const changeDelayMs = 2_000;

const isSame = (one: ProfiledDataset, other: Pick<ProfiledDataset, "dataset" | "source">): boolean =>
  one.source === other.source && datasetKey(one.dataset) === datasetKey(other.dataset);

const isBusy = (error: unknown): boolean => error instanceof EngineFailed && (error.reason === "busy" || error.reason === "too-many");

function problemOf(error: unknown, timeoutMs: number): string {
  if (!(error instanceof EngineFailed)) return "Something went wrong on the server.";
  if (error.reason === "timed-out") return `It took longer than ${timeoutMs / 1_000} s and was stopped.`;
  if (error.reason === "out-of-memory") return "It needs more memory than the engine may use.";
  return error.message;
}
