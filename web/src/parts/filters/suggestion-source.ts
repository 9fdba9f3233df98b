import type { DatasetDescription } from "@fairway/contract/datasets";
import { type Context, createContext } from "react";
import type { SearchFilters } from "#parts/search-model/search-record.ts";

/** The dataset, and the filters whose rows suggestions are taken from. */
export interface SuggestionSource {
  readonly description: DatasetDescription;
  readonly filters: SearchFilters;
}

/** Null when there are no suggestions. */
export const SuggestionSourceContext: Context<SuggestionSource | null> = createContext<SuggestionSource | null>(null);

/** The same without one filter, which is being edited. */
export const withoutEdited = ({ description, filters }: SuggestionSource, id: string | undefined): SuggestionSource => ({
  description,
  filters: { ...filters, dynamic: filters.dynamic.filter((filter) => filter.id !== id) },
});
