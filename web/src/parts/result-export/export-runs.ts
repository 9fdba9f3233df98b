import type { BreakdownRequestDraft } from "@fairway/contract/breakdowns";
import { type ExportFormat, type ExportState, exports } from "@fairway/contract/exports";
import type { SearchDataDraft } from "@fairway/contract/search";
import { create } from "zustand";
import { call } from "#lib/gateway/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { LiveWatch } from "#lib/live/live-changes.ts";
import { logFailure } from "#lib/browser/log.ts";
import { rememberInTab } from "#lib/browser/tab-memory.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { announce } from "#ui/announcer.tsx";
import { toastError, toastSuccess } from "#ui/toast/toast.ts";

/** The state of an open search's export. */
export type ExportRun =
  | { phase: "starting" }
  | {
      phase: "running" | "done";
      exportId: string;
      /** The exported search or breakdown as JSON, to detect changes since. */
      search: string;
      /** Null until the first response. */
      state: ExportState | null;
      /** The last poll failed. */
      unreachable: boolean;
      cancelling: boolean;
    }
  | { phase: "failed"; messages: readonly string[] }
  | { phase: "cancelled" };

interface ExportRuns {
  /** By the search's id. */
  readonly runs: Readonly<Record<string, ExportRun>>;
}

const useRuns = create<ExportRuns>(() => ({ runs: {} }));
/** The search whose export is shown in the dialog, so its outcome needs no toast. */
let watched: string | null = null;
/** Assigned below: stored exports are restored while this module loads, before the assignment. */
let persist: (state: unknown) => void = () => {};

const pollIntervalMs = 400;
const retryDelayMs = 2_000;

export const useExportRun = (searchId: string): ExportRun | undefined => useRuns(({ runs }) => runs[searchId]);
const runOf = (searchId: string): ExportRun | undefined => useRuns.getState().runs[searchId];

export function watchExport(searchId: string | null): void {
  watched = searchId;
}

interface ExportOf {
  category: string;
  datasetId: string;
  format: ExportFormat;
}

export interface ExportRequest extends ExportOf {
  search: SearchDataDraft;
  /** CSV only. */
  columns?: readonly string[];
  /** CSV only: the first line has labels in place of names. */
  labels?: boolean;
}

/** Starts an export and follows its state until it ends, even while the dialog is closed. */
export const startExport = (searchId: string, { category, datasetId, format, search, columns, labels }: ExportRequest): Promise<void> =>
  startAndTrack(searchId, search, async () => {
    const body = { format, search, ...(columns ? { columns: [...columns] } : {}), ...(labels === undefined ? {} : { labels }) };
    return await call(exports.start, { params: { category, datasetId }, body });
  });

/** Likewise of the table of a breakdown. */
export const startTableExport = (
  searchId: string,
  { category, datasetId, format, breakdown }: ExportOf & { breakdown: BreakdownRequestDraft },
): Promise<void> =>
  startAndTrack(searchId, breakdown, () => call(exports.startBreakdown, { params: { category, datasetId }, body: { format, breakdown } }));

async function startAndTrack(searchId: string, exported: unknown, start: () => Promise<{ exportId: string }>): Promise<void> {
  setRun(searchId, { phase: "starting" });
  try {
    const { exportId } = await start();
    track({ searchId, exportId, search: JSON.stringify(exported), isNew: true });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    setRun(searchId, { phase: "failed", messages: messagesOf(error) });
  }
}

export async function cancelExport(searchId: string): Promise<void> {
  const run = runOf(searchId);
  if (run?.phase !== "running") return;
  setRun(searchId, { ...run, cancelling: true });
  if (await removeFromServer(run.exportId)) setRun(searchId, { phase: "cancelled" });
  else setRun(searchId, { ...run, unreachable: true, cancelling: false });
}

/** Returns to the format choice. The server keeps a finished file until it expires. */
export function forgetExport(searchId: string): void {
  setRun(searchId, undefined);
}

interface TrackedExport {
  searchId: string;
  exportId: string;
  search: string;
  /** False for an export restored after a reload. */
  isNew: boolean;
}

function track({ searchId, exportId, search, isNew }: TrackedExport): void {
  setRun(searchId, { phase: "running", exportId, search, state: null, unreachable: false, cancelling: false });
  const watch = new LiveWatch("exports", exportId, pollIntervalMs);
  follow({ searchId, exportId, isNew }, watch)
    .catch((error: unknown) => logFailure("An export could not be followed", error))
    .finally(() => watch.close());
}

async function follow(
  { searchId, exportId, isNew }: Pick<TrackedExport, "searchId" | "exportId" | "isNew">,
  watch: LiveWatch,
): Promise<void> {
  // The user was already notified of an export that ended before the reload.
  let shouldNotify = isNew;
  for (;;) {
    const run = runOf(searchId);
    if (run?.phase !== "running" || run.exportId !== exportId) return;
    if (!findRecord(searchId)) {
      // The search was closed, so the file is no longer reachable.
      setRun(searchId, undefined);
      await removeFromServer(exportId);
      return;
    }
    try {
      const state = await call(exports.state, { params: { exportId } });
      if (!applyState(searchId, exportId, state, shouldNotify)) return;
      shouldNotify = true;
      await watch.wait();
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.status === 401) return;
      if (error.status === 404) {
        setRun(searchId, { phase: "failed", messages: ["The server no longer has this export. Start it again."] });
        return;
      }
      patch(searchId, exportId, { unreachable: true });
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}

/** Applies a state that was read. Returns whether to read it again. */
function applyState(searchId: string, exportId: string, state: ExportState, shouldNotify: boolean): boolean {
  const { status } = state;
  if (status === "running") {
    patch(searchId, exportId, { state, unreachable: false });
    return true;
  }
  const run = runOf(searchId);
  if (run?.phase !== "running" || run.exportId !== exportId) return false;
  const name = findRecord(searchId)?.datasetDescription.datasetId ?? "this search";
  if (status === "done") {
    setRun(searchId, { ...run, phase: "done", state, unreachable: false });
    if (shouldNotify)
      notifyUser(searchId, () => toastSuccess(`The export of ${name} is ready: Actions, Export All Results`), "The export is ready");
  } else if (status === "failed") {
    const message = state.failure ?? "The export failed.";
    setRun(searchId, { phase: "failed", messages: [message] });
    notifyUser(searchId, () => toastError(`The export of ${name} failed`, message), "The export failed");
  } else {
    setRun(searchId, { phase: "cancelled" });
  }
  return false;
}

function notifyUser(searchId: string, showToast: () => void, announcement: string): void {
  if (watched === searchId) announce(announcement);
  else showToast();
}

/** Cancels or deletes the export on the server. True also when it no longer exists. */
async function removeFromServer(exportId: string): Promise<boolean> {
  try {
    await call(exports.remove, { params: { exportId } });
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return error.status === 404;
    throw error;
  }
}

function patch(searchId: string, exportId: string, change: { state?: ExportState; unreachable: boolean }): void {
  const run = runOf(searchId);
  if (run?.phase === "running" && run.exportId === exportId) setRun(searchId, { ...run, ...change });
}

function setRun(searchId: string, run: ExportRun | undefined): void {
  useRuns.setState(({ runs }) => {
    const { [searchId]: _, ...others } = runs;
    return { runs: run === undefined ? others : { ...others, [searchId]: run } };
  });
  persist(
    Object.entries(useRuns.getState().runs).flatMap(([id, run]) =>
      run.phase === "running" || run.phase === "done" ? [{ id, exportId: run.exportId, search: run.search }] : [],
    ),
  );
}

// The server keeps writing during a reload, and keeps the finished file.
persist = rememberInTab("exports", {
  restore: (stored) => {
    if (!Array.isArray(stored)) return;
    for (const entry of stored as Partial<Record<"id" | "exportId" | "search", unknown>>[]) {
      if (typeof entry.id === "string" && typeof entry.exportId === "string" && typeof entry.search === "string") {
        track({ searchId: entry.id, exportId: entry.exportId, search: entry.search, isNew: false });
      }
    }
  },
  forget: () => useRuns.setState({ runs: {} }),
});
