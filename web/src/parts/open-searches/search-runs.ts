import { messagesOf } from "#lib/gateway-error.ts";
import { rangeAt } from "#parts/search-model/time-range.ts";
import { findRecord, patchRecord } from "./records.ts";
import { canCount, canPage, fetchRows, fetchTotal, pageRows } from "./search-api.ts";
import { slicesAfterRerun } from "#parts/search-model/search-extensions.ts";
import { nothingYet, type SearchRecord } from "#parts/search-model/search-record.ts";

/** A request on its way. `undo` is what a cancel puts back. */
interface Run {
  controller: AbortController;
  undo: Partial<SearchRecord>;
}
/** By record: rows and count run side by side, and each has one request at most. */
const rowRuns = new Map<string, Run>();
const countRuns = new Map<string, Run>();
function begin(runs: Map<string, Run>, id: string, undo: Run["undo"] = {}): Run {
  runs.get(id)?.controller.abort();
  const run = { controller: new AbortController(), undo };
  runs.set(id, run);
  return run;
}

/** Stops what is on its way for a record, silently. */
export function dropRuns(id: string): void {
  for (const runs of [rowRuns, countRuns]) {
    runs.get(id)?.controller.abort();
    runs.delete(id);
  }
}

interface FirstRun {
  nowMs?: number | undefined;
  /** What the views keep is not of an earlier run: it came with the record. */
  keepsSlices?: boolean;
}

/** Rows and count from the start. A range that follows the clock is what it is at this moment, for every page to come. */
export function runFirst(id: string, { nowMs = Date.now(), keepsSlices = false }: FirstRun = {}): void {
  const record = findRecord(id);
  if (!record) return;
  dropRuns(id);
  const { timeRange } = record.filters;
  const filters = timeRange ? { ...record.filters, timeRange: rangeAt(timeRange, nowMs) } : record.filters;
  const slices = keepsSlices ? record.slices : slicesAfterRerun(record.slices);
  patchRecord(id, { ...nothingYet(), run: record.run + 1, slices, filters, isSearching: true, startedMs: Date.now() });
  fetchFirst(id, begin(rowRuns, id));
  if (canCount(record)) fetchCount(id);
}

/** The next page, appended. A page that fails keeps the rows, and the next try asks for the same one. */
export function runNext(id: string): void {
  const record = findRecord(id);
  if (!record?.results || record.isSearching || record.isLoadingMore || record.allLoaded || !canPage(record)) return;
  const offset = record.currentOffset + pageRows();
  const before = record.results;
  const run = begin(rowRuns, id);
  patchRecord(id, { isLoadingMore: true, isCancelled: false, searchError: null, startedMs: Date.now(), elapsedMs: null });
  void settle(id, run, fetchRows(record, offset, run.controller.signal), {
    answered: ({ rows }, now) => pageEnd({ ...now, results: [...before, ...rows], currentOffset: offset }, rows.length),
    failed: (messages) => ({ searchError: messages }),
  });
}

/** Rows in another order. The old ones stay until the new are there, so that the table does not empty under the pointer. */
export function runSorted(id: string, sort: SearchRecord["sort"]): void {
  const record = findRecord(id);
  if (!record) return;
  const run = begin(rowRuns, id, { sort: record.sort });
  const changed = { sort, isSearching: true, isLoadingMore: false, isCancelled: false, searchError: null, elapsedMs: null };
  patchRecord(id, { ...changed, startedMs: Date.now() });
  fetchFirst(id, run);
}

/** Stops rows and count; what is there stays, and an order that never came is taken back. */
export function cancelRuns(id: string): void {
  const record = findRecord(id);
  if (!record) return;
  const undo = rowRuns.get(id)?.undo;
  dropRuns(id);
  const stopped = { isCancelled: record.isSearching, isSearching: false, isLoadingMore: false, startedMs: null };
  patchRecord(id, { ...stopped, totalResultCount: knownTotal(record), ...(record.isSearching ? undo : {}) });
}

/** Every record with something on its way. */
export const runningIds = (): string[] => [...rowRuns.keys(), ...countRuns.keys()];

function fetchFirst(id: string, run: Run): void {
  const record = findRecord(id);
  if (!record) return;
  void settle(id, run, fetchRows(record, 0, run.controller.signal), {
    answered: ({ rows, truncated }, now) => ({
      truncated,
      ...pageEnd({ ...now, results: rows, currentOffset: 0 }, rows.length),
    }),
    failed: (messages) => ({ searchError: messages, results: null }),
  });
}

function fetchCount(id: string): void {
  const record = findRecord(id);
  if (!record) return;
  const run = begin(countRuns, id);
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

interface Outcome<T> {
  answered: (answer: T, record: SearchRecord) => Partial<SearchRecord>;
  failed: (messages: readonly string[]) => Partial<SearchRecord>;
}

async function settle<T>(id: string, run: Run, asked: Promise<T>, { answered, failed }: Outcome<T>): Promise<void> {
  const done = (): Partial<SearchRecord> => {
    const startedMs = findRecord(id)?.startedMs ?? null;
    return { isSearching: false, isLoadingMore: false, startedMs: null, elapsedMs: startedMs === null ? null : Date.now() - startedMs };
  };
  try {
    const answer = await asked;
    const record = findRecord(id);
    if (record && isCurrent(id, run)) patchRecord(id, { ...done(), ...answered(answer, record) });
  } catch (error) {
    if (isCurrent(id, run)) patchRecord(id, { ...done(), ...failed(messagesOf(error)) });
  }
}

const isCurrent = (id: string, run: Run): boolean => rowRuns.get(id) === run;

/** The record's rows, and whether they are all: the page was short, the total is reached, or the dataset does not page. */
function pageEnd(now: SearchRecord, lastPageRows: number): Pick<SearchRecord, "results" | "currentOffset" | "allLoaded"> {
  const { results, currentOffset, totalResultCount } = now;
  return { results, currentOffset, allLoaded: !canPage(now) || lastPageRows < pageRows() || reaches(results, totalResultCount) };
}

const reaches = (rows: SearchRecord["results"], total: number | null): boolean =>
  rows !== null && total !== null && total >= 0 && rows.length >= total;

const knownTotal = ({ totalResultCount }: SearchRecord): number | null => (totalResultCount === -1 ? null : totalResultCount);
