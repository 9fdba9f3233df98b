import { create } from "zustand";
import { isUnsupported, messagesOf } from "#lib/gateway-error.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { findRecord, patchRecord, useOpenSearches } from "#parts/open-searches/records.ts";
import type { MapResults, SearchRecord } from "#parts/open-searches/search-record.ts";
import { confirm } from "#ui/confirm.tsx";
import { toastError } from "#ui/toast.ts";
import { fetchItems, pathCalls } from "./map-calls.ts";
import { type MapFields, mapFieldsOf, timeIn } from "./map-fields.ts";
import type { MapItem } from "./map-items.ts";
import { loadPath } from "./path-loading.ts";
import { type PathPoints, pathPoints } from "./path-points.ts";
import { ageEndMs } from "./stale-age.ts";

/** A path that is not hidden: on its way, or there. */
export type PathState =
  | { readonly phase: "loading"; readonly percent: number }
  | { readonly phase: "visible"; readonly points: PathPoints };

type Paths = ReadonlyMap<string, PathState>;

interface Sessions {
  /** By search: the paths of its items that are not hidden, by the item's id. Gone with the search. */
  readonly paths: ReadonlyMap<string, Paths>;
}

const useSessions = create<Sessions>(() => ({ paths: new Map() }));
const noPaths: Paths = new Map();

export const useMapPaths = (searchId: string): Paths => useSessions(({ paths }) => paths.get(searchId) ?? noPaths);

/** Requests on their way. */
const itemRuns = new Map<string, AbortController>();
const pathRuns = new Map<string, Map<string, AbortController>>();

/** Asks for the newest row of every item, unless they are there or on their way. */
export function loadItems(searchId: string): void {
  const record = findRecord(searchId);
  if (!record || record.mapResults.loadingData) return;
  itemRuns.get(searchId)?.abort();
  const run = new AbortController();
  itemRuns.set(searchId, run);
  const isCurrent = () => itemRuns.get(searchId) === run;
  patchMap(searchId, { loadingData: true, startedMs: Date.now(), errorLoading: false, errors: [], isCancelled: false });
  fetchItems(record, run.signal).then(
    ({ rows, truncated }) => {
      if (!isCurrent()) return;
      patchMap(searchId, { items: rows, isCut: truncated, endTimeMs: endTimeOf(record, rows), loadingData: false, startedMs: null });
    },
    (error: unknown) => {
      if (!isCurrent()) return;
      const isUnmappable = isUnsupported(error);
      patchMap(searchId, { loadingData: false, startedMs: null, errorLoading: true, isUnmappable, errors: messagesOf(error) });
    },
  );
}

export function cancelItems(searchId: string): void {
  itemRuns.get(searchId)?.abort();
  itemRuns.delete(searchId);
  patchMap(searchId, { loadingData: false, startedMs: null, isCancelled: true });
}

export const setItemFilter = (searchId: string, itemFilter: string): void => patchMap(searchId, { itemFilter });

/** `dropped`: cancelled, or asked for again meanwhile. `hidden`: declined, or it failed. */
export type PathOutcome = "visible" | "hidden" | "dropped";

/** Loads a path with what its layers read, and tells of a failure itself. */
export async function showPath(searchId: string, item: MapItem, fields: MapFields, columns: readonly string[]): Promise<PathOutcome> {
  const record = findRecord(searchId);
  if (!record) return "dropped";
  pathRuns.get(searchId)?.get(item.id)?.abort();
  const run = new AbortController();
  pathRuns.set(searchId, (pathRuns.get(searchId) ?? new Map<string, AbortController>()).set(item.id, run));
  const isCurrent = () => pathRuns.get(searchId)?.get(item.id) === run;
  const set = (state: PathState | null) => {
    if (isCurrent()) setPath(searchId, item.id, state);
  };
  const calls = pathCalls(record, item, fields, columns);
  try {
    const loaded = await loadPath(
      calls,
      calls,
      {
        onPercent: (percent) => set({ phase: "loading", percent }),
        mayLoad: (size) => askAfterOthers(() => (isCurrent() ? mayLoad(item, size) : Promise.resolve(false))),
      },
      run.signal,
    );
    set(loaded && { phase: "visible", points: pathPoints(loaded.rows, fields, { columns, isCut: loaded.isCut }) });
    if (!isCurrent()) return "dropped";
    return loaded === null ? "hidden" : "visible";
  } catch (error) {
    if (!isCurrent()) return "dropped";
    set(null);
    toastError("Path Loading Failed", [`${item.name}:`, ...messagesOf(error)].join(" "));
    return "hidden";
  }
}

const mayLoad = ({ name }: MapItem, { points, calls }: { points: number; calls: number }): Promise<boolean> =>
  confirm({
    title: "A Lot of Data",
    text: `The path of ${name} has ${points.toLocaleString("en-US")} positions, which take ${calls.toLocaleString("en-US")} requests. Loading them may take long and slow this page down.`,
    confirmLabel: "Yes, Try Loading Path",
  });

// A new question takes the place of the one that stands, as if that had been declined.
let lastQuestion: Promise<unknown> = Promise.resolve();
function askAfterOthers(ask: () => Promise<boolean>): Promise<boolean> {
  const answer = lastQuestion.then(ask);
  lastQuestion = answer;
  return answer;
}

/** Cancels it where it is on its way, and gives its memory back. */
export function hidePath(searchId: string, itemId: string): void {
  pathRuns.get(searchId)?.get(itemId)?.abort();
  pathRuns.get(searchId)?.delete(itemId);
  setPath(searchId, itemId, null);
}

function setPath(searchId: string, itemId: string, state: PathState | null): void {
  useSessions.setState(({ paths }) => {
    const of = new Map(paths.get(searchId));
    if (state) of.set(itemId, state);
    else of.delete(itemId);
    return { paths: new Map(paths).set(searchId, of) };
  });
}

function patchMap(searchId: string, change: Partial<MapResults>): void {
  const record = findRecord(searchId);
  if (record) patchRecord(searchId, { mapResults: { ...record.mapResults, ...change } });
}

function endTimeOf(record: SearchRecord, rows: NonNullable<MapResults["items"]>): number {
  const fields = mapFieldsOf(record.datasetDescription);
  let newestMs: number | null = null;
  for (const row of rows) {
    const timeMs = fields && timeIn(row, fields);
    if (timeMs !== null && (newestMs === null || timeMs > newestMs)) newestMs = timeMs;
  }
  return ageEndMs({ rangeEndMs: record.filters.timeRange?.endMs ?? null, newestMs, nowMs: Date.now(), ...currentLimits() });
}

// A search that was closed, or asked anew, keeps nothing: neither rows nor requests.
useOpenSearches.subscribe(({ records }) => {
  for (const searchId of new Set([...itemRuns.keys(), ...pathRuns.keys()])) {
    const map = records.find(({ id }) => id === searchId)?.mapResults;
    if (map && (map.loadingData || map.items !== null || map.errorLoading)) continue;
    itemRuns.get(searchId)?.abort();
    itemRuns.delete(searchId);
    for (const run of pathRuns.get(searchId)?.values() ?? []) run.abort();
    pathRuns.delete(searchId);
    useSessions.setState(({ paths }) => ({ paths: new Map([...paths].filter(([id]) => id !== searchId)) }));
  }
});
