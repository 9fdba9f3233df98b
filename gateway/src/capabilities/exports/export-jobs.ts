import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { BreakdownRequest } from "@fairway/contract/breakdowns";
import { changedExportText, type ExportFormat, maxSheetRows } from "@fairway/contract/exports";
import { type Job, JobInterrupted, type JobKind, wasInterruptedBy } from "#background/jobs.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, type ExportedWorkbook, SourceNotReady, unfinishedRows } from "#query/engine.ts";
import type { LiveReporter } from "#database/live-changes.ts";
import type { FileStore } from "#storage/storage.ts";
import { aboutLines } from "./about-sheet.ts";
import { type ExportRecord, type ExportResult, runKey } from "./export-record.ts";
import { type ExportLimits, type PreparedExport, type Searches, choosesColumns, prepareExport } from "./exportable.ts";
import type { ExportProgress, ExportRepository } from "./repository.ts";
import { writeExport } from "./write.ts";
import { writeBreakdown } from "./write-breakdown.ts";
import { type ScopeKeysOf, seesTheSame } from "#personal/scope-keys.ts";
import { systemCode } from "#process/system-code.ts";

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
  /** Its owner as an API key acts now; undefined if the key works no longer. */
  readonly findKeyUser: (apiKeyId: string) => Promise<SignedInUser | undefined>;
  readonly scopeKeysOf: ScopeKeysOf;
  readonly repository: ExportRepository;
  readonly store: FileStore;
  /** Folder for unfinished files. The engine must be allowed to write to it. */
  readonly scratchFolder: string;
  readonly limits: ExportLimits;
  /** Origin of the portal, if it is configured. */
  readonly publicUrl: string | undefined;
  readonly counts: ExportCounts;
  readonly live: LiveReporter;
  readonly log: ExportLog;
}

/** Tells the owner's tabs that the state of an export is another one. */
export const notifyOwner = (live: LiveReporter, { id, ownerId }: Pick<ExportRecord, "id" | "ownerId">): void =>
  live.report({ topic: "exports", id, audience: { users: [ownerId] } });

const reportIntervalMs = 500;
/** Progress is shown about once a second. */
const notifyIntervalMs = 900;
const takeOverIntervalMs = 5_000;

/** One run of an export on this gateway. */
export class ExportWork {
  readonly record: ExportRecord;
  readonly startedMs = Date.now();
  progress: ExportProgress = { rows: 0, totalRows: null, bytes: 0 };
  /** A complete file moves to the store and is not measured any more. */
  isComplete = false;
  reported = { ms: 0, rows: 0, totalRows: null as number | null };

  constructor(record: ExportRecord) {
    this.record = record;
  }

  get logFields(): { dataset: object; format: string; user: string } {
    return { dataset: this.record.dataset, format: this.record.request.format, user: this.record.ownerId };
  }
}

class StorageFull extends Error {}

/** Writes exports: those that this gateway has accepted, and those that others have abandoned. Decision 0230. */
export class ExportJobs implements JobKind<ExportWork> {
  readonly atOnce: number;
  readonly pollMs = takeOverIntervalMs;
  readonly firstMs = 0;
  readonly renewMs = reportIntervalMs;
  readonly timeoutMs: number;
  readonly #parts: RunnerParts;
  /** Ids of the exports that run here: this gateway does not take them over, however late its own reports are. */
  readonly #own = new Set<string>();

  constructor(parts: RunnerParts) {
    this.atOnce = parts.limits.exportsAtOnce;
    this.timeoutMs = parts.limits.exportTimeoutMs;
    this.#parts = parts;
  }

  /** Takes over exports that other gateways abandoned. */
  async claim(count: number): Promise<ExportWork[]> {
    const { repository, counts, live } = this.#parts;
    const own = [...this.#own];
    const failed = await repository.failAbandoned(own, "The export was interrupted several times. Start it again.");
    counts.failures.increment(failed.length);
    const taken = await repository.takeOver(own, count);
    for (const record of [...failed, ...taken]) notifyOwner(live, record);
    return taken.map((record) => new ExportWork(record));
  }

  /** Reports progress. */
  async renew(work: ExportWork): Promise<boolean | Error> {
    await this.#measure(work);
    const usedBytes = await this.#parts.repository.report(work.record, work.progress);
    this.#reportProgress(work);
    if (usedBytes === undefined) return false;
    return usedBytes < this.#parts.limits.exportFilesBytes || new StorageFull();
  }

  async run(work: ExportWork, job: Job): Promise<void> {
    this.#own.add(work.record.id);
    try {
      // Only what precedes the first row needs the database.
      await this.#keep(work, await job.persist(() => this.#write(work, job.signal)), job);
    } catch (error) {
      await this.#removeScratch(work);
      await this.#reportEnd(work, error, job);
    } finally {
      this.#own.delete(work.record.id);
    }
  }

  async release(work: ExportWork): Promise<void> {
    const { repository, log } = this.#parts;
    if (!(await repository.release(work.record))) return;
    log.info({ ...work.logFields, rows: work.progress.rows, ms: Date.now() - work.startedMs }, "export left to another gateway");
  }

  couldNotLook(error: unknown): void {
    this.#parts.log.error({ err: error }, "could not take over interrupted exports");
  }

  failed(error: unknown, work: ExportWork): void {
    this.#parts.log.error({ ...work.logFields, err: error }, "could not store the end of an export");
  }

  /** Writes to the scratch folder. Checks the owner's permissions again: the export may have waited for a gateway. */
  async #write(work: ExportWork, signal: AbortSignal): Promise<ExportResult> {
    const { dataset, request } = work.record;
    const owner = await this.#requireReader(work);
    const datasetPath = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
    const { breakdown } = request;
    if (breakdown !== undefined) return this.#writeBreakdown(work, owner, breakdown, signal);
    return prepareExport(this.#parts.searches, owner, datasetPath, request, (prepared) =>
      this.#writeScratch(work, owner, prepared, signal),
    );
  }

  /** Who it is written for, with current rights. */
  async #requireReader({ record }: ExportWork): Promise<SignedInUser> {
    const reader = await readerOf(this.#parts, record);
    if (reader === undefined) {
      const isOfKey = record.apiKeyId !== null && (await this.#parts.findOwner(record.ownerId)) !== undefined;
      throw new Refusal("forbidden", isOfKey ? goneKeyText : "The export was stopped: its owner cannot sign in.");
    }
    return reader;
  }

  async #requireSameScope({ record }: ExportWork, reader: SignedInUser): Promise<void> {
    const isSame = await seesTheSame(this.#parts.scopeKeysOf, reader, record.dataset, record.scopeKeys);
    if (!isSame) throw new Refusal("conflict", changedExportText);
  }

  async #writeScratch(work: ExportWork, owner: SignedInUser, prepared: PreparedExport, signal: AbortSignal): Promise<ExportResult> {
    const { limits, publicUrl } = this.#parts;
    const { format } = work.record.request;
    const maxRows = maxRowsOf(format, limits);
    await this.#requireSameScope(work, owner);
    signal.throwIfAborted();
    const result = resultOf(owner, prepared, work.record);
    const { preFilledFilters, username } = result;
    const { columns, isPart } = prepared.search;
    const about = { record: work.record, columns, preFilledFilters, isPart, username, publicUrl };
    const { rows, cut, cutTexts } = await writeExport(
      prepared,
      {
        format,
        path: this.#scratch(work),
        maxRows,
        onRows: (written) => (work.progress = { ...work.progress, rows: written }),
        onTotal: (totalRows) => (work.progress = { ...work.progress, totalRows }),
        about: (written) => aboutLines(about, written),
      },
      { signal, owner: owner.id, user: owner.username },
    );
    work.progress = { ...work.progress, rows };
    return { ...result, cut, cutTexts, maxRows };
  }

  async #writeBreakdown(work: ExportWork, owner: SignedInUser, breakdown: BreakdownRequest, signal: AbortSignal): Promise<ExportResult> {
    const { searches, scratchFolder, limits, publicUrl } = this.#parts;
    const { dataset, request } = work.record;
    const datasetPath = { category: dataset.datasetCategory, datasetId: dataset.datasetId };
    const { exportMemoryMb } = limits;
    const maxRows = maxRowsOf(request.format, limits);
    const [path, folder] = [this.#scratch(work), unfinishedRows({ path: this.#scratch(work) })];
    try {
      return await searches.prepareBreakdown(owner, datasetPath, breakdown, async ({ filterSupport, isPart, keep }) => {
        await this.#requireSameScope(work, owner);
        signal.throwIfAborted();
        return keep({ signal, owner: owner.id, user: owner.username }, { maxRows, folder }, async (found) => {
          work.progress = { ...work.progress, totalRows: found.isCut ? null : found.count };
          const onRows = (written: number) => (work.progress = { ...work.progress, rows: written });
          const writer = { exportFolder: scratchFolder, exportMemoryMb };
          const { username } = owner;
          const preFilledFilters = filterSupport.preFilledFilters.map(({ name, operator, value }) => ({ name, operator, value }));
          const about = { record: work.record, columns: found.columns, preFilledFilters, isPart, username, publicUrl };
          let cutTexts: number | undefined;
          const workbook: ExportedWorkbook = {
            name: dataset.datasetId,
            about: (rows) => Promise.resolve(aboutLines(about, { rows, cut: found.isCut, totalRows: null })),
            onCutTexts: (texts) => (cutTexts = texts),
          };
          const rows = await writeBreakdown(found, { format: request.format, path, onRows, workbook }, writer, signal);
          work.progress = { ...work.progress, rows };
          const columns = found.columns.map(({ name }) => name);
          return { username, columns, preFilledFilters, ...partOf({ isPart }), cut: found.isCut, cutTexts, maxRows };
        });
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** Moves the complete file to the store and finishes the export, unless the run is no longer the current one. */
  async #keep(work: ExportWork, result: ExportResult, { signal, renew, persist }: Job): Promise<void> {
    const { repository, store, counts, log, live } = this.#parts;
    await this.#measure(work);
    work.isComplete = true;
    await persist(renew);
    signal.throwIfAborted();
    // Rights may have changed while it was written.
    await persist(async () => this.#requireSameScope(work, await this.#requireReader(work)));
    await store.moveIn(runKey(work.record), this.#scratch(work));
    const isCurrent = await persist(() => repository.finish(work.record, work.progress, result));
    if (!isCurrent) {
      await store.remove(runKey(work.record));
      throw new Error("the export was canceled or taken over by another gateway");
    }
    notifyOwner(live, work.record);
    counts.rows.increment(work.progress.rows);
    counts.bytes.increment(work.progress.bytes);
    log.info({ ...work.logFields, ...work.progress, cut: result.cut, ms: Date.now() - work.startedMs }, "export done");
  }

  /** The size of the file, and of rows for it, as far as they are written. */
  async #measure(work: ExportWork): Promise<void> {
    const scratch = this.#scratch(work);
    const rows = unfinishedRows({ path: scratch });
    const files = [scratch, ...(await namesIn(rows)).map((name) => join(rows, name))];
    const bytes = (await Promise.all(files.map(sizeOf))).reduce((sum, size) => sum + size, 0);
    if (!work.isComplete) work.progress = { ...work.progress, bytes };
  }

  #reportProgress(work: ExportWork): void {
    const { rows, totalRows } = work.progress;
    const nowMs = Date.now();
    if (nowMs - work.reported.ms < notifyIntervalMs || (rows === work.reported.rows && totalRows === work.reported.totalRows)) return;
    work.reported = { ms: nowMs, rows, totalRows };
    notifyOwner(this.#parts.live, work.record);
  }

  async #reportEnd(work: ExportWork, error: unknown, { signal, persist }: Job): Promise<void> {
    const { repository, counts, live, log, limits } = this.#parts;
    // Another gateway takes over.
    if (wasInterruptedBy(signal, "closing")) return;
    const details = { ...work.logFields, rows: work.progress.rows, ms: Date.now() - work.startedMs };
    if (wasInterruptedBy(signal, "lost")) {
      log.info(details, "export canceled");
      return;
    }
    const failure = failureOf(signal.aborted ? signal.reason : error, limits.exportTimeoutMs);
    if (!(await persist(() => repository.fail(work.record, failure)))) return;
    notifyOwner(live, work.record);
    counts.failures.increment();
    const isExpected = error instanceof SourceNotReady || error instanceof Refusal;
    log.error({ ...details, ...(isExpected ? {} : { err: error }), failure }, "export failed");
  }

  async #removeScratch(work: ExportWork): Promise<void> {
    try {
      await rm(this.#scratch(work), { force: true });
    } catch (error) {
      this.#parts.log.error({ ...work.logFields, err: error }, "could not remove the file of a stopped export; the cleanup retries");
    }
  }

  #scratch({ record }: ExportWork): string {
    return join(this.#parts.scratchFolder, runKey(record));
  }
}

/** Who an export is written for: its owner, or the key that started it. */
export const readerOf = (
  { findOwner, findKeyUser }: Pick<RunnerParts, "findOwner" | "findKeyUser">,
  { ownerId, apiKeyId }: Pick<ExportRecord, "ownerId" | "apiKeyId">,
): Promise<SignedInUser | undefined> => (apiKeyId === null ? findOwner(ownerId) : findKeyUser(apiKeyId));

const goneKeyText = "The export was stopped: the API key that started it was deleted or has expired.";

/** Rows that a file may have. */
const maxRowsOf = (format: ExportFormat, { exportMaxRows }: Pick<ExportLimits, "exportMaxRows">): number =>
  format === "xlsx" ? Math.min(exportMaxRows, maxSheetRows) : exportMaxRows;

const resultOf = (
  { username }: SignedInUser,
  { search, csvColumns }: PreparedExport,
  { request }: ExportRecord,
): Omit<ExportResult, "cut" | "maxRows"> => ({
  username,
  columns: (choosesColumns(request.format) ? csvColumns : search.queryable.columns).map(({ name }) => name),
  preFilledFilters: search.filterSupport.preFilledFilters.map(({ name, operator, value }) => ({ name, operator, value })),
  ...partOf(search),
});

const partOf = ({ isPart }: { readonly isPart: boolean }) => (isPart ? { isPart } : {});

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

function failureOf(error: unknown, timeoutMs: number): string {
  if (error instanceof JobInterrupted) return tooLong(timeoutMs);
  if (error instanceof StorageFull) {
    return "The export was stopped: the storage for exports is full. Narrow the search, or try again later.";
  }
  return error instanceof EngineFailed || error instanceof Refusal ? error.message : "Something went wrong on the server.";
}

function tooLong(ms: number): string {
  const time = ms < 60_000 ? `${ms / 1_000} s` : `${Math.round(ms / 60_000)} min`;
  return `The export took longer than ${time} and was stopped. Narrow it with a time range or more filters.`;
}
