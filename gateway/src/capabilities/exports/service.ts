import type { ExportDraft, ExportState } from "@fairway/contract/exports";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/handlers.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { newSecret } from "#identity/secret-token.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import { runEvery } from "#run-every.ts";
import { cleanExports } from "./cleaning.ts";
import { type ExportRecord, type FinishedExport, isFinished, runKey, stateOf } from "./export-record.ts";
import { prepareExport } from "./exportable.ts";
import type { ExportRepository } from "./repository.ts";
import { ExportRunner, type RunnerParts } from "./runner.ts";

export interface ExportParts extends RunnerParts {
  /** Checked again for every download: a role may be gone. */
  readonly canRead: CanRead;
}

export interface ExportService {
  start(user: SignedInUser, at: { category: string; datasetId: string }, draft: ExportDraft): Promise<string>;
  state(user: SignedInUser, exportId: string): Promise<ExportState>;
  /** A finished export that its owner may still read. */
  download(user: SignedInUser, exportId: string): Promise<ExportDownload>;
  /** Cancels it while it runs, else removes it. */
  remove(user: SignedInUser, exportId: string): Promise<void>;
  /** Exports that this gateway writes at this moment. */
  readonly running: number;
  /** Interrupts what runs here; other gateways go on with it, or the next start of this one. */
  close(): Promise<void>;
}

export interface ExportDownload {
  readonly record: FinishedExport;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const takeOverEveryMs = 5_000;
const cleanEveryMs = 30_000;

/** The exports of all gateways on one database and one store; this gateway runs some of them. */
export function exportService(parts: ExportParts): ExportService {
  const { limits, repository, store, log } = parts;
  const runner = new ExportRunner(parts);

  const failed = (message: string) => (error: unknown) => {
    // An outage of the database is logged where it is noticed.
    if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, message);
  };
  const periodicJobs = [
    runEvery(takeOverEveryMs, () => runner.takeOver(), failed("interrupted exports could not be taken over")),
    runEvery(cleanEveryMs, () => cleanExports(parts), failed("old exports could not be removed")),
  ];

  const requireOwn = async ({ id, reach }: SignedInUser, exportId: string): Promise<ExportRecord> => {
    const record = await repository.find(exportId);
    const isMine = record?.ownerId === id && reachesDataset(reach, record.dataset.datasetCategory, record.dataset.datasetId);
    if (!isMine) throw noSuchExport();
    return record;
  };

  const removeFile = async (record: ExportRecord): Promise<void> => store.remove(runKey(record));

  return {
    start: async (user, at, draft) => {
      await prepareExport(parts.searches, user, at, draft, () => Promise.resolve());
      const giveBack = await runner.reserve();
      try {
        const { record, removed } = await repository.inTurnOf(user.id, async (turn) => {
          await requireTurn(turn, user, limits.exportsAtOncePerUser);
          if (giveBack === undefined) throw othersRun();
          if ((await turn.usedBytes()) >= limits.exportFilesBytes) throw noRoom();
          const dataset = { datasetCategory: at.category, datasetId: at.datasetId };
          return {
            record: await turn.insert(newSecret(), user.id, dataset, draft),
            removed: await turn.removeOldest(user.id, limits.exportsKeptPerUser - 1),
          };
        });
        runner.begin(record);
        for (const old of removed) await removeFile(old);
        return record.id;
      } finally {
        giveBack?.();
      }
    },
    state: async (user, exportId) => stateOf(await requireOwn(user, exportId)),
    download: async (user, exportId) => {
      const record = await requireOwn(user, exportId);
      if (!(await parts.canRead(user, record.dataset))) {
        throw new Refusal("not-found", "The dataset of this export is gone, or you may not use it any more.");
      }
      if (!isFinished(record)) throw new Refusal("conflict", `The export has no file: it is ${record.status}.`);
      const file = await store.head(runKey(record));
      // Removed this moment, or kept in a store that the gateways do not share.
      if (file?.size !== record.bytes) throw noSuchExport();
      return { record, chunks: contentOf(parts, record) };
    },
    remove: async (user, exportId) => {
      const record = await requireOwn(user, exportId);
      if (await repository.cancel(record.id)) return runner.stop(record.id);
      // One that has finished, if only just, goes for good.
      const finished = await requireOwn(user, exportId);
      await repository.remove(finished.id);
      await removeFile(finished);
    },
    get running() {
      return runner.running;
    },
    close: async () => {
      for (const job of periodicJobs) await job.close();
      await runner.close();
    },
  };
}

async function requireTurn(repository: ExportRepository, { id }: SignedInUser, atOnce: number): Promise<void> {
  if ((await repository.countRunning(id)) < atOnce) return;
  const message = "You have an export running already. Wait until it has finished, or cancel it.";
  throw new Refusal("too-many-requests", message, { retryAfterSeconds: 10 });
}

const othersRun = (): Refusal =>
  new Refusal("engine-busy", "Other people's exports are running, and no more can run beside them. Try again in a moment.", {
    retryAfterSeconds: 15,
  });

const noRoom = (): Refusal =>
  new Refusal("engine-busy", "There is no room left for the files of exports. Try again later.", { retryAfterSeconds: 600 });

const noSuchExport = (): Refusal => new Refusal("not-found", "There is no such export, or it is not kept any more.");

/** Opened with the first read: an answer that nobody takes opens nothing. */
async function* contentOf({ store }: Pick<ExportParts, "store">, record: ExportRecord): AsyncGenerator<Uint8Array> {
  const { content } = await store.read(runKey(record));
  yield* content as AsyncIterable<Uint8Array>;
}
