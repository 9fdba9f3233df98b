import { type DatasetRef, datasetKey } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { BaseLogger } from "pino";
import { CoalescedRuns } from "#coalesced-runs.ts";
import type { GuardedPool } from "#database/guarded-pool.ts";
import { EngineFailed } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { ProfileStore } from "./store.ts";

/** An enabled internal dataset, as far as its profile depends on it. */
export interface ProfiledDataset {
  readonly dataset: DatasetRef;
  /** Identifies its data. A profile of other data is not shown. */
  readonly source: string;
  /** Plain columns. */
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Whether its readers may see different rows: then it has no profile. Default: false. */
  readonly hasRowsPerReader?: boolean;
}

export interface ProfilerParts<Dataset extends ProfiledDataset = ProfiledDataset> {
  readonly store: ProfileStore;
  /** For the lock that lets one gateway at a time compute profiles. */
  readonly pool: Pick<GuardedPool, "connect">;
  readonly internalDatasets: () => Promise<readonly Dataset[]>;
  readonly use: <T>(dataset: Dataset, work: (dataset: SearchableDataset) => Promise<T>) => Promise<T>;
  readonly limits: Pick<Limits, "profileIntervalHours" | "profileTimeoutMs">;
  readonly log: Pick<BaseLogger, "warn" | "error">;
  /** When to look for work first, and how often then. */
  readonly startDelayMs?: number;
  readonly pollMs?: number;
}

/** Arbitrary, but must not be used by another advisory lock. */
const profileLock = 7_102_133;
const heartbeatMs = 10_000;
/** Profiles share the engine like one more user. */
const owner = "portal: profiles";

/** Computes profiles in the background, one dataset at a time over all gateways. Decision 0401. */
export class Profiler<Dataset extends ProfiledDataset> {
  readonly #parts: ProfilerParts<Dataset>;
  readonly #closing = new AbortController();
  #current: { readonly dataset: DatasetRef; readonly source: string; readonly canceled: AbortController } | undefined;
  readonly #runs = new CoalescedRuns(() => this.#work());
  #timer: NodeJS.Timeout;

  constructor(parts: ProfilerParts<Dataset>) {
    this.#parts = parts;
    this.#timer = this.#schedule(parts.startDelayMs ?? 5_000);
  }

  /** Looks for work now. Resolves when there is none left for this gateway. */
  run(): Promise<void> {
    return this.#runs.request();
  }

  /** Call when datasets may have changed. Cancels the profile of a dataset that was removed, disabled or given other data. */
  datasetsChanged(): void {
    this.#onDatasetsChanged().catch((error: unknown) => this.#parts.log.warn({ err: error }, "could not look for changed datasets"));
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error("the gateway is stopping"));
    clearTimeout(this.#timer);
    await this.#runs.close();
  }

  #schedule(delayMs: number): NodeJS.Timeout {
    clearTimeout(this.#timer);
    return setTimeout(() => {
      void this.run();
      this.#timer = this.#schedule(this.#parts.pollMs ?? 60_000);
    }, delayMs).unref();
  }

  async #onDatasetsChanged(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    const current = this.#current;
    const isProfiled = (one: ProfiledDataset) => current !== undefined && isSame(one, current);
    if (current !== undefined && !(await this.#parts.internalDatasets()).some(isProfiled))
      current.canceled.abort(new Error("the dataset changed"));
    this.#timer = this.#schedule(changeDelayMs);
  }

  async #work(): Promise<void> {
    const { log, store } = this.#parts;
    try {
      await this.#withLock(async () => {
        await store.failAbandoned();
        for (;;) {
          const next = this.#closing.signal.aborted ? undefined : await this.#next();
          if (next === undefined || !(await this.#profile(next))) break;
        }
        await store.removeOrphans();
      });
    } catch (error) {
      log.warn({ err: error }, "could not compute profiles of datasets");
    }
  }

  async #withLock(work: () => Promise<void>): Promise<void> {
    const client = await this.#parts.pool.connect();
    try {
      const { rows } = await client.query<{ acquired: boolean }>("select pg_try_advisory_lock($1) as acquired", [profileLock]);
      if (rows[0]?.acquired === true) {
        await work();
        await client.query("select pg_advisory_unlock($1)", [profileLock]);
      }
    } catch (error) {
      client.release(true);
      throw error;
    }
    client.release();
  }

  /** Requested ones first, then those without a profile of their data, then the oldest. */
  async #next(): Promise<Dataset | undefined> {
    const { store, internalDatasets, limits } = this.#parts;
    const [datasets, attempts] = await Promise.all([internalDatasets(), store.attempts(limits.profileIntervalHours * 3_600)]);
    const attemptOn = ({ dataset }: Dataset) => attempts.get(datasetKey(dataset));
    const isNew = (one: Dataset) => attemptOn(one)?.source !== one.source;
    const byKey = new Map(datasets.map((one) => [datasetKey(one.dataset), one]));
    const oldest = [...attempts].find(([key, { isOld }]) => isOld && byKey.has(key));
    return datasets.find((one) => attemptOn(one)?.isRequested === true) ?? datasets.find(isNew) ?? (oldest && byKey.get(oldest[0]));
  }

  /** False if profiles have to wait until later. */
  async #profile(profiled: Dataset): Promise<boolean> {
    const { store, use, limits, log } = this.#parts;
    const { dataset, source } = profiled;
    const canceled = new AbortController();
    await store.begin(dataset, source);
    this.#current = { dataset, source, canceled };
    // A missed heartbeat is harmless: the timeout is six times the interval.
    const heartbeat = setInterval(() => void store.heartbeat(dataset).catch(() => undefined), heartbeatMs);
    try {
      const signal = AbortSignal.any([canceled.signal, this.#closing.signal]);
      const measured = await use(profiled, async (searchable) => {
        // Nobody may see values of other rows.
        const query = { conditions: searchable.queryable.ownConditions, timeoutMs: limits.profileTimeoutMs };
        if (searchable.engine.profileDataset === undefined)
          throw new EngineFailed("unsupported", "The engine of this dataset computes no profiles.");
        return searchable.engine.profileDataset(searchable.queryable, query, { signal, owner });
      });
      await store.save(dataset, source, measured);
      return true;
    } catch (error) {
      if (canceled.signal.aborted || this.#closing.signal.aborted || isBusy(error)) {
        await store.postpone(dataset);
        return canceled.signal.aborted;
      }
      if (!(error instanceof EngineFailed)) log.error({ err: error, dataset: dataset.datasetId }, "a profile failed");
      await store.fail(dataset, problemOf(error, limits.profileTimeoutMs));
      return true;
    } finally {
      clearInterval(heartbeat);
      this.#current = undefined;
    }
  }
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
