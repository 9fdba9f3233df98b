import { messagesOf } from "#lib/gateway/gateway-error.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import { findRecord, patchRecord } from "./records.ts";
import { canCount, canPage, fetchRows, fetchTotal, pageRows } from "./search-api.ts";
import { slicesAfterRerun } from "#parts/search-model/search-extensions.ts";
import { emptyResults, type SearchRecord } from "#parts/search-model/search-record.ts";

/** A running request. Canceling it applies `undo` to the record. */
interface Run {
  controller: AbortController;
  undo: Partial<SearchRecord>;
}
/** By record id. Rows and count load in parallel, with at most one request each. */
const rowRuns = new Map<string, Run>();
const countRuns = new Map<string, Run>();
function startRun(runs: Map<string, Run>, id: string, undo: Run["undo"] = {}): Run {
  runs.get(id)?.controller.abort();
  const run = { controller: new AbortController(), undo };
  runs.set(id, run);
  return run;
}

/** Aborts the running requests of a record without updating it. */
export function dropRuns(id: string): void {
  for (const runs of [rowRuns, countRuns]) {
    runs.get(id)?.controller.abort();
    runs.delete(id);
  }
}

interface RunOptions {
  nowMs?: number | undefined;
  /** Keep all slices, because they were restored with the record and do not belong to an earlier run. */
  keepsSlices?: boolean;
}

/** Loads rows and count from the start. A relative range is resolved once, for all pages. */
export function runFromStart(id: string, { nowMs = Date.now(), keepsSlices = false }: RunOptions = {}): void {
  const record = findRecord(id);
  if (!record) return;
  dropRuns(id);
  const { timeRange } = record.filters;
  const filters = timeRange ? { ...record.filters, timeRange: rangeAt(timeRange, nowMs) } : record.filters;
  const slices = keepsSlices ? record.slices : slicesAfterRerun(record.slices);
  const startedMs = Date.now();
  patchRecord(id, { ...emptyResults(), run: record.run + 1, slices, filters, isSearching: true, startedMs, ranMs: startedMs });
  fetchFirst(id, startRun(rowRuns, id));
  if (canCount(record)) fetchCount(id);
}

/** Loads and appends the next page, of `max` rows. If it fails, the rows stay and the next call continues at the same row. */
export function loadNextPage(id: string, max = pageRows()): void {
  const record = findRecord(id);
  if (!record?.results || record.isSearching || record.isLoadingMore || record.allLoaded || !canPage(record)) return;
  const loaded = record.results;
  const offset = loaded.length;
  const run = startRun(rowRuns, id);
  patchRecord(id, { isLoadingMore: true, isCancelled: false, searchError: null, startedMs: Date.now(), elapsedMs: null });
  void settle(id, run, fetchRows(record, { offset, max }, run.controller.signal), {
    onSuccess: ({ rows }, now) => pageEnd({ ...now, results: [...loaded, ...rows], currentOffset: offset }, rows.length, max),
    onError: (messages) => ({ searchError: messages }),
  });
}

/** Loads the rows in another order. The old rows stay until the new ones arrive, so the table does not flash empty. */
export function runSorted(id: string, sort: SearchRecord["sort"]): void {
  const record = findRecord(id);
  if (!record) return;
  const run = startRun(rowRuns, id, { sort: record.sort });
  const changed = { sort, isSearching: true, isLoadingMore: false, isCancelled: false, searchError: null, elapsedMs: null };
  patchRecord(id, { ...changed, startedMs: Date.now() });
  fetchFirst(id, run);
}

/** Cancels rows and count. Loaded data stays, and a pending order is reverted. */
export function cancelRuns(id: string): void {
  const record = findRecord(id);
  if (!record) return;
  const undo = rowRuns.get(id)?.undo;
  dropRuns(id);
  const stopped = { isCancelled: record.isSearching, isSearching: false, isLoadingMore: false, startedMs: null };
  patchRecord(id, { ...stopped, totalResultCount: knownTotal(record), ...(record.isSearching ? undo : {}) });
}

/** Ids of the records with running requests. */
export const runningIds = (): string[] => [...rowRuns.keys(), ...countRuns.keys()];

function fetchFirst(id: string, run: Run): void {
  const record = findRecord(id);
  if (!record) return;
  const max = pageRows();
  void settle(id, run, fetchRows(record, { offset: 0, max }, run.controller.signal), {
    onSuccess: ({ rows, truncated }, now) => ({
      truncated,
      ...pageEnd({ ...now, results: rows, currentOffset: 0 }, rows.length, max),
    }),
    onError: (messages) => ({ searchError: messages, results: null }),
  });
}

function fetchCount(id: string): void {
  const record = findRecord(id);
  if (!record) return;
  const run = startRun(countRuns, id);
  patchRecord(id, { totalResultCount: -1, countError: null });
  void fetchTotal(record, run.controller.signal).then(
    (total) => {
      const now = findRecord(id);
      if (now && countRuns.get(id) === run)
        patchRecord(id, { totalResultCount: total, allLoaded: now.allLoaded || reaches(now.results, total) });
    },
    (error: unknown) => {
      if (countRuns.get(id) === run) patchRecord(id, { totalResultCount: null, countError: messagesOf(error) });
    },
  );
}

interface Handlers<T> {
  onSuccess: (response: T, record: SearchRecord) => Partial<SearchRecord>;
  onError: (messages: readonly string[]) => Partial<SearchRecord>;
}

async function settle<T>(id: string, run: Run, request: Promise<T>, { onSuccess, onError }: Handlers<T>): Promise<void> {
  const done = (): Partial<SearchRecord> => {
    const startedMs = findRecord(id)?.startedMs ?? null;
    return { isSearching: false, isLoadingMore: false, startedMs: null, elapsedMs: startedMs === null ? null : Date.now() - startedMs };
  };
  try {
    const response = await request;
    const record = findRecord(id);
    if (record && isCurrent(id, run)) patchRecord(id, { ...done(), ...onSuccess(response, record) });
  } catch (error) {
    if (isCurrent(id, run)) patchRecord(id, { ...done(), ...onError(messagesOf(error)) });
  }
}

const isCurrent = (id: string, run: Run): boolean => rowRuns.get(id) === run;

/** Everything is loaded when the page was short, the total is reached or the dataset does not support paging. */
function pageEnd(now: SearchRecord, lastPageRows: number, max: number): Pick<SearchRecord, "results" | "currentOffset" | "allLoaded"> {
  const { results, currentOffset, totalResultCount } = now;
  return { results, currentOffset, allLoaded: !canPage(now) || lastPageRows < max || reaches(results, totalResultCount) };
}

const reaches = (rows: SearchRecord["results"], total: number | null): boolean =>
  rows !== null && total !== null && total >= 0 && rows.length >= total;

const knownTotal = ({ totalResultCount }: SearchRecord): number | null => (totalResultCount === -1 ? null : totalResultCount);
