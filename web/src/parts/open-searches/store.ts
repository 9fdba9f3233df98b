import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SortKey } from "@fairway/contract/search";
import { create } from "zustand";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { rememberInTab } from "#lib/tab-memory.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { canCount, canPage, fetchRows, fetchTotal, pageRows } from "./run-search.ts";
import { type AddressedSearch, definitionOf, recordFromAddress } from "./search-address.ts";
import {
  newRecord,
  nothingYet,
  phaseOf,
  type SearchDefinition,
  type SearchFilters,
  type SearchRecord,
  type ViewMode,
} from "./search-record.ts";
import { restoredSearches, storedSearches } from "./stored-searches.ts";

/** What opening `/search/{id}#…` came to. `unknown`: neither here nor in the address; `no-access`: the dataset is gone or closed to this user. */
export type OpenOutcome = { kind: "open" } | { kind: "closed" | "unknown" | "no-access" } | { kind: "failed"; messages: readonly string[] };

/**
 * The open searches of this tab. Definitions survive a reload (session storage); rows are asked for again.
 * Every action that runs a search drops the one still running for the same record; late answers are not heard.
 */
export interface OpenSearches {
  /** Makes a record, runs it (page and count side by side) and answers its id. */
  start(description: DatasetDescription, filters: SearchFilters, options: { isSample: boolean; sort?: readonly SortKey[] }): string;
  /**
   * Call when a results page is shown: asks for the rows of a restored record, or rebuilds one from the address
   * (the dataset's description is loaded first), unless this tab closed it.
   */
  open(id: string, hash: string): Promise<OpenOutcome>;
  /** Clears results, count, offset, map results and graphs, then searches again. */
  rerun(id: string): void;
  /** The next page, appended. Does nothing while one is on its way or when all is loaded. */
  loadMore(id: string): void;
  /** Stops what is running; the rows that are there stay. */
  cancel(id: string): void;
  /** Removes the record and remembers that this tab closed it. */
  close(id: string): void;
  /** Rows in another order; the count stays. */
  sortBy(id: string, sort: readonly SortKey[]): void;
  /** New filters run the search anew. */
  setFilters(id: string, filters: SearchFilters): void;
  setVisibleColumns(id: string, names: readonly string[] | null): void;
  setViewMode(id: string, mode: ViewMode): void;
}

interface OpenSearchesState {
  /** Newest first. */
  readonly records: readonly SearchRecord[];
}

const mostOpen = 50;
const mostClosedIds = 200;

export const useOpenSearches = create<OpenSearchesState>(() => ({ records: [] }));

/** One open search, or undefined. */
export const useSearchRecord = (id: string): SearchRecord | undefined =>
  useOpenSearches((state) => state.records.find((record) => record.id === id));

/** A request on its way. `undo` is what a cancel puts back. */
interface Run {
  controller: AbortController;
  undo: Partial<SearchRecord>;
}
/** By record: rows and count run side by side, and each has one request at most. */
const rowRuns = new Map<string, Run>();
const countRuns = new Map<string, Run>();
let closedIds: string[] = [];

export const openSearches: OpenSearches = {
  start(datasetDescription, filters, { isSample, sort = [] }) {
    const id = crypto.randomUUID();
    add({
      id,
      timestamp: Date.now(),
      datasetDescription,
      isSample,
      filters: isSample ? withoutAsked(filters) : filters,
      sort: isSample ? [] : sort,
      visibleColumns: null,
      viewMode: "table",
    });
    runFirst(id);
    return id;
  },

  async open(id, hash) {
    const record = find(id);
    if (record) return phaseOf(record) === "new" ? resume(record) : { kind: "open" };
    if (closedIds.includes(id)) return { kind: "closed" };
    const addressed = recordFromAddress(id, hash);
    return addressed ? rebuild(addressed) : { kind: "unknown" };
  },

  rerun: runFirst,

  loadMore(id) {
    const record = find(id);
    if (!record?.results || record.isSearching || record.isLoadingMore || record.allLoaded || !canPage(record)) return;
    const offset = record.currentOffset + pageRows();
    const before = record.results;
    const run = begin(rowRuns, id);
    patch(id, { isLoadingMore: true, isCancelled: false, searchError: null, startedMs: Date.now(), elapsedMs: null });
    void settle(id, run, fetchRows(record, offset, run.controller.signal), {
      answered: ({ rows }, now) => pageEnd({ ...now, results: [...before, ...rows], currentOffset: offset }, rows.length),
      failed: (messages) => ({ searchError: messages }),
    });
  },

  cancel(id) {
    const record = find(id);
    if (!record) return;
    const undo = rowRuns.get(id)?.undo;
    drop(id);
    patch(id, {
      isCancelled: record.isSearching,
      isSearching: false,
      isLoadingMore: false,
      startedMs: null,
      totalResultCount: knownTotal(record),
      ...undo,
    });
  },

  close(id) {
    drop(id);
    closedIds = [id, ...closedIds.filter((closed) => closed !== id)].slice(0, mostClosedIds);
    useOpenSearches.setState(({ records }) => ({ records: records.filter((record) => record.id !== id) }));
    keep();
  },

  sortBy(id, sort) {
    const record = find(id);
    if (!record) return;
    // The rows stay until the new ones are there, so that the table does not empty under the pointer.
    const run = begin(rowRuns, id, { sort: record.sort });
    patch(id, {
      sort,
      isSearching: true,
      isLoadingMore: false,
      isCancelled: false,
      searchError: null,
      startedMs: Date.now(),
      elapsedMs: null,
    });
    keep();
    fetchFirst(id, run);
  },

  setFilters(id, filters) {
    patch(id, { filters });
    keep();
    runFirst(id);
  },

  setVisibleColumns(id, visibleColumns) {
    patch(id, { visibleColumns });
    keep();
  },

  setViewMode(id, viewMode) {
    patch(id, { viewMode });
    keep();
  },
};

const remember = rememberInTab("open-searches", {
  restore(state) {
    const { definitions, closedIds: closed } = restoredSearches(state);
    closedIds = closed;
    // What was opened before the user was known is newer than what is stored.
    useOpenSearches.setState(({ records }) => ({
      records: [...records, ...definitions.filter(({ id }) => !records.some((record) => record.id === id)).map(newRecord)].slice(
        0,
        mostOpen,
      ),
    }));
  },
  forget() {
    for (const id of [...rowRuns.keys(), ...countRuns.keys()]) drop(id);
    closedIds = [];
    useOpenSearches.setState({ records: [] });
  },
});

function keep(): void {
  remember(storedSearches(useOpenSearches.getState().records, closedIds));
}

function find(id: string): SearchRecord | undefined {
  return useOpenSearches.getState().records.find((record) => record.id === id);
}

function add(definition: SearchDefinition): void {
  const { records } = useOpenSearches.getState();
  for (const old of records.slice(mostOpen - 1)) drop(old.id);
  useOpenSearches.setState({ records: [newRecord(definition), ...records.slice(0, mostOpen - 1)] });
  keep();
}

function patch(id: string, change: Partial<SearchRecord>): void {
  useOpenSearches.setState(({ records }) => {
    const at = records.findIndex((record) => record.id === id);
    const record = records[at];
    return record ? { records: records.with(at, { ...record, ...change }) } : {};
  });
}

function begin(runs: Map<string, Run>, id: string, undo: Run["undo"] = {}): Run {
  runs.get(id)?.controller.abort();
  const run = { controller: new AbortController(), undo };
  runs.set(id, run);
  return run;
}

function drop(id: string): void {
  for (const runs of [rowRuns, countRuns]) {
    runs.get(id)?.controller.abort();
    runs.delete(id);
  }
}

function runFirst(id: string): void {
  const record = find(id);
  if (!record) return;
  drop(id);
  patch(id, { ...nothingYet(), isSearching: true, startedMs: Date.now() });
  fetchFirst(id, begin(rowRuns, id));
  if (canCount(record)) fetchCount(id);
}

function fetchFirst(id: string, run: Run): void {
  const record = find(id);
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
  const record = find(id);
  if (!record) return;
  const run = begin(countRuns, id);
  patch(id, { totalResultCount: -1, countError: null });
  void fetchTotal(record, run.controller.signal).then(
    (total) => {
      const now = find(id);
      if (now && countRuns.get(id) === run) patch(id, { totalResultCount: total, allLoaded: now.allLoaded || reaches(now.results, total) });
    },
    (error: unknown) => {
      if (countRuns.get(id) === run) patch(id, { totalResultCount: null, countError: messagesOf(error) });
    },
  );
}

interface Outcome<T> {
  answered: (answer: T, record: SearchRecord) => Partial<SearchRecord>;
  failed: (messages: readonly string[]) => Partial<SearchRecord>;
}

async function settle<T>(id: string, run: Run, asked: Promise<T>, { answered, failed }: Outcome<T>): Promise<void> {
  const done = (): Partial<SearchRecord> => {
    const startedMs = find(id)?.startedMs ?? null;
    return { isSearching: false, isLoadingMore: false, startedMs: null, elapsedMs: startedMs === null ? null : Date.now() - startedMs };
  };
  try {
    const answer = await asked;
    const record = find(id);
    if (record && isCurrent(id, run)) patch(id, { ...done(), ...answered(answer, record) });
  } catch (error) {
    if (isCurrent(id, run)) patch(id, { ...done(), ...failed(messagesOf(error)) });
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

/** A sample asks nothing: only the filters that the dataset itself sets belong to it. */
const withoutAsked = ({ dynamic }: SearchFilters): SearchFilters => ({
  geospatial: null,
  timeRange: null,
  dynamic: dynamic.filter((filter) => filter.preFilled),
});

/** A record of before the reload: its description is read anew, as the dataset may have changed, then its rows. */
async function resume(record: SearchRecord): Promise<OpenOutcome> {
  const described = await describe(record.datasetDescription.category.id, record.datasetDescription.datasetId);
  const now = find(record.id);
  if (!now) return { kind: "closed" };
  if ("kind" in described) return described;
  if (phaseOf(now) !== "new") return { kind: "open" };
  patch(record.id, { datasetDescription: described });
  runFirst(record.id);
  return { kind: "open" };
}

async function rebuild(addressed: AddressedSearch): Promise<OpenOutcome> {
  const described = await describe(addressed.category, addressed.datasetId);
  if ("kind" in described) return described;
  if (closedIds.includes(addressed.id)) return { kind: "closed" };
  // React runs effects twice in development, and Back and Forward come quickly: the first one wins.
  if (!find(addressed.id)) {
    add(definitionOf(addressed, described, Date.now()));
    runFirst(addressed.id);
  }
  return { kind: "open" };
}

async function describe(category: string, datasetId: string): Promise<DatasetDescription | Exclude<OpenOutcome, { kind: "open" }>> {
  try {
    return await queryClient.ensureQueryData(describeQuery(category, datasetId));
  } catch (error) {
    if (error instanceof GatewayError && (error.status === 403 || error.status === 404)) return { kind: "no-access" };
    return { kind: "failed", messages: messagesOf(error) };
  }
}
