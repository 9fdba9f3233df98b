import type { ResultRow } from "@fairway/contract/search";

/** The calls that bring one path. */
export interface PathCalls {
  count(signal: AbortSignal): Promise<number>;
  /** `paging` is undefined where the dataset does not page: one answer is all there is then. */
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

interface PathListener {
  onPercent: (percent: number) => void;
  /** The path needs more calls than go without a question; true goes on. */
  mayLoad: (size: { points: number; calls: number }) => Promise<boolean>;
}

/**
 * Counts a path and loads it page by page. Null where the person declined. Rejects as the calls do, with the signal's
 * reason when it was cancelled.
 */
export async function loadPath(
  calls: PathCalls,
  { pointsPerCall, callsWithoutWarning, canPage }: PathPlan,
  { onPercent, mayLoad }: PathListener,
  signal: AbortSignal,
): Promise<{ rows: readonly ResultRow[]; isCut: boolean } | null> {
  onPercent(0);
  const total = await calls.count(signal);
  const needed = Math.ceil(total / pointsPerCall);
  if (needed > callsWithoutWarning) {
    const yes = await mayLoad({ points: total, calls: needed });
    signal.throwIfAborted();
    if (!yes) return null;
  }
  if (!canPage) {
    const { rows, truncated } = await calls.page(undefined, signal);
    return { rows, isCut: truncated };
  }
  const pages: (readonly ResultRow[])[] = [];
  let loaded = 0;
  while (loaded < total) {
    const { rows } = await calls.page({ offset: loaded, max: pointsPerCall }, signal);
    pages.push(rows);
    loaded += rows.length;
    onPercent(Math.min(100, Math.floor((100 * loaded) / total)));
    // Shorter than asked for: the data has shrunk since it was counted.
    if (rows.length < pointsPerCall) break;
  }
  return { rows: pages.flat(), isCut: false };
}
