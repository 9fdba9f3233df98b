import type { ComputedColumn } from "@fairway/contract/derived-columns";
import { openSearches } from "#parts/open-searches/store.ts";
import type { SearchRecord } from "#parts/search-model/search-record.ts";

/** Samples are what a dataset shows of itself, and services behind external datasets compute nothing. */
export const canAddColumns = ({ isSample, datasetDescription }: SearchRecord): boolean =>
  !isSample && datasetDescription.assists.includes("BREAKDOWN");

/** Adds a column to the search, or puts it in the place of the one called `replaced`, and runs the search again. */
export function saveColumn(
  { id, added: { computed: added = [] } = {} }: SearchRecord,
  replaced: string | null,
  column: ComputedColumn,
): Promise<void> {
  return openSearches.setComputed(id, replaced === null ? [...added, column] : added.map((one) => (one.name === replaced ? column : one)));
}

export const removeColumn = ({ id, added }: SearchRecord, name: string): Promise<void> =>
  openSearches.setComputed(
    id,
    (added?.computed ?? []).filter((one) => one.name !== name),
  );

/** The columns that a formula may use, and the names that its column may not have. An added column uses those before it. */
export function columnsFor({ datasetDescription, added: { computed = [] } = {} }: SearchRecord, changed: string | null) {
  const all = datasetDescription.schema.columns;
  const added = computed.map(({ name }) => name);
  const later = new Set(changed === null ? [] : added.slice(added.indexOf(changed)));
  const takenNames = all.map(({ name }) => name).filter((name) => name !== changed);
  return { columns: all.filter(({ name }) => !later.has(name)), takenNames };
}
