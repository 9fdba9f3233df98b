import type { DatasetDescription } from "@fairway/contract/datasets";
import { type Context, createContext } from "react";
import type { TimeRangeFilter } from "#parts/search-model/search-record.ts";

/** The dataset and time range that suggestions are taken from. */
export interface SuggestionSource {
  readonly description: DatasetDescription;
  readonly timeRange: TimeRangeFilter | null;
}

/** Null when there are no suggestions. */
export const SuggestionSourceContext: Context<SuggestionSource | null> = createContext<SuggestionSource | null>(null);
