import type { ResultRow } from "@fairway/contract/search";
import { mapConcurrent } from "#lib/pacing/map-concurrent.ts";

/** The calls that load one path. */
export interface PathCalls {
  count(signal: AbortSignal): Promise<number>;
  /** The rows of the thinned path. */
  thinned(signal: AbortSignal): Promise<readonly ResultRow[]>;
  /** `paging` is undefined for datasets that do not page; the single answer is then all there is. */
  page(
    paging: { offset: number; max: number } | undefined,
    signal: AbortSignal,
  ): Promise<{ rows: readonly ResultRow[]; truncated: boolean }>;
}

export interface PathPlan {
  readonly pointsPerCall: number;
  readonly callsWithoutWarning: number;
  readonly canPage: boolean;
}

export interface LoadedPath {
  readonly rows: readonly ResultRow[];
  /** The server cut the answer off. */
  readonly isCut: boolean;
}

/** A path being loaded. No callback runs after cancellation. */
export interface PathLoad {
  readonly calls: PathCalls;
  readonly signal: AbortSignal;
  onPercent: (percent: number) => void;
  onLoaded: (path: LoadedPath) => void;
  /** In place of a path with `positions` positions. */
  onThinned: (rows: readonly ResultRow[], positions: number) => void;
  onDeclined: () => void;
  onFailed: (error: unknown) => void;
}

/** The total size of several paths. */
export interface PathsTotal {
  readonly paths: number;
  readonly points: number;
  readonly calls: number;
}

/** The answer to paths that are a lot of data. */
export type LargePaths = "load" | "thin" | "leave";

const maxInFlight = 6;

/**
 * Counts the paths, then loads them page by page. If their total exceeds the calls allowed without a warning,
 * `askAbout` is called once for all of them before any page is requested. Never rejects: each path receives its own failure.
 */
export async function loadPaths(
  loads: readonly PathLoad[],
  plan: PathPlan,
  askAbout: (size: PathsTotal) => Promise<LargePaths>,
): Promise<void> {
  const { pointsPerCall, callsWithoutWarning } = plan;
  for (const load of loads) load.onPercent(0);
  const totals = new Map<PathLoad, number>();
  await mapConcurrent(loads, maxInFlight, (load) =>
    attempt(load, async ({ calls, signal }) => {
      totals.set(load, await calls.count(signal));
    }),
  );
  const countedLoads = loads.flatMap((load) => {
    const total = totals.get(load);
    return total === undefined || load.signal.aborted ? [] : [{ load, total }];
  });
  const points = sumOf(countedLoads.map(({ total }) => total));
  if (points > pointsPerCall * callsWithoutWarning) {
    const calls = sumOf(countedLoads.map(({ total }) => Math.ceil(total / pointsPerCall)));
    const answer = await askAbout({ paths: countedLoads.length, points, calls });
    if (answer === "leave") {
      for (const { load } of countedLoads) if (!load.signal.aborted) load.onDeclined();
      return;
    }
    if (answer === "thin") return loadThinned(countedLoads);
  }
  await mapConcurrent(countedLoads, maxInFlight, ({ load, total }) =>
    attempt(load, async () => {
      const path = await loadPages(load, total, plan);
      load.signal.throwIfAborted();
      load.onLoaded(path);
    }),
  );
}

const loadThinned = (loads: readonly { readonly load: PathLoad; readonly total: number }[]): Promise<void> =>
  mapConcurrent(loads, maxInFlight, ({ load, total }) =>
    attempt(load, async ({ calls, signal }) => {
      const rows = await calls.thinned(signal);
      signal.throwIfAborted();
      load.onThinned(rows, total);
    }),
  );

async function attempt(load: PathLoad, work: (load: PathLoad) => Promise<void>): Promise<void> {
  if (load.signal.aborted) return;
  try {
    await work(load);
  } catch (error) {
    if (!load.signal.aborted) load.onFailed(error);
  }
}

async function loadPages({ calls, signal, onPercent }: PathLoad, total: number, { pointsPerCall, canPage }: PathPlan): Promise<LoadedPath> {
  if (!canPage) {
    const { rows, truncated } = await calls.page(undefined, signal);
    return { rows, isCut: truncated };
  }
  const pages: (readonly ResultRow[])[] = [];
  let loaded = 0;
  while (loaded < total) {
    const { rows } = await calls.page({ offset: loaded, max: pointsPerCall }, signal);
    signal.throwIfAborted();
    pages.push(rows);
    loaded += rows.length;
    onPercent(Math.min(100, Math.floor((100 * loaded) / total)));
    // A short page: the data shrank after it was counted.
    if (rows.length < pointsPerCall) break;
  }
  return { rows: pages.flat(), isCut: false };
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
