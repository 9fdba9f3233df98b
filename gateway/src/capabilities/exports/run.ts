import type { Column } from "@fairway/contract/columns";
import { type EngineCall, EngineFailed, type SearchQuery, SourceNotReady } from "#query/engine.ts";
import type { ExportJob } from "./job.ts";
import type { ExportLimits, ExportableSearch } from "./exportable.ts";

export interface ExportCounts {
  readonly rows: { increment(by: number): void };
  readonly bytes: { increment(by: number): void };
  readonly failures: { increment(): void };
}

export interface ExportLog {
  info(details: object, message: string): void;
  error(details: object, message: string): void;
}

interface RunParts {
  readonly limits: ExportLimits;
  /** Whether the files of all exports together are within their limit. */
  readonly hasRoom: () => boolean;
  readonly counts: ExportCounts;
  readonly log: ExportLog;
  readonly now: () => number;
}

const measureEveryMs = 500;

/** Writes the file of an export. Never rejects: what went wrong is the job's to tell. */
export async function runExport(job: ExportJob, search: ExportableSearch, csvColumns: readonly Column[], parts: RunParts): Promise<void> {
  const { limits, hasRoom, counts, log, now } = parts;
  const noRoom = "The export was stopped: there is no room left for the files of exports. Narrow it, or try again later.";
  const ofTime = setTimeout(() => job.stop(tooLong(limits.exportTimeoutMs)), limits.exportTimeoutMs);
  const measuring = setInterval(() => {
    // A file that cannot be looked at now is looked at again.
    job.measure().then(
      () => hasRoom() || job.stop(noRoom),
      () => {},
    );
  }, measureEveryMs);
  const about = { dataset: job.order.dataset, format: job.order.format, user: job.order.owner.id };
  try {
    const found = await write(job, search, csvColumns, limits.exportMaxRows);
    await job.measure();
    if (!hasRoom()) job.stop(noRoom);
    job.signal.throwIfAborted();
    job.done({ ...found, finishedMs: now() });
    counts.rows.increment(found.rows);
    counts.bytes.increment(job.bytes);
    log.info({ ...about, ...found, bytes: job.bytes, ms: now() - job.startedMs }, "export done");
  } catch (error) {
    await job
      .removeFile()
      .catch((cause: unknown) => log.error({ ...about, err: cause }, "the file of a stopped export could not be removed"));
    const failure = job.signal.aborted ? (job.signal.reason as string | null) : failureOf(error);
    if (failure === null) {
      job.cancelled(now());
      log.info({ ...about, rows: job.rows, ms: now() - job.startedMs }, "export cancelled");
    } else {
      job.fail(failure, now());
      counts.failures.increment();
      const err = error instanceof SourceNotReady ? {} : { err: error };
      log.error({ ...about, ...err, failure, ms: now() - job.startedMs }, "export failed");
    }
  } finally {
    clearTimeout(ofTime);
    clearInterval(measuring);
  }
}

/** An export asks on behalf of its owner, until it is stopped or `also` is aborted. */
const callOf = ({ order, signal }: ExportJob, also?: AbortSignal): EngineCall => ({
  signal: also === undefined ? signal : AbortSignal.any([signal, also]),
  owner: order.owner.id,
});

async function write(job: ExportJob, search: ExportableSearch, csvColumns: readonly Column[], limit: number) {
  const { engine, queryable } = search;
  const query = { ...search.query, limit };
  const counted = new AbortController();
  const counting = countTotal(job, search, callOf(job, counted.signal));
  try {
    const onRows = (rows: number) => (job.rows = rows);
    const target = { format: job.order.format, path: job.path, csvColumns, onRows };
    const rows = (await engine.export?.(queryable, query, target, callOf(job))) ?? 0;
    // Fewer than one file may hold: that is all there are.
    if (rows < limit) {
      job.totalRows = rows;
      return { rows, cut: false };
    }
    await counting;
    job.signal.throwIfAborted();
    return { rows, cut: job.totalRows === null ? await isMore(search, query, callOf(job)) : job.totalRows > rows };
  } finally {
    counted.abort();
    await counting;
  }
}

/** How many rows match: for people who wait, so that a count which fails is no failure of the export. */
async function countTotal(job: ExportJob, { engine, queryable, query }: ExportableSearch, call: EngineCall): Promise<void> {
  if (!queryable.features.has("COUNT")) return;
  try {
    const [[total = null] = []] = await engine.aggregate(queryable, [{ type: "count", column: "*" }], [], query, call);
    if (typeof total === "number" && !call.signal.aborted) job.totalRows = total;
  } catch (error) {
    if (!(error instanceof EngineFailed)) throw error;
  }
}

/** Whether there is a row behind the last one that was written. */
async function isMore({ engine, queryable }: ExportableSearch, query: SearchQuery, call: EngineCall): Promise<boolean> {
  const { chunks } = await engine.search(queryable, { ...query, sort: [], offset: query.limit, limit: 1 }, call);
  let text = "";
  for await (const chunk of chunks) text += chunk;
  return text !== "";
}

function failureOf(error: unknown): string {
  return error instanceof EngineFailed ? error.message : "Something went wrong on the server.";
}

function tooLong(ms: number): string {
  const time = ms < 60_000 ? `${ms / 1_000} s` : `${Math.round(ms / 60_000)} min`;
  return `The export took longer than ${time} and was stopped. Narrow it with a time range or more filters.`;
}
