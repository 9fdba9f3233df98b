import type { DatasetDescription } from "@fairway/contract/datasets";
import { type Context, createContext } from "react";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";

/** Where the values are found that a filter's field suggests. */
export interface SuggestionSource {
  readonly description: DatasetDescription;
  readonly timeRange: TimeRangeFilter | null;
}

/** Null: nothing is suggested. */
export const SuggestionSourceContext: Context<SuggestionSource | null> = createContext<SuggestionSource | null>(null);
