import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Column } from "@fairway/contract/columns";
import type { DatasetRef } from "@fairway/contract/datasets";
import type { ErrorItem } from "@fairway/contract/errors";
import type { ExportDraft, ExportState } from "@fairway/contract/exports";
import type { SearchData } from "@fairway/contract/search";
import type { SignedInUser } from "#http/handlers.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { newSecret } from "#identity/secret-token.ts";
import type { ExportLimits, ExportableSearch } from "./exportable.ts";
import { ExportJob } from "./job.ts";
import { type ExportCounts, type ExportLog, runExport } from "./run.ts";

export interface ExportParts {
  readonly searches: {
    /** Checks a search as a search is checked. */
    prepare(user: SignedInUser, at: { category: string; datasetId: string }, data: SearchData): Promise<ExportableSearch>;
  };
  /** Asked again for every download: a role may be gone. */
  readonly canRead: (user: SignedInUser, dataset: DatasetRef) => Promise<boolean>;
  /** Belongs to exports. */
  readonly folder: string;
  /** Whether no other gateway can be using the folder. */
  readonly alone: boolean;
  readonly limits: ExportLimits;
  readonly counts: ExportCounts;
  readonly log: ExportLog;
  readonly now?: () => number;
}

export interface ExportService {
  start(user: SignedInUser, at: { category: string; datasetId: string }, draft: ExportDraft): Promise<string>;
  state(user: SignedInUser, exportId: string): Promise<ExportState>;
  /** A finished export that its owner may still read. */
  download(user: SignedInUser, exportId: string): Promise<ExportJob>;
  /** Cancels it while it runs, else removes it. */
  remove(user: SignedInUser, exportId: string): Promise<void>;
  /** Running exports at this moment. */
  readonly running: number;
  /** Cancels what runs, and removes every file. */
  close(): Promise<void>;
}

const sweepEveryMs = 30_000;

/** Opens the exports of one gateway. They live in its memory: a restart forgets them and removes their files. */
export async function openExports(parts: ExportParts): Promise<ExportService> {
  const { limits, folder, now = Date.now } = parts;
  const jobs = new Map<string, ExportJob>();
  const runs = new Map<ExportJob, Promise<void>>();
  const keepMs = limits.exportKeepMinutes * 60_000;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await clear(folder, parts.alone ? 0 : keepMs + limits.exportTimeoutMs);

  const drop = async (job: ExportJob): Promise<void> => {
    jobs.delete(job.order.exportId);
    await job.removeFile();
  };
  const sweep = async (): Promise<void> => {
    const old = [...jobs.values()].filter(({ finishedMs }) => finishedMs !== undefined && finishedMs + keepMs <= now());
    for (const job of old) await drop(job);
  };
  const sweeping = setInterval(() => {
    sweep().catch((error: unknown) => parts.log.error({ err: error }, "an old export could not be removed"));
  }, sweepEveryMs);
  sweeping.unref();

  const usedBytes = () => [...jobs.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  const hasRoom = () => usedBytes() < limits.exportFilesBytes;

  const requireOwn = async ({ id, reach }: SignedInUser, exportId: string): Promise<ExportJob> => {
    await sweep();
    const job = jobs.get(exportId);
    const isMine = job?.order.owner.id === id && reachesDataset(reach, job.order.dataset.datasetCategory, job.order.dataset.datasetId);
    if (!isMine) throw new Refusal("not-found", "There is no such export, or it is not kept any more.");
    return job;
  };

  const requireTurn = ({ id }: SignedInUser): void => {
    const mine = [...runs.keys()].filter(({ order }) => order.owner.id === id);
    if (mine.length >= limits.exportsAtOncePerUser) {
      const message = "You have an export running already. Wait until it has finished, or cancel it.";
      throw new Refusal("too-many-requests", message, { retryAfterSeconds: 10 });
    }
    if (runs.size >= limits.exportsAtOnce) {
      const message = "Other people's exports are running, and no more can run beside them. Try again in a moment.";
      throw new Refusal("engine-busy", message, { retryAfterSeconds: 15 });
    }
    if (!hasRoom()) {
      const message = "There is no room left for the files of exports. Try again later.";
      throw new Refusal("engine-busy", message, { retryAfterSeconds: 600 });
    }
  };

  const makeRoomFor = async ({ id }: SignedInUser): Promise<void> => {
    const kept = [...jobs.values()].filter((job) => job.order.owner.id === id && job.status !== "running");
    for (const job of kept.slice(0, Math.max(0, kept.length + 1 - limits.exportsKeptPerUser))) await drop(job);
  };

  return {
    start: async (user, at, draft) => {
      const found = await preparedSearch(parts, user, at, draft);
      const csvColumns = columnsOf(found, draft);
      await sweep();
      // From here to where the run is noted nothing is waited for: two starts at once cannot both take the last turn.
      requireTurn(user);
      const exportId = newSecret();
      const { queryable, filterSupport } = found;
      const job = new ExportJob(
        {
          exportId,
          owner: { id: user.id, username: user.username },
          dataset: { datasetCategory: at.category, datasetId: at.datasetId },
          format: draft.format,
          columns: (draft.format === "csv" ? csvColumns : queryable.columns).map(({ name }) => name),
          query: draft.search,
          preFilledFilters: filterSupport.preFilledFilters,
          maxRows: limits.exportMaxRows,
        },
        join(folder, `${exportId}.${draft.format}`),
        now(),
      );
      jobs.set(exportId, job);
      const run = runExport(job, found, csvColumns, { ...parts, hasRoom, now }).finally(() => runs.delete(job));
      runs.set(job, run);
      await makeRoomFor(user);
      return exportId;
    },
    state: async (user, exportId) => (await requireOwn(user, exportId)).state,
    download: async (user, exportId) => {
      const job = await requireOwn(user, exportId);
      if (!(await parts.canRead(user, job.order.dataset))) {
        throw new Refusal("not-found", "The dataset of this export is gone, or you may not use it any more.");
      }
      if (job.status !== "done") throw new Refusal("conflict", `The export has no file: it is ${job.status}.`);
      return job;
    },
    remove: async (user, exportId) => {
      const job = await requireOwn(user, exportId);
      const run = runs.get(job);
      job.stop(null);
      await run;
      // One that has finished, if only just, goes for good.
      if (job.status !== "cancelled" || run === undefined) await drop(job);
    },
    get running() {
      return runs.size;
    },
    close: async () => {
      clearInterval(sweeping);
      for (const job of runs.keys()) job.stop(null);
      await Promise.all(runs.values());
      for (const job of jobs.values()) await drop(job);
    },
  };
}

/** Leftovers of a gateway that ended without a word. Others that share the folder keep their young files. */
async function clear(folder: string, olderThanMs: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (olderThanMs === 0 || (await modifiedMs(path)) + olderThanMs < Date.now()) await rm(path, { recursive: true, force: true });
  }
}

/** A file that another gateway has removed meanwhile is as old as any. */
async function modifiedMs(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return 0;
    throw error;
  }
}

async function preparedSearch(
  parts: ExportParts,
  user: SignedInUser,
  at: { category: string; datasetId: string },
  { search }: ExportDraft,
) {
  try {
    const found = await parts.searches.prepare(user, at, search);
    if (found.engine.export === undefined) throw new Refusal("not-supported", "The rows of this dataset cannot be exported as a whole.");
    if (search.paging !== undefined) {
      throw new Refusal("not-supported", "An export holds everything that matches: leave 'paging' out.", { path: "paging" });
    }
    return found;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // The search is a part of this body.
    const items = error.errors.map(({ code, message, path }): ErrorItem =>
      path === undefined ? { code, message } : { code, message, path: `search.${path}` },
    );
    throw Refusal.of(items as [ErrorItem, ...ErrorItem[]]);
  }
}

/** The columns of a CSV file: those asked for, else all as described. */
function columnsOf({ columns }: ExportableSearch, { format, columns: asked }: ExportDraft): readonly Column[] {
  if (asked === undefined) return columns;
  if (format !== "csv") {
    throw new Refusal("not-supported", "Columns are chosen for CSV only: JSON and Parquet hold every column.", { path: "columns" });
  }
  return asked.map((name, index) => {
    const path = `columns.${index}`;
    const column = columns.find((one) => one.name === name);
    if (column === undefined) throw new Refusal("unknown-column", `This dataset has no column '${name.slice(0, 100)}'.`, { path });
    if (asked.indexOf(name) < index) throw new Refusal("invalid-request", `The column '${name}' stands there twice.`, { path });
    return column;
  });
}
