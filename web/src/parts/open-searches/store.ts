import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { isOwnCategory } from "@fairway/contract/own-datasets";
import type { SortKey } from "@fairway/contract/search";
import type { ViewMode } from "@fairway/contract/search-address";
import { GatewayError, messagesOf } from "#lib/gateway/gateway-error.ts";
import { onLiveChange } from "#lib/live/live-changes.ts";
import { rememberInTab } from "#lib/browser/tab-memory.ts";
import { addedNames } from "#parts/search-model/added-names.ts";
import { canSearch } from "#parts/search-model/filter-list.ts";
import { type SearchExtension, type SearchSlices, withAddressed, withSlice } from "#parts/search-model/search-extensions.ts";
import { reloadChangedAccess } from "./changed-access.ts";
import { describeSearch } from "./describe-search.ts";
import { findRecord, patchRecord, useOpenSearches } from "./records.ts";
import { type AddressedSearch, definitionOf, parseSearchAddress, searchFragment } from "#parts/search-model/search-address.ts";
import { newRecord, phaseOf, type SearchDefinition, type SearchFilters, type SearchRecord } from "#parts/search-model/search-record.ts";
import { cancelRuns, dropRuns, runFromStart, loadNextPage, runningIds, runSorted } from "./search-runs.ts";
import { restoredSearches, storedSearches } from "./stored-searches.ts";

/**
 * The outcome of opening `/search/{id}#…`. `unknown`: neither in this tab nor in the address; `no-access`: the dataset does
 * not exist or is not accessible; `needs-filters`: the address lacks a filter that the dataset requires.
 */
export type OpenOutcome =
  | { kind: "open" }
  | { kind: "closed" | "unknown" | "no-access" | "gone" }
  | { kind: "needs-filters"; description: DatasetDescription; filters: SearchFilters; added: SearchColumns | undefined }
  | { kind: "failed"; messages: readonly string[] };

interface StartOptions {
  isSample: boolean;
  sort?: readonly SortKey[] | undefined;
  visibleColumns?: readonly string[] | null | undefined;
  viewMode?: ViewMode | undefined;
  /** Columns that the search adds to those of its dataset. */
  added?: SearchColumns | undefined;
  /** State of views, such as that of the map from an address. */
  slices?: SearchSlices;
  /** The end of a relative range, so several searches can share it. Defaults to the current time. */
  nowMs?: number;
}

/**
 * The open searches of this tab. Definitions survive a reload (session storage); rows are requested again. Decision 0009.
 * Every action that runs a search aborts the running one of the same record and ignores its late response.
 */
export interface OpenSearches {
  /** Creates a record, runs it (page and count in parallel) and returns its id. */
  start(description: DatasetDescription, filters: SearchFilters, options: StartOptions): string;
  /**
   * Call when a results page is shown: loads the rows of a restored record, or restores a record from the address (after
   * loading the dataset's description) unless this tab closed it.
   */
  open(id: string, hash: string): Promise<OpenOutcome>;
  /**
   * Makes the search that of one of its earlier addresses, after Back or Forward, and runs it if it finds other rows then. Does nothing for
   * an address of another dataset or with other columns, which a view cannot have left.
   */
  goBackTo(id: string, hash: string): void;
  /** Clears results, count, offset and slices that do not survive a rerun, then searches again. `nowMs` as in `start`. */
  rerun(id: string, nowMs?: number): void;
  /** Loads and appends the next page, of 25 rows or `max`. Does nothing while a page is loading or when everything is loaded. */
  loadMore(id: string, max?: number): void;
  /** Cancels running requests; loaded rows stay. */
  cancel(id: string): void;
  /** Removes the record and records that this tab closed it. */
  close(id: string): void;
  /** Loads the rows in another order; the count stays. */
  sortBy(id: string, sort: readonly SortKey[]): void;
  /** Sets filters and runs the search again. */
  setFilters(id: string, filters: SearchFilters): void;
  /**
   * Changes the columns that the search computes and looks up, and runs it again. Keys of the sort that name a removed one go; filters
   * stay. `kept`: a column that has become one of the dataset.
   */
  setAdded(id: string, added: SearchColumns, kept?: string): Promise<void>;
  setVisibleColumns(id: string, names: readonly string[] | null): void;
  setViewMode(id: string, mode: ViewMode): void;
  /** Stores a view's state of a search as JSON; undefined removes it. Survives a reload. */
  setSlice(id: string, extension: SearchExtension, slice: unknown): void;
}

export { useOpenSearches, useSearchRecord } from "./records.ts";

const maxOpen = 50;
const maxClosedIds = 200;

let closedIds: string[] = [];

export const openSearches: OpenSearches = {
  start(
    datasetDescription,
    filters,
    { isSample, sort = [], visibleColumns = null, viewMode = "table", added, slices = {}, nowMs = Date.now() },
  ) {
    const id = crypto.randomUUID();
    add({
      id,
      timestamp: Date.now(),
      datasetDescription,
      isSample,
      filters: isSample ? onlyPreFilled(filters) : filters,
      sort: isSample ? [] : sort,
      visibleColumns,
      viewMode,
      ...(added === undefined ? {} : { added }),
      slices,
    });
    runFromStart(id, { nowMs });
    return id;
  },

  async open(id, hash) {
    const record = findRecord(id);
    if (record) return phaseOf(record) === "new" ? resume(record) : { kind: "open" };
    if (closedIds.includes(id)) return { kind: "closed" };
    const addressed = parseSearchAddress(id, hash);
    return addressed ? restoreAddressed(addressed) : { kind: "unknown" };
  },

  goBackTo(id, hash) {
    const record = findRecord(id);
    const addressed = parseSearchAddress(id, hash);
    if (!record || !addressed || searchFragment(record) === hash.slice(1)) return;
    const { category, datasetId } = record.datasetDescription;
    const isSame =
      addressed.category === category.id &&
      addressed.datasetId === datasetId &&
      JSON.stringify(addressed.added ?? {}) === JSON.stringify(record.added ?? {});
    if (!isSame) return;
    const { filters, sort, viewMode, visibleColumns, ...definition } = definitionOf(addressed, record.datasetDescription, Date.now());
    const slices = withAddressed(record.slices, definition.slices);
    const before = searchFragment({ ...record, viewMode, visibleColumns, slices });
    patchRecord(id, { filters, sort, viewMode, visibleColumns, slices });
    if (before !== hash.slice(1)) runFromStart(id, { keepsSlices: true });
    persist();
  },

  rerun(id, nowMs) {
    runFromStart(id, { nowMs });
    persist();
  },

  loadMore: loadNextPage,

  cancel(id) {
    cancelRuns(id);
    persist();
  },

  close(id) {
    dropRuns(id);
    closedIds = [id, ...closedIds.filter((closed) => closed !== id)].slice(0, maxClosedIds);
    useOpenSearches.setState(({ records }) => ({ records: records.filter((record) => record.id !== id) }));
    persist();
  },

  sortBy(id, sort) {
    runSorted(id, sort);
    persist();
  },

  setFilters(id, filters) {
    patchRecord(id, { filters });
    runFromStart(id);
    persist();
  },

  async setAdded(id, added, kept) {
    const before = findRecord(id);
    if (!before) return;
    const { category, datasetId } = before.datasetDescription;
    const datasetDescription = await describeSearch(category.id, datasetId, added);
    const record = findRecord(id);
    if (!record) return;
    const names = new Set(datasetDescription.schema.columns.map(({ name }) => name));
    const [earlier, now] = [addedNames(record.added), addedNames(added)];
    const gone = new Set(earlier.filter((name) => !names.has(name)));
    const fresh = [...now, ...(kept === undefined ? [] : [kept])].filter((name) => !earlier.includes(name));
    patchRecord(id, {
      datasetDescription,
      added,
      sort: record.sort.filter(({ column }) => !gone.has(column)),
      visibleColumns: record.visibleColumns && [...record.visibleColumns.filter((name) => !gone.has(name)), ...fresh],
    });
    runFromStart(id);
    persist();
  },

  setVisibleColumns(id, visibleColumns) {
    patchRecord(id, { visibleColumns });
    persist();
  },

  setViewMode(id, viewMode) {
    patchRecord(id, { viewMode });
    persist();
  },

  setSlice(id, extension, slice) {
    const record = findRecord(id);
    if (!record) return;
    patchRecord(id, { slices: withSlice(record.slices, extension, slice) });
    persist();
  },
};

const saveInTab = rememberInTab("open-searches", {
  restore(state) {
    const { searches, closedIds: closed } = restoredSearches(state);
    closedIds = closed;
    // Searches opened before the user was known are newer than the stored ones.
    useOpenSearches.setState(({ records }) => ({
      records: [...records, ...searches.filter(({ id }) => !records.some((record) => record.id === id)).map(newRecord)].slice(0, maxOpen),
    }));
  },
  forget() {
    for (const id of runningIds()) dropRuns(id);
    closedIds = [];
    useOpenSearches.setState({ records: [] });
  },
});

onLiveChange("datasets", () => void reloadChangedAccess());

function persist(): void {
  saveInTab(storedSearches(useOpenSearches.getState().records, closedIds));
}

function add(definition: SearchDefinition): void {
  const { records } = useOpenSearches.getState();
  for (const old of records.slice(maxOpen - 1)) dropRuns(old.id);
  useOpenSearches.setState({ records: [newRecord(definition), ...records.slice(0, maxOpen - 1)] });
  persist();
}

/** A sample uses only the filters that the dataset sets itself. */
const onlyPreFilled = ({ dynamic }: SearchFilters): SearchFilters => ({
  geospatial: null,
  timeRange: null,
  dynamic: dynamic.filter((filter) => filter.preFilled),
});

/** Loads a record restored after a reload: its description, because the dataset may have changed, then its rows. */
async function resume(record: SearchRecord): Promise<OpenOutcome> {
  const { category, datasetId } = record.datasetDescription;
  const loaded = await describe(category.id, datasetId, record.added);
  const current = findRecord(record.id);
  if (!current) return { kind: "closed" };
  if ("kind" in loaded) return loaded;
  if (phaseOf(current) !== "new") return { kind: "open" };
  patchRecord(record.id, { datasetDescription: loaded });
  runFromStart(record.id, { keepsSlices: true });
  return { kind: "open" };
}

async function restoreAddressed(addressed: AddressedSearch): Promise<OpenOutcome> {
  const loaded = await describe(addressed.category, addressed.datasetId, addressed.added);
  if ("kind" in loaded) return loaded;
  if (closedIds.includes(addressed.id)) return { kind: "closed" };
  // The first call wins: React runs effects twice in development, and Back and Forward may follow quickly.
  if (!findRecord(addressed.id)) {
    const definition = definitionOf(addressed, loaded, Date.now());
    const { filters, isSample } = definition;
    if (!isSample && !canSearch(loaded, filters).enabled)
      return { kind: "needs-filters", description: loaded, filters, added: definition.added };
    add(definition);
    runFromStart(addressed.id, { keepsSlices: true });
  }
  return { kind: "open" };
}

async function describe(
  category: string,
  datasetId: string,
  added: SearchColumns | undefined,
): Promise<DatasetDescription | Exclude<OpenOutcome, { kind: "open" }>> {
  try {
    return await describeSearch(category, datasetId, added);
  } catch (error) {
    if (error instanceof GatewayError && (error.status === 403 || error.status === 404))
      return { kind: isOwnCategory(category) ? "gone" : "no-access" };
    return { kind: "failed", messages: messagesOf(error) };
  }
}
