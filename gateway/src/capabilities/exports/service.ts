import { goneDatasetText, isOwnCategory } from "@fairway/contract/own-datasets";
import { changedExportText, type ExportState, exceedsSheet, maxSheetRows, sheetLimitText } from "@fairway/contract/exports";
import { JobRunner } from "#background/jobs.ts";
import { DatabaseUnavailable } from "#database/unavailable.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { reachesDataset } from "#http/reach.ts";
import { Refusal } from "#http/refusal.ts";
import { newSecret } from "#identity/secret-token.ts";
import type { CanRead } from "#personal/readable-dataset.ts";
import { seesTheSame } from "#personal/scope-keys.ts";
import { runEvery } from "#process/run-every.ts";
import { cleanExports } from "./cleaning.ts";
import { type ExportRecord, type FinishedExport, type StoredExport, datasetsOf, isFinished, runKey, stateOf } from "./export-record.ts";
import { type ExportLimits, type ExportableSearch, prepareExport } from "./exportable.ts";
import type { ExportRepository } from "./repository.ts";
import { ExportJobs, ExportWork, type RunnerParts, notifyOwner, readerOf } from "./export-jobs.ts";
import { countMatching } from "./write.ts";

export interface ExportParts extends RunnerParts {
  /** Checked again for every download, as the user may have lost a role. */
  readonly canRead: CanRead;
  /** Whether this gateway has database and folder to itself. */
  readonly alone: boolean;
}

export interface ExportService {
  start(user: SignedInUser, datasetPath: { category: string; datasetId: string }, draft: StoredExport): Promise<string>;
  state(user: SignedInUser, exportId: string): Promise<ExportState>;
  /** Opens the file of a finished export whose dataset its owner may still read. */
  download(user: SignedInUser, exportId: string): Promise<ExportDownload>;
  /** Cancels a running export; removes any other. */
  remove(user: SignedInUser, exportId: string): Promise<void>;
  /** Number of exports that this gateway is writing. */
  readonly running: number;
  /** Interrupts this gateway's exports; other gateways, or the next start of this one, resume them. */
  close(): Promise<void>;
}

export interface ExportDownload {
  readonly record: FinishedExport;
  readonly chunks: AsyncIterable<Uint8Array>;
}

const cleanupIntervalMs = 30_000;

/** The exports of all gateways on one database and one store; this gateway runs some of them. */
export function exportService(parts: ExportParts): ExportService {
  const { limits, repository, store, live, log } = parts;
  const jobs = new JobRunner(new ExportJobs(parts));
  const cleaning = runEvery(
    cleanupIntervalMs,
    () => cleanExports(parts),
    (error) => {
      // The database layer logs its own outages.
      if (!(error instanceof DatabaseUnavailable)) log.error({ err: error }, "could not remove old exports");
    },
  );

  const requireOwn = async ({ id, reach }: SignedInUser, exportId: string): Promise<ExportRecord> => {
    const record = await repository.find(exportId);
    const isOwn = record?.ownerId === id && reachesDataset(reach, record.dataset.datasetCategory, record.dataset.datasetId);
    if (!isOwn) throw noSuchExport();
    return record;
  };

  /** Whether its figures are of what the caller sees now. Those of a key with more roles are not for one with fewer. */
  const isForCaller = async (user: SignedInUser, { apiKeyId, dataset, scopeKeys }: ExportRecord): Promise<boolean> =>
    (user.reach === undefined && user.lacksSecondFactor !== true) ||
    user.reach?.apiKeyId === apiKeyId ||
    seesTheSame(parts.scopeKeysOf, user, dataset, scopeKeys);

  /** An export of the caller. One whose reader sees something else by now has failed, and its file is removed. */
  const requireCurrent = async (user: SignedInUser, exportId: string): Promise<ExportRecord> => {
    const record = await requireOwn(user, exportId);
    const reader = (await readerOf(parts, record)) ?? (await parts.findOwner(record.ownerId));
    if (reader === undefined || (await seesTheSame(parts.scopeKeysOf, reader, record.dataset, record.scopeKeys))) {
      if (await isForCaller(user, record)) return record;
      throw noSuchExport();
    }
    const hasEnded = record.status !== "running" && record.status !== "done";
    // A dataset that is out of reach may come back as it was.
    if (hasEnded || !(await parts.canRead(reader, record.dataset))) return { ...record, rows: 0, totalRows: null };
    const withdrawn = await repository.withdraw(record.id, changedExportText);
    if (withdrawn === undefined) return requireOwn(user, exportId);
    notifyOwner(live, withdrawn);
    await jobs.interrupt((work) => work.record.id === record.id);
    await removeFile(record);
    return withdrawn;
  };

  const removeFile = async (record: ExportRecord): Promise<void> => store.remove(runKey(record));

  return {
    start: async (user, datasetPath, draft) => {
      const { breakdown } = draft;
      const dataset = { datasetCategory: datasetPath.category, datasetId: datasetPath.datasetId };
      const scopeKeys = await parts.scopeKeysOf(user, datasetsOf({ dataset, request: draft }));
      if (breakdown === undefined)
        await prepareExport(parts.searches, user, datasetPath, draft, ({ search }) => requireRoomInSheet(user, draft, search, limits));
      else await parts.searches.prepareBreakdown(user, datasetPath, breakdown, () => Promise.resolve());
      const releaseSlot = await jobs.reserve();
      try {
        const requireRoom = async (locked: ExportRepository) => {
          await requireFewRunning(locked, user, limits.exportsAtOncePerUser);
          if (releaseSlot === undefined) throw allSlotsTaken();
          if ((await locked.usedBytes()) >= limits.exportFilesBytes) throw noRoom();
        };
        const { record, removed } = await repository.insertCounted(user.id, requireRoom, async (locked) => {
          const apiKeyId = user.reach?.apiKeyId ?? null;
          return {
            record: await locked.insert({ id: newSecret(), ownerId: user.id, apiKeyId, dataset, request: draft, scopeKeys }),
            removed: await locked.removeOldest(user.id, limits.exportsKeptPerUser - 1),
          };
        });
        void jobs.start(new ExportWork(record));
        notifyOwner(live, record);
        for (const old of removed) await removeFile(old);
        return record.id;
      } finally {
        releaseSlot?.();
      }
    },
    state: async (user, exportId) => stateOf(await requireCurrent(user, exportId)),
    download: async (user, exportId) => {
      const { dataset } = await requireOwn(user, exportId);
      if (!(await parts.canRead(user, dataset))) {
        throw new Refusal(
          "not-found",
          isOwnCategory(dataset.datasetCategory)
            ? goneDatasetText
            : "The dataset of this export no longer exists, or you no longer have access to it.",
        );
      }
      const record = await requireCurrent(user, exportId);
      if (record.failure === changedExportText) throw new Refusal("conflict", changedExportText);
      if (!isFinished(record)) throw new Refusal("conflict", `The export has no file: it is ${record.status}.`);
      const file = await store.head(runKey(record));
      // The file was removed just now, or the gateways do not share a store.
      if (file?.size !== record.bytes) throw noSuchExport();
      return { record, chunks: contentOf(parts, record) };
    },
    remove: async (user, exportId) => {
      const record = await requireOwn(user, exportId);
      if (await repository.cancel(record.id)) {
        notifyOwner(live, record);
        return jobs.interrupt((work) => work.record.id === record.id);
      }
      // The export has finished, possibly just now: remove it.
      const finished = await requireOwn(user, exportId);
      await repository.remove(finished.id);
      notifyOwner(live, finished);
      await removeFile(finished);
    },
    get running() {
      return jobs.running;
    },
    close: async () => {
      await cleaning.close();
      await jobs.close();
    },
  };
}

async function requireFewRunning(repository: ExportRepository, { id }: SignedInUser, maxRunning: number): Promise<void> {
  if ((await repository.countRunning(id)) < maxRunning) return;
  const message = "You already have an export running. Wait until it finishes, or cancel it.";
  throw new Refusal("too-many-requests", message, { retryAfterSeconds: 10 });
}

/** More rows than a sheet holds are refused before anything is written, if they can be counted. */
async function requireRoomInSheet(
  { id, username }: SignedInUser,
  { format }: StoredExport,
  search: ExportableSearch,
  { exportMaxRows }: Pick<ExportLimits, "exportMaxRows">,
): Promise<void> {
  if (format !== "xlsx" || exportMaxRows <= maxSheetRows) return;
  const rows = (await countMatching(search, { signal: new AbortController().signal, owner: id, user: username })) ?? null;
  if (exceedsSheet(rows, exportMaxRows)) throw new Refusal("not-supported", sheetLimitText(rows), { path: "format" });
}

const allSlotsTaken = (): Refusal =>
  new Refusal("engine-busy", "The portal is running as many exports as it can. Try again in a moment.", {
    retryAfterSeconds: 15,
  });

const noRoom = (): Refusal => new Refusal("engine-busy", "The storage for exports is full. Try again later.", { retryAfterSeconds: 600 });

const noSuchExport = (): Refusal => new Refusal("not-found", "There is no such export, or it is no longer kept.");

/** Opens the file on the first read, so that a response that is never read does not leak it. */
async function* contentOf({ store }: Pick<ExportParts, "store">, record: ExportRecord): AsyncGenerator<Uint8Array> {
  const { content } = await store.read(runKey(record));
  yield* content as AsyncIterable<Uint8Array>;
}
