import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, SourceNotReady, unfinishedRows } from "#query/engine.ts";
import type { LiveReporter } from "#live-changes.ts";
import type { FileStore } from "#storage/storage.ts";
import { type ExportRecord, type ExportResult, runKey } from "./export-record.ts";
import { type ExportLimits, type PreparedExport, type Searches, prepareExport } from "./exportable.ts";
import type { ExportProgress, ExportRepository } from "./repository.ts";
import { writeExport } from "./write.ts";
import { systemCode } from "#system-code.ts";

export interface ExportCounts {
  readonly rows: { increment(by: number): void };
  readonly bytes: { increment(by: number): void };
  readonly failures: { increment(by?: number): void };
}

export interface ExportLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface RunnerParts {
  readonly searches: Searches;
  /** The user's current account; undefined if it is deleted or locked. */
  readonly findOwner: (userId: string) => Promise<SignedInUser | undefined>;
  readonly repository: ExportRepository;
  readonly store: FileStore;
  /** Folder for unfinished files. The engine must be allowed to write to it. */
  readonly scratchFolder: string;
  readonly limits: ExportLimits;
  readonly counts: ExportCounts;
  readonly live: LiveReporter;
  readonly log: ExportLog;
}

/** Tells the owner's tabs that the state of an export is another one. */
export const tellOwner = (live: LiveReporter, { id, ownerId }: Pick<ExportRecord, "id" | "ownerId">): void =>
  live.report({ topic: "exports", id, audience: { users: [ownerId] } });

/** Why a run ends before its file is complete. */
type Stop =
  | { readonly kind: "failed"; readonly failure: string }
  /** Canceled, removed or taken over by another gateway: there is nothing to report. */
  | { readonly kind: "lost" }
  /** The gateway is stopping: another one takes over. */
  | { readonly kind: "released" };

const reportIntervalMs = 500;
/** Progress is shown about once a second. */
const tellIntervalMs = 900;
const retryIntervalMs = 1_000;

/** Runs the exports of this gateway. */
export class ExportRunner {
  readonly #parts: RunnerParts;
  readonly #runs = new Map<string, Run>();
  readonly #closing = new AbortController();
  #reserved = 0;
  #takingOver: Promise<void> | undefined;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  get running(): number {
    return this.#runs.size;
  }

  /** Reserves a slot for a new export and returns a function that releases it; undefined if all slots are taken. */
  async reserve(): Promise<(() => void) | undefined> {
    // The search for abandoned exports also reserves a slot for a moment; wait until it is released.
    while (this.#takingOver !== undefined) await this.#takingOver;
    return this.#reserveNow();
  }

  /** Starts a run that the database has assigned to this gateway. */
  start(record: ExportRecord): void {
    const run = new Run(record, this.#parts, this.#closing.signal);
    this.#runs.set(record.id, run);
    void run.ended.finally(() => this.#runs.delete(record.id));
  }

  /** Stops the run of a canceled export; resolves once it has ended. */
  async stop(exportId: string): Promise<void> {
    const run = this.#runs.get(exportId);
    run?.stop({ kind: "lost" });
    await run?.ended;
  }

  /** Takes over exports that other gateways abandoned, while slots are free. */
  async takeOver(): Promise<void> {
    if (this.#takingOver !== undefined) return;
    const work = this.#takeOver();
    this.#takingOver = work.then(
      () => (this.#takingOver = undefined),
      () => (this.#takingOver = undefined),
    );
    await work;
  }

  /** Interrupts all runs, leaving them to other gateways or to the next start of this one. */
  async close(): Promise<void> {
    this.#closing.abort();
    const runs = [...this.#runs.values()];
    for (const run of runs) run.stop({ kind: "released" });
    await Promise.all(runs.map(({ ended }) => ended));
  }

  async #takeOver(): Promise<void> {
    const { repository, counts, live } = this.#parts;
    const failed = await repository.failAbandoned([...this.#runs.keys()], "The export was interrupted several times. Start it again.");
    counts.failures.increment(failed.length);
    for (const record of failed) tellOwner(live, record);
    for (let releaseSlot = this.#reserveNow(); releaseSlot !== undefined; releaseSlot = this.#reserveNow()) {
      try {
        const record = await repository.takeOver([...this.#runs.keys()]);
        if (record === undefined) return;
        this.start(record);
        tellOwner(live, record);
      } finally {
        releaseSlot();
      }
    }
  }

  #reserveNow(): (() => void) | undefined {
    if (this.#closing.signal.aborted || this.#runs.size + this.#reserved >= this.#parts.limits.exportsAtOnce) return undefined;
    this.#reserved += 1;
    return () => (this.#reserved -= 1);
  }
}

/** One run of one export. */
class Run {
  /** Never rejects: failures are reported to the repository. */
  readonly ended: Promise<void>;
  readonly #record: ExportRecord;
  readonly #parts: RunnerParts;
  readonly #scratch: string;
  readonly #closing: AbortSignal;
  readonly #stop = new AbortController();
  readonly #startedMs = Date.now();
  #progress: ExportProgress = { rows: 0, totalRows: null, bytes: 0 };
  #isComplete = false;
  #told = { ms: 0, rows: 0, totalRows: null as number | null };

  constructor(record: ExportRecord, parts: RunnerParts, closing: AbortSignal) {
    this.#record = record;
    this.#parts = parts;
    this.#closing = closing;
    this.#scratch = join(parts.scratchFolder, runKey(record));
    this.ended = this.#execute();
  }

  stop(reason: Stop): void {
    this.#stop.abort(reason);
  }

  async #execute(): Promise<void> {
    const { limits, log } = this.#parts;
    const timeout = setTimeout(() => this.stop({ kind: "failed", failure: tooLong(limits.exportTimeoutMs) }), limits.exportTimeoutMs);
    const stopReporting = this.#startReporting();
    try {
      await this.#write();
    } catch (error) {
      // A pending report would overwrite the final state.
      await stopReporting();
      await this.#removeScratch();
      await this.#reportEnd(error).catch((cause: unknown) =>
        log.error({ ...this.#logFields, err: cause }, "could not store the end of an export"),
      );
    } finally {
      clearTimeout(timeout);
      await stopReporting();
    }
  }

  /** Checks the owner's permissions again: the export may have waited for a gateway. */
  async #write(): Promise<void> {
    const { ownerId, dataset, request } = this.#record;
    const owner = await this.#parts.findOwner(ownerId);
    if (owner === undefined) throw new Refusal("forbidden", "The export was stopped: its owner cannot sign in.");
    const datasetPath = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
    const written = await prepareExport(this.#parts.searches, owner, datasetPath, request, (prepared) =>
      this.#writeScratch(owner, prepared),
    );
    await this.#keep(written);
  }

  async #writeScratch(owner: SignedInUser, prepared: PreparedExport): Promise<ExportResult> {
    const { exportMaxRows: maxRows } = this.#parts.limits;
    this.#stop.signal.throwIfAborted();
    const { rows, cut } = await writeExport(
      prepared,
      {
        format: this.#record.request.format,
        path: this.#scratch,
        maxRows,
        onRows: (written) => (this.#progress = { ...this.#progress, rows: written }),
        onTotal: (totalRows) => (this.#progress = { ...this.#progress, totalRows }),
      },
      { signal: this.#stop.signal, owner: owner.id, user: owner.username },
    );
    this.#progress = { ...this.#progress, rows };
    return { ...resultOf(owner, prepared, this.#record), cut, maxRows };
  }

  /** Moves the complete file to the store and finishes the export, unless the run is no longer the current one. */
  async #keep(result: ExportResult): Promise<void> {
    const { repository, store, counts, log } = this.#parts;
    await this.#measure();
    this.#isComplete = true;
    await this.#persist(() => this.#report());
    this.#stop.signal.throwIfAborted();
    await store.moveIn(runKey(this.#record), this.#scratch);
    const isCurrent = await this.#persist(() => repository.finish(this.#record, this.#progress, result));
    if (!isCurrent) {
      await store.remove(runKey(this.#record));
      throw new Error("the export was canceled or taken over by another gateway");
    }
    tellOwner(this.#parts.live, this.#record);
    counts.rows.increment(this.#progress.rows);
    counts.bytes.increment(this.#progress.bytes);
    log.info({ ...this.#logFields, ...this.#progress, cut: result.cut, ms: Date.now() - this.#startedMs }, "export done");
  }

  /** Reports progress at intervals. Returns a function that stops it and resolves once no report is pending. */
  #startReporting(): () => Promise<void> {
    let reporting: Promise<void> | undefined;
    const timer = setInterval(() => {
      // The next report makes up for a failed one.
      reporting ??= this.#report()
        .catch(() => undefined)
        .finally(() => (reporting = undefined));
    }, reportIntervalMs);
    return async () => {
      clearInterval(timer);
      await reporting;
    };
  }

  /** The size of the file, and of rows for it, as far as they are written. A complete one is measured once, because it then moves to the store. */
  async #measure(): Promise<void> {
    const rows = unfinishedRows({ path: this.#scratch });
    const files = [this.#scratch, ...(await namesIn(rows)).map((name) => join(rows, name))];
    const bytes = (await Promise.all(files.map(sizeOf))).reduce((sum, size) => sum + size, 0);
    if (!this.#isComplete) this.#progress = { ...this.#progress, bytes };
  }

  async #report(): Promise<void> {
    await this.#measure();
    const usedBytes = await this.#parts.repository.report(this.#record, this.#progress);
    this.#tellProgress();
    if (usedBytes === undefined) this.stop({ kind: "lost" });
    else if (usedBytes >= this.#parts.limits.exportFilesBytes) {
      this.stop({
        kind: "failed",
        failure: "The export was stopped: the storage for exports is full. Narrow the search, or try again later.",
      });
    }
  }

  #tellProgress(): void {
    const { rows, totalRows } = this.#progress;
    const nowMs = Date.now();
    if (nowMs - this.#told.ms < tellIntervalMs || (rows === this.#told.rows && totalRows === this.#told.totalRows)) return;
    this.#told = { ms: nowMs, rows, totalRows };
    tellOwner(this.#parts.live, this.#record);
  }

  async #reportEnd(error: unknown): Promise<void> {
    const { repository, counts, log } = this.#parts;
    const reason = this.#stop.signal.aborted
      ? (this.#stop.signal.reason as Stop)
      : ({ kind: "failed", failure: failureOf(error) } as const);
    const details = { ...this.#logFields, rows: this.#progress.rows, ms: Date.now() - this.#startedMs };
    switch (reason.kind) {
      case "lost":
        log.info(details, "export canceled");
        return;
      case "released":
        await repository.release(this.#record);
        log.info(details, "export left to another gateway");
        return;
      case "failed": {
        if (!(await this.#persist(() => repository.fail(this.#record, reason.failure)))) return;
        tellOwner(this.#parts.live, this.#record);
        counts.failures.increment();
        const isExpected = error instanceof SourceNotReady || error instanceof Refusal;
        log.error({ ...details, ...(isExpected ? {} : { err: error }), failure: reason.failure }, "export failed");
        return;
      }
      default:
        return reason satisfies never;
    }
  }

  /** Retries during database outages, so that these do not cost hours of work. */
  async #persist<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable) || this.#closing.aborted) throw error;
        await wait(retryIntervalMs, undefined, { signal: this.#closing }).catch(() => undefined);
      }
    }
  }

  async #removeScratch(): Promise<void> {
    try {
      await rm(this.#scratch, { force: true });
    } catch (error) {
      this.#parts.log.error({ ...this.#logFields, err: error }, "could not remove the file of a stopped export; the cleanup retries");
    }
  }

  get #logFields(): { dataset: object; format: string; user: string } {
    return { dataset: this.#record.dataset, format: this.#record.request.format, user: this.#record.ownerId };
  }
}

const resultOf = (
  { username }: SignedInUser,
  { search, csvColumns }: PreparedExport,
  { request }: ExportRecord,
): Omit<ExportResult, "cut" | "maxRows"> => ({
  username,
  columns: (request.format === "csv" ? csvColumns : search.queryable.columns).map(({ name }) => name),
  preFilledFilters: search.filterSupport.preFilledFilters.map(({ name, operator, value }) => ({ name, operator, value })),
});

/** Size of a file, 0 if there is none. */
const sizeOf = (path: string): Promise<number> =>
  unlessMissing(
    stat(path).then(({ size }) => size),
    0,
  );

/** The names in a folder, none if there is no such folder. */
const namesIn = (folder: string): Promise<string[]> => unlessMissing(readdir(folder), []);

async function unlessMissing<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return otherwise;
    throw error;
  }
}

function failureOf(error: unknown): string {
  return error instanceof EngineFailed || error instanceof Refusal ? error.message : "Something went wrong on the server.";
}

function tooLong(ms: number): string {
  const time = ms < 60_000 ? `${ms / 1_000} s` : `${Math.round(ms / 60_000)} min`;
  return `The export took longer than ${time} and was stopped. Narrow it with a time range or more filters.`;
}
