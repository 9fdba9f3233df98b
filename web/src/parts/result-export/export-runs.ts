import { type ExportFormat, type ExportState, exports } from "@fairway/contract/exports";
import type { SearchDataDraft } from "@fairway/contract/search";
import { create } from "zustand";
import { call } from "#lib/call.ts";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { logFailure } from "#lib/log.ts";
import { rememberInTab } from "#lib/tab-memory.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { announce } from "#ui/announcer.tsx";
import { toastError, toastSuccess } from "#ui/toast.ts";

/** The export of one open search, from its start to what came of it. */
export type ExportRun =
  | { phase: "starting" }
  | {
      phase: "running" | "done";
      exportId: string;
      /** What was asked, as JSON: the search may change meanwhile. */
      search: string;
      /** Null until the server has said it. */
      state: ExportState | null;
      /** The last question went unanswered. */
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
/** The search whose export is on the screen: what comes of it need not be told by a toast. */
let watched: string | null = null;
/** Set below. What was remembered is taken up while this module loads, before that. */
let remember: (state: unknown) => void = () => {};

const askEveryMs = 400;
const askAgainMs = 2_000;

export const useExportRun = (searchId: string): ExportRun | undefined => useRuns(({ runs }) => runs[searchId]);
const runOf = (searchId: string): ExportRun | undefined => useRuns.getState().runs[searchId];

export function watchExport(searchId: string | null): void {
  watched = searchId;
}

export interface ExportAsk {
  category: string;
  datasetId: string;
  format: ExportFormat;
  search: SearchDataDraft;
  /** CSV only. */
  columns?: readonly string[];
}

/** Starts an export and follows it until it has ended, whether or not anybody watches. */
export async function startExport(searchId: string, { category, datasetId, format, search, columns }: ExportAsk): Promise<void> {
  setRun(searchId, { phase: "starting" });
  try {
    const body = { format, search, ...(columns ? { columns: [...columns] } : {}) };
    const { exportId } = await call(exports.start, { params: { category, datasetId }, body });
    begin({ searchId, exportId, search: JSON.stringify(search), isNew: true });
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    setRun(searchId, { phase: "failed", messages: messagesOf(error) });
  }
}

export async function cancelExport(searchId: string): Promise<void> {
  const run = runOf(searchId);
  if (run?.phase !== "running") return;
  setRun(searchId, { ...run, cancelling: true });
  if (await ended(run.exportId)) setRun(searchId, { phase: "cancelled" });
  else setRun(searchId, { ...run, unreachable: true, cancelling: false });
}

/** Back to the choice of a format. A finished file stays on the server until its time is over. */
export function forgetExport(searchId: string): void {
  setRun(searchId, undefined);
}

interface Begun {
  searchId: string;
  exportId: string;
  search: string;
  /** Not one that this tab knew before it was reloaded. */
  isNew: boolean;
}

function begin({ searchId, exportId, search, isNew }: Begun): void {
  setRun(searchId, { phase: "running", exportId, search, state: null, unreachable: false, cancelling: false });
  follow(searchId, exportId, isNew).catch((error: unknown) => logFailure("An export could not be followed", error));
}

async function follow(searchId: string, exportId: string, isNew: boolean): Promise<void> {
  // What had ended before the reload was told then.
  let isNews = isNew;
  for (let waitMs = 0; ;) {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    const run = runOf(searchId);
    if (run?.phase !== "running" || run.exportId !== exportId) return;
    if (!findRecord(searchId)) {
      // The search was closed: nobody could get to the file any more.
      setRun(searchId, undefined);
      await ended(exportId);
      return;
    }
    try {
      const state = await call(exports.state, { params: { exportId } });
      if (!hear(searchId, exportId, state, isNews)) return;
      isNews = true;
      waitMs = askEveryMs;
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      if (error.status === 401) return;
      if (error.status === 404) {
        setRun(searchId, { phase: "failed", messages: ["The server does not keep this export any more. Start it again."] });
        return;
      }
      patch(searchId, exportId, { unreachable: true });
      waitMs = askAgainMs;
    }
  }
}

/** Takes in what the server says; answers whether there is more to come. */
function hear(searchId: string, exportId: string, state: ExportState, isNews: boolean): boolean {
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
    if (isNews) tell(searchId, () => toastSuccess(`The export of ${name} is ready: Actions, Export All Results`), "The export is ready");
  } else if (status === "failed") {
    const message = state.failure ?? "The export failed.";
    setRun(searchId, { phase: "failed", messages: [message] });
    tell(searchId, () => toastError(`The export of ${name} failed`, message), "The export failed");
  } else {
    setRun(searchId, { phase: "cancelled" });
  }
  return false;
}

function tell(searchId: string, toast: () => void, said: string): void {
  if (watched === searchId) announce(said);
  else toast();
}

/** Ends it on the server. True also where it is not known any more. */
async function ended(exportId: string): Promise<boolean> {
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
  remember(
    Object.entries(useRuns.getState().runs).flatMap(([id, one]) =>
      one.phase === "running" || one.phase === "done" ? [{ id, exportId: one.exportId, search: one.search }] : [],
    ),
  );
}

// Over a reload the server goes on writing, and the finished file is there still.
remember = rememberInTab("exports", {
  restore: (stored) => {
    if (!Array.isArray(stored)) return;
    for (const one of stored as Partial<Record<"id" | "exportId" | "search", unknown>>[]) {
      if (typeof one.id === "string" && typeof one.exportId === "string" && typeof one.search === "string") {
        begin({ searchId: one.id, exportId: one.exportId, search: one.search, isNew: false });
      }
    }
  },
  forget: () => useRuns.setState({ runs: {} }),
});
