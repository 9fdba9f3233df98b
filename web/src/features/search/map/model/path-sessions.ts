import { formatCount } from "@fairway/contract/counts";
import { create } from "zustand";
import { messagesOf } from "#lib/gateway-error.ts";
import { findRecord } from "#parts/open-searches/records.ts";
import { confirm } from "#ui/confirm.ts";
import { toastError } from "#ui/toast.ts";
import { pathCalls, pathPlan } from "./map-calls.ts";
import type { MapFields } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { loadPaths, type PathLoad, type PathsSize } from "./path-loading.ts";
import { type PathPoints, pathPoints } from "./path-model.ts";

/** A path that is not hidden: on its way, or there. */
export type PathState =
  /** `points`: what was there before it was asked for again, and is shown until the new ones come. */
  | { readonly phase: "loading"; readonly percent: number; readonly points: PathPoints | null }
  /** `lack`: why it does not hold all that its layers read. Null where it does. */
  | { readonly phase: "visible"; readonly points: PathPoints; readonly lack: string | null };

type Paths = ReadonlyMap<string, PathState>;

interface Sessions {
  /** By search: the paths of its items that are not hidden, by the item's id. Gone with the search. */
  readonly paths: ReadonlyMap<string, Paths>;
}

const useSessions = create<Sessions>(() => ({ paths: new Map() }));
const noPaths: Paths = new Map();
const pathsOf = (searchId: string): Paths => useSessions.getState().paths.get(searchId) ?? noPaths;

export const useMapPaths = (searchId: string): Paths => useSessions(({ paths }) => paths.get(searchId) ?? noPaths);

/** Requests on their way. */
const runs = new Map<string, Map<string, AbortController>>();

interface WantedPath {
  readonly item: MapItem;
  /** What its layers read. */
  readonly columns: readonly string[];
}

/** Hears of each path alone: it is there, or hidden again since it failed or was declined. Not of one that was cancelled. */
type OnSettled = (item: MapItem, outcome: "visible" | "hidden") => void;

/** Loads paths, with one question where they are a lot together, and tells of failures itself. What was shown before stays until then. */
export async function showPaths(searchId: string, wanted: readonly WantedPath[], fields: MapFields, onSettled: OnSettled): Promise<void> {
  const record = findRecord(searchId);
  if (!record || wanted.length === 0) return;
  const loads = wanted.map(({ item, columns }): PathLoad => {
    const { signal } = begin(searchId, item.id);
    const former = pathsOf(searchId).get(item.id)?.points ?? null;
    const set = (state: PathState | null) => setPath(searchId, item.id, state);
    const end = (lack: string) => {
      set(former && { phase: "visible", points: former, lack });
      if (!former) onSettled(item, "hidden");
    };
    return {
      calls: pathCalls(record, item, fields, columns),
      signal,
      onPercent: (percent) => set({ phase: "loading", percent, points: former }),
      onLoaded: ({ rows, isCut }) => {
        set({ phase: "visible", points: pathPoints(rows, fields, { columns, isCut }), lack: null });
        onSettled(item, "visible");
      },
      onDeclined: () => end(notLoaded),
      onFailed: (error) => {
        const messages = messagesOf(error);
        toastError("Path Loading Failed", [`${item.name}:`, ...messages].join(" "));
        end(["The path could not be loaded again.", ...messages, "It is shown as it was."].join(" "));
      },
    };
  });
  const isWanted = () => loads.some(({ signal }) => !signal.aborted);
  await loadPaths(loads, pathPlan(record), (size) =>
    askAfterOthers(() => (isWanted() ? mayLoad(wanted.length === 1 ? wanted[0]?.item.name : undefined, size) : Promise.resolve(false))),
  );
}

const notLoaded = "The path was not loaded again. It is shown as it was.";

function mayLoad(name: string | undefined, { paths, points, calls }: PathsSize): Promise<boolean> {
  const begin = name === undefined ? `${formatCount(paths)} paths together have` : `The path of ${name} has`;
  return confirm({
    title: "A Lot of Data",
    text: `${begin} ${formatCount(points)} positions, which take ${formatCount(calls)} requests. Loading them may take long and slow this page down.`,
    confirmLabel: name === undefined ? "Yes, Try Loading Paths" : "Yes, Try Loading Path",
  });
}

// A new question takes the place of the one that stands, as if that had been declined.
let lastQuestion: Promise<unknown> = Promise.resolve();
function askAfterOthers(ask: () => Promise<boolean>): Promise<boolean> {
  const answer = lastQuestion.then(ask);
  lastQuestion = answer;
  return answer;
}

/** Cancels it where it is on its way, and gives its memory back. */
export function hidePath(searchId: string, itemId: string): void {
  stop(searchId, itemId);
  setPath(searchId, itemId, null);
}

/** Stops loading a path again: what was there before stays, and says that it lacks something where it does. */
export function keepPath(searchId: string, itemId: string, { isWhole }: { isWhole: boolean }): void {
  const points = pathsOf(searchId).get(itemId)?.points;
  if (!points) return;
  stop(searchId, itemId);
  setPath(searchId, itemId, { phase: "visible", points, lack: isWhole ? null : notLoaded });
}

/** Searches that have paths, or had some. */
export const searchesWithPaths = (): Iterable<string> => runs.keys();

/** The search is gone: its requests end, its memory is given back. */
export function dropPaths(searchId: string): void {
  for (const run of runs.get(searchId)?.values() ?? []) run.abort();
  runs.delete(searchId);
  useSessions.setState(({ paths }) => ({ paths: new Map([...paths].filter(([id]) => id !== searchId)) }));
}

function begin(searchId: string, itemId: string): AbortController {
  stop(searchId, itemId);
  const run = new AbortController();
  runs.set(searchId, (runs.get(searchId) ?? new Map<string, AbortController>()).set(itemId, run));
  return run;
}

function stop(searchId: string, itemId: string): void {
  runs.get(searchId)?.get(itemId)?.abort();
  runs.get(searchId)?.delete(itemId);
}

function setPath(searchId: string, itemId: string, state: PathState | null): void {
  useSessions.setState(({ paths }) => {
    const of = new Map(paths.get(searchId));
    if (state) of.set(itemId, state);
    else of.delete(itemId);
    return { paths: new Map(paths).set(searchId, of) };
  });
}
