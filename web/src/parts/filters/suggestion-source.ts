import type { DatasetDescription } from "@fairway/contract/datasets";
import type { SearchColumns } from "@fairway/contract/derived-columns";
import { type Context, createContext } from "react";
import type { SearchFilters } from "#parts/search-model/search-record.ts";

/** The search whose rows suggestions are taken from. */
export interface SuggestionSource {
  readonly description: DatasetDescription;
  readonly filters: SearchFilters;
  /** Columns that the search adds to those of its dataset, which its filters may name. */
  readonly added: SearchColumns | undefined;
}

/** Null when there are no suggestions. */
export const SuggestionSourceContext: Context<SuggestionSource | null> = createContext<SuggestionSource | null>(null);

/** The same without one filter, which is being edited. */
export const withoutEdited = ({ filters, ...source }: SuggestionSource, id: string | undefined): SuggestionSource => ({
  ...source,
  filters: { ...filters, dynamic: filters.dynamic.filter((filter) => filter.id !== id) },
});
