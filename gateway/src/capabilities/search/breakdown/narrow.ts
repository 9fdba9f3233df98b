import { type BreakdownEntry, type BreakdownNarrow, breakdownLimits } from "@fairway/contract/breakdowns";
import type { Column } from "@fairway/contract/columns";
import type { CellValue, SearchFilter } from "@fairway/contract/search";
import type { AnsweredEntry } from "#query/breakdown.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { isOffered } from "../validate-filters.ts";

type Narrowed = { readonly narrow: BreakdownNarrow } | { readonly narrow: null; readonly reason: string };

const narrowedBy = (...filters: SearchFilter[]): Narrowed => ({ narrow: { filters } });
const notNarrowed = (reason: string): Narrowed => ({ narrow: null, reason });

/** Filters that the entries of a grouping by values add to a search. */
export function narrowedValues(dataset: SearchableDataset, { name }: Column, entries: readonly AnsweredEntry[]): BreakdownEntry[] {
  const isFiltered = isOffered(dataset, name);
  const values = entries.flatMap((entry) => (entry.kind === "value" ? [entry.value] : []));
  const narrowOf = (value: CellValue): Narrowed => {
    if (!isFiltered) return notNarrowed(`This dataset cannot be filtered by '${name}'.`);
    if (typeof value === "string" && value.length > breakdownLimits.narrowCharacters)
      return notNarrowed(`The value is longer than ${breakdownLimits.narrowCharacters.toLocaleString("en-US")} characters.`);
    return narrowedBy({ name, operator: "=", value });
  };
  return entries.flatMap((entry): BreakdownEntry[] => {
    if (entry.kind === "value") return [{ ...entry, ...narrowOf(entry.value) }];
    if (entry.kind === "empty") return [{ ...entry, ...narrowOf(null) }];
    return entry.kind === "other" ? [{ ...entry, ...otherThan(values) }] : [];
  });
}

/** Until filters take lists. */
const otherThan = (values: readonly CellValue[]): Narrowed => notNarrowed(`A search cannot leave out ${values.length} values.`);
