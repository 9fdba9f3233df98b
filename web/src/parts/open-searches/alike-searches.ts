import { searchFragment } from "#parts/search-model/search-address.ts";
import type { SearchFilters, SearchRecord } from "#parts/search-model/search-record.ts";

/** The filters of a search do not change in place. */
const meanings = new WeakMap<SearchFilters, Map<string, string>>();

/** The meaning of a search, whatever order and view its rows are shown in. Searches that mean the same have the same text. */
function meaningOf(record: SearchRecord): string {
  const { filters, isSample, datasetDescription } = record;
  const known = meanings.get(filters) ?? new Map<string, string>();
  meanings.set(filters, known);
  const key = JSON.stringify([isSample, datasetDescription.category.id, datasetDescription.datasetId]);
  const found = known.get(key);
  if (found !== undefined) return found;
  const dynamic = filters.dynamic.toSorted((one, other) => textOf(one).localeCompare(textOf(other), "en"));
  const meaning = searchFragment({
    ...record,
    filters: { ...filters, dynamic },
    sort: [],
    viewMode: "table",
    visibleColumns: null,
    slices: {},
  });
  known.set(key, meaning);
  return meaning;
}

const textOf = ({ name, operator, value }: SearchFilters["dynamic"][number]): string => JSON.stringify([name, operator, value]);

/** Searches that mean the same, newest first. */
export type AlikeSearches = readonly [newest: SearchRecord, ...earlier: SearchRecord[]];

/** Groups searches by what they mean, in the order of their newest. */
export function groupAlike(records: readonly SearchRecord[]): AlikeSearches[] {
  const groups = new Map<string, [SearchRecord, ...SearchRecord[]]>();
  for (const record of records) {
    const meaning = meaningOf(record);
    const group = groups.get(meaning);
    if (group) group.push(record);
    else groups.set(meaning, [record]);
  }
  return [...groups.values()];
}
