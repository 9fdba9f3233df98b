import { isNumeric } from "@fairway/contract/columns";
import { formatCount } from "@fairway/contract/counts";
import { create } from "zustand";
import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { choose } from "#ui/dialog/confirm.ts";
import { toastError } from "#ui/toast/toast.ts";
import { pathCalls, pathPlan } from "./map-calls.ts";
import { maxTrackValues } from "@fairway/contract/map-results";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { type LargePaths, loadPaths, type PathLoad, type PathsTotal } from "./path-loading.ts";
import { type PathPoints, pathPoints } from "./path-model.ts";
import { trackResolutionMs } from "./tracks.ts";

/** A path that is not hidden: loading or visible. */
export type PathState =
  /** `points`: the points loaded before, shown until the new ones arrive. */
  | { readonly phase: "loading"; readonly percent: number; readonly points: PathPoints | null }
  /** `warning`: why the path is incomplete for its layers; null if it is complete. */
  | { readonly phase: "visible"; readonly points: PathPoints; readonly warning: string | null };

type Paths = ReadonlyMap<string, PathState>;

interface Sessions {
  /** Per search, the states of paths that are not hidden, by item id. Dropped with the search. */
  readonly paths: ReadonlyMap<string, Paths>;
}

const useSessions = create<Sessions>(() => ({ paths: new Map() }));
const noPaths: Paths = new Map();
const pathsOf = (searchId: string): Paths => useSessions.getState().paths.get(searchId) ?? noPaths;

export const useMapPaths = (searchId: string): Paths => useSessions(({ paths }) => paths.get(searchId) ?? noPaths);

/** Running requests by search and item. */
const runs = new Map<string, Map<string, AbortController>>();

interface RequestedPath {
  readonly item: MapItem;
  /** The columns that its layers read. */
  readonly columns: readonly string[];
}

/** Called for each path once it is visible, or hidden again after a failure or refusal. Not called for canceled paths. */
type OnSettled = (item: MapItem, outcome: "visible" | "hidden") => void;

/**
 * Loads paths, asking for confirmation once if they are large in total unless it is given already, and reports failures as toasts. Paths
 * shown before stay visible meanwhile.
 */
export async function showPaths(
  searchId: string,
  requested: readonly RequestedPath[],
  fields: MapFields,
  onSettled: OnSettled,
  isConfirmed = false,
): Promise<void> {
  const record = findRecord(searchId);
  if (!record || requested.length === 0) return;
  const loads = requested.map(({ item, columns }): PathLoad => {
    const { signal } = startRun(searchId, item.id);
    const previous = pathsOf(searchId).get(item.id)?.points ?? null;
    const set = (state: PathState | null) => setPath(searchId, item.id, state);
    const fail = (warning: string) => {
      set(previous && { phase: "visible", points: previous, warning });
      if (!previous) onSettled(item, "hidden");
    };
    return {
      calls: pathCalls(record, item, fields, columns),
      signal,
      onPercent: (percent) => set({ phase: "loading", percent, points: previous }),
      onLoaded: ({ rows, isCut }) => {
        set({ phase: "visible", points: pathPoints(rows, fields, { columns, isCut }), warning: null });
        onSettled(item, "visible");
      },
      onThinned: (rows, positions) => {
        const values = columns.slice(0, maxTrackValues);
        const hasNumber = record.datasetDescription.schema.columns.some(({ name, type }) => values.includes(name) && isNumeric(type));
        const thinned = pathPoints(rows, fields, { columns: values });
        const points = { ...thinned, resolutionMs: trackResolutionMs(thinned, 1, hasNumber) };
        const warning = `This is an overview: ${formatCount(points.count)} of ${formatCount(positions)} positions.`;
        set({ phase: "visible", points, warning });
        onSettled(item, "visible");
      },
      onDeclined: () => fail(notLoaded),
      onFailed: (error) => {
        const messages = messagesOf(error);
        toastError("Path Loading Failed", [`${item.name}:`, ...messages].join(" "));
        fail(["The path could not be loaded again.", ...messages, "It is shown as it was."].join(" "));
      },
    };
  });
  const isActive = () => loads.some(({ signal }) => !signal.aborted);
  await loadPaths(loads, pathPlan(record), async (size) => {
    if (isConfirmed) return "load";
    return queueQuestion(() =>
      isActive() ? askAbout(requested.length === 1 ? requested[0]?.item.name : undefined, size) : Promise.resolve("leave"),
    );
  });
}

const notLoaded = "The path was not loaded again. It is shown as it was.";

function askAbout(name: string | undefined, { paths, points, calls }: PathsTotal): Promise<LargePaths> {
  const subject = name === undefined ? `${formatCount(paths)} paths together have` : `The path of ${name} has`;
  const what = `${subject} ${formatCount(points)} positions, which take ${formatCount(calls)} requests.`;
  return askToLoad(what, name === undefined ? "Paths" : "Path");
}

/** Asks about so many paths that counting them is a lot already. `positions`: of all of them; null if that is not known. */
export const askAboutCrowd = (paths: number, positions: number | null): Promise<LargePaths> =>
  queueQuestion(() => {
    const together = positions === null ? "" : ` have ${formatCount(positions)} positions, which`;
    return askToLoad(`${formatCount(paths)} paths together${together} take at least ${formatCount(2 * paths)} requests.`, "Paths");
  });

async function askToLoad(what: string, noun: "Path" | "Paths"): Promise<LargePaths> {
  const chosen = await choose({
    title: "A Lot of Data",
    text: `${what} Loading them may take long and slow this page down.`,
    confirmLabel: `Yes, Try Loading ${noun}`,
    otherLabel: `Show Thinned ${noun}`,
  });
  return chosen === "confirmed" ? "load" : chosen === "other" ? "thin" : "leave";
}

// A new confirm dialog replaces an open one as if that had been declined, so questions are asked one at a time.
let lastQuestion: Promise<unknown> = Promise.resolve();
function queueQuestion(ask: () => Promise<LargePaths>): Promise<LargePaths> {
  const answer = lastQuestion.then(ask);
  lastQuestion = answer;
  return answer;
}

/** Cancels the path if it is loading, and releases its memory. */
export function hidePath(searchId: string, itemId: string): void {
  stopRun(searchId, itemId);
  setPath(searchId, itemId, null);
}

/** Stops reloading a path and keeps its previous points, with a warning unless it is complete. */
export function keepPath(searchId: string, itemId: string, { isComplete }: { isComplete: boolean }): void {
  const points = pathsOf(searchId).get(itemId)?.points;
  if (!points) return;
  stopRun(searchId, itemId);
  setPath(searchId, itemId, { phase: "visible", points, warning: isComplete ? null : notLoaded });
}

/** Searches that have or had paths. */
export const searchesWithPaths = (): Iterable<string> => runs.keys();

/** Aborts the search's requests and releases its memory. */
export function dropPaths(searchId: string): void {
  for (const run of runs.get(searchId)?.values() ?? []) run.abort();
  runs.delete(searchId);
  useSessions.setState(({ paths }) => ({ paths: new Map([...paths].filter(([id]) => id !== searchId)) }));
}

function startRun(searchId: string, itemId: string): AbortController {
  stopRun(searchId, itemId);
  const run = new AbortController();
  runs.set(searchId, (runs.get(searchId) ?? new Map<string, AbortController>()).set(itemId, run));
  return run;
}

function stopRun(searchId: string, itemId: string): void {
  runs.get(searchId)?.get(itemId)?.abort();
  runs.get(searchId)?.delete(itemId);
}

function setPath(searchId: string, itemId: string, state: PathState | null): void {
  useSessions.setState(({ paths }) => {
    const searchPaths = new Map(paths.get(searchId));
    if (state) searchPaths.set(itemId, state);
    else searchPaths.delete(itemId);
    return { paths: new Map(paths).set(searchId, searchPaths) };
  });
}
