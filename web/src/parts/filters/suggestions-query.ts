import { columnValues } from "@fairway/contract/column-values";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/call.ts";
import { isoRange } from "#parts/search-model/search-data.ts";
import type { SuggestionSource } from "./suggestion-source.ts";

/** The values of a column that contain a text, in any case. */
export const suggestionsQuery = ({ description, timeRange }: SuggestionSource, column: string, text: string) => {
  const { category, datasetId } = description;
  const body = { contains: text.slice(0, 200), ...(timeRange ? { timeRange: isoRange(timeRange) } : {}) };
  return queryOptions({
    queryKey: ["suggestions", category.id, datasetId, column, body],
    queryFn: ({ signal }) => call(columnValues.suggest, { params: { category: category.id, datasetId, column }, body }, { signal }),
    staleTime: 60_000,
    retry: false,
  });
};
