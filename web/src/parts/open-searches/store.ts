import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SortKey } from "@fairway/contract/search";
import { GatewayError, messagesOf } from "#lib/gateway-error.ts";
import { queryClient } from "#lib/query-client.ts";
import { rememberInTab } from "#lib/tab-memory.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { type SearchExtension, withSlice } from "#parts/search-model/search-extensions.ts";
import { findRecord, patchRecord, useOpenSearches } from "./records.ts";
import { type AddressedSearch, definitionOf, recordFromAddress } from "#parts/search-model/search-address.ts";
import {
  newRecord,
  phaseOf,
  type SearchDefinition,
  type SearchFilters,
  type SearchRecord,
  type ViewMode,
} from "#parts/search-model/search-record.ts";
import { cancelRuns, dropRuns, runFirst, runNext, runningIds, runSorted } from "./search-runs.ts";
import { restoredSearches, storedSearches } from "./stored-searches.ts";

/** What opening `/search/{id}#…` came to. `unknown`: neither here nor in the address; `no-access`: the dataset is gone or closed to this user. */
export type OpenOutcome = { kind: "open" } | { kind: "closed" | "unknown" | "no-access" } | { kind: "failed"; messages: readonly string[] };

interface StartOptions {
  isSample: boolean;
  sort?: readonly SortKey[] | undefined;
  visibleColumns?: readonly string[] | null | undefined;
  viewMode?: ViewMode | undefined;
  /** The moment that a range following the clock ends with, so that several searches share one; this one unless said. */
  nowMs?: number;
}

/**
 * The open searches of this tab. Definitions survive a reload (session storage); rows are asked for again. Decision 0009.
 * Every action that runs a search drops the one still running for the same record; late answers are not heard.
 */
export interface OpenSearches {
  /** Makes a record, runs it (page and count side by side) and answers its id. */
  start(description: DatasetDescription, filters: SearchFilters, options: StartOptions): string;
  /**
   * Call when a results page is shown: asks for the rows of a restored record, or rebuilds one from the address
   * (the dataset's description is loaded first), unless this tab closed it.
   */
  open(id: string, hash: string): Promise<OpenOutcome>;
  /** Clears results, count, offset and what views do not keep over a rerun, then searches again. `nowMs` as with start. */
  rerun(id: string, nowMs?: number): void;
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
  /** What a view keeps of a search, as JSON; undefined: nothing. Survives a reload. */
  setSlice(id: string, extension: SearchExtension, slice: unknown): void;
}

export { useOpenSearches, useSearchRecord } from "./records.ts";

const mostOpen = 50;
const mostClosedIds = 200;

let closedIds: string[] = [];

export const openSearches: OpenSearches = {
  start(datasetDescription, filters, { isSample, sort = [], visibleColumns = null, viewMode = "table", nowMs = Date.now() }) {
    const id = crypto.randomUUID();
    add({
      id,
      timestamp: Date.now(),
      datasetDescription,
      isSample,
      filters: isSample ? withoutAsked(filters) : filters,
      sort: isSample ? [] : sort,
      visibleColumns,
      viewMode,
      slices: {},
    });
    runFirst(id, { nowMs });
    return id;
  },

  async open(id, hash) {
    const record = findRecord(id);
    if (record) return phaseOf(record) === "new" ? resume(record) : { kind: "open" };
    if (closedIds.includes(id)) return { kind: "closed" };
    const addressed = recordFromAddress(id, hash);
    return addressed ? rebuild(addressed) : { kind: "unknown" };
  },

  rerun(id, nowMs) {
    runFirst(id, { nowMs });
    keep();
  },

  loadMore: runNext,

  cancel(id) {
    cancelRuns(id);
    keep();
  },

  close(id) {
    dropRuns(id);
    closedIds = [id, ...closedIds.filter((closed) => closed !== id)].slice(0, mostClosedIds);
    useOpenSearches.setState(({ records }) => ({ records: records.filter((record) => record.id !== id) }));
    keep();
  },

  sortBy(id, sort) {
    runSorted(id, sort);
    keep();
  },

  setFilters(id, filters) {
    patchRecord(id, { filters });
    runFirst(id);
    keep();
  },

  setVisibleColumns(id, visibleColumns) {
    patchRecord(id, { visibleColumns });
    keep();
  },

  setViewMode(id, viewMode) {
    patchRecord(id, { viewMode });
    keep();
  },

  setSlice(id, extension, slice) {
    const record = findRecord(id);
    if (!record) return;
    patchRecord(id, { slices: withSlice(record.slices, extension, slice) });
    keep();
  },
};

const remember = rememberInTab("open-searches", {
  restore(state) {
    const { searches, closedIds: closed } = restoredSearches(state);
    closedIds = closed;
    // What was opened before the user was known is newer than what is stored.
    useOpenSearches.setState(({ records }) => ({
      records: [...records, ...searches.filter(({ id }) => !records.some((record) => record.id === id)).map(newRecord)].slice(0, mostOpen),
    }));
  },
  forget() {
    for (const id of runningIds()) dropRuns(id);
    closedIds = [];
    useOpenSearches.setState({ records: [] });
  },
});

function keep(): void {
  remember(storedSearches(useOpenSearches.getState().records, closedIds));
}

function add(definition: SearchDefinition): void {
  const { records } = useOpenSearches.getState();
  for (const old of records.slice(mostOpen - 1)) dropRuns(old.id);
  useOpenSearches.setState({ records: [newRecord(definition), ...records.slice(0, mostOpen - 1)] });
  keep();
}

/** A sample asks nothing: only the filters that the dataset itself sets belong to it. */
const withoutAsked = ({ dynamic }: SearchFilters): SearchFilters => ({
  geospatial: null,
  timeRange: null,
  dynamic: dynamic.filter((filter) => filter.preFilled),
});

/** A record of before the reload: its description is read anew, as the dataset may have changed, then its rows. */
async function resume(record: SearchRecord): Promise<OpenOutcome> {
  const described = await describe(record.datasetDescription.category.id, record.datasetDescription.datasetId);
  const now = findRecord(record.id);
  if (!now) return { kind: "closed" };
  if ("kind" in described) return described;
  if (phaseOf(now) !== "new") return { kind: "open" };
  patchRecord(record.id, { datasetDescription: described });
  runFirst(record.id, { keepsSlices: true });
  return { kind: "open" };
}

async function rebuild(addressed: AddressedSearch): Promise<OpenOutcome> {
  const described = await describe(addressed.category, addressed.datasetId);
  if ("kind" in described) return described;
  if (closedIds.includes(addressed.id)) return { kind: "closed" };
  // React runs effects twice in development, and Back and Forward come quickly: the first one wins.
  if (!findRecord(addressed.id)) {
    add(definitionOf(addressed, described, Date.now()));
    runFirst(addressed.id, { keepsSlices: true });
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
