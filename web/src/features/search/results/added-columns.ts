import { type ComputedColumn, type Lookup, type SearchColumns, derivedColumnLimits } from "@fairway/contract/derived-columns";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";
import type { AddedAs } from "./table/table-props.ts";

/** Samples are what a dataset shows of itself, and services behind external datasets neither compute nor look up anything. */
export const canAddColumns = ({ isSample, datasetDescription }: SearchRecord): boolean =>
  !isSample && datasetDescription.assists.includes("BREAKDOWN");

/** Whether the search may compute another column. */
export const canCompute = (record: SearchRecord): boolean =>
  canAddColumns(record) && (record.added?.computed?.length ?? 0) < derivedColumnLimits.computedOfSearch;

/** Whether it may look up columns of another dataset. */
export const canAddLookup = (record: SearchRecord): boolean =>
  canAddColumns(record) && (record.added?.lookups?.length ?? 0) < derivedColumnLimits.lookupsOfSearch;

/** How a search has added its columns, by name. */
export const addedAs = ({ computed = [], lookups = [] }: SearchColumns = {}): ReadonlyMap<string, AddedAs> =>
  new Map<string, AddedAs>([
    ...lookups.flatMap(({ columns }) => columns.map(({ name }) => [name, "looked up"] as const)),
    ...computed.map(({ name }) => [name, "computed"] as const),
  ]);

/** The lookup that has added a column, else a new one whose key is the column. */
export function lookupOf({ added }: SearchRecord, column: string): { id: string | null; column: string | null } {
  const found = added?.lookups?.find(({ columns }) => columns.some(({ name }) => name === column));
  return found === undefined ? { id: null, column } : { id: found.id, column: null };
}

const put = ({ id, added = {} }: SearchRecord, change: SearchColumns, kept?: string): Promise<void> => {
  const { computed = [], lookups = [] } = { ...added, ...change };
  return openSearches.setAdded(id, { ...(computed.length > 0 ? { computed } : {}), ...(lookups.length > 0 ? { lookups } : {}) }, kept);
};

/** Adds a column to the search, or puts it in the place of the one called `replaced`, and runs the search again. */
export function saveColumn(record: SearchRecord, replaced: string | null, column: ComputedColumn): Promise<void> {
  const added = record.added?.computed ?? [];
  return put(record, { computed: replaced === null ? [...added, column] : added.map((one) => (one.name === replaced ? column : one)) });
}

/** Leaves a column to the dataset, whose description has it by now; the search has called it `replaced`. */
export const leaveToDataset = (record: SearchRecord, replaced: string | null, name: string): Promise<void> =>
  put(record, { computed: (record.added?.computed ?? []).filter((one) => one.name !== replaced) }, name);

/** Adds a lookup to the search, or puts it in the place of the one with its id, and runs the search again. */
export function saveLookup(record: SearchRecord, lookup: Lookup): Promise<void> {
  const added = record.added?.lookups ?? [];
  const isNew = !added.some(({ id }) => id === lookup.id);
  return put(record, { lookups: isNew ? [...added, lookup] : added.map((one) => (one.id === lookup.id ? lookup : one)) });
}

export const removeLookup = (record: SearchRecord, id: string): Promise<void> =>
  put(record, { lookups: (record.added?.lookups ?? []).filter((one) => one.id !== id) });

/** Removes a column, and its lookup with the last one. */
export const removeColumn = (record: SearchRecord, name: string): Promise<void> =>
  put(record, {
    computed: (record.added?.computed ?? []).filter((one) => one.name !== name),
    lookups: (record.added?.lookups ?? []).flatMap(({ columns, ...lookup }) => {
      const others = columns.filter((column) => column.name !== name);
      return others.length === 0 ? [] : [{ ...lookup, columns: others }];
    }),
  });

/** The columns that a formula may use, and the names that its column may not have. An added column uses those before it. */
export function columnsFor({ datasetDescription, added: { computed = [] } = {} }: SearchRecord, changed: string | null) {
  const all = datasetDescription.schema.columns;
  const added = computed.map(({ name }) => name);
  const later = new Set(changed === null ? [] : added.slice(added.indexOf(changed)));
  const takenNames = all.map(({ name }) => name).filter((name) => name !== changed);
  return { columns: all.filter(({ name }) => !later.has(name)), takenNames };
}

/** The columns that may be the key of a lookup, and the names that its columns may not have. */
export function columnsForLookup({ datasetDescription }: SearchRecord, changed: Lookup | undefined) {
  const own = new Set(changed?.columns.map(({ name }) => name));
  const columns = datasetDescription.schema.columns.filter(({ name }) => !own.has(name));
  return { columns: columns.filter(({ combined }) => combined === null), takenNames: columns.map(({ name }) => name) };
}
