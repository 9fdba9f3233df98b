import { columnValues } from "@fairway/contract/column-values";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { searchDataOf } from "#parts/search-model/search-data.ts";
import { filterProblem, readFilter } from "./filter-value.ts";
import type { SuggestionSource } from "./suggestion-source.ts";

/** The values of a column that contain a text, in any case, among the rows of the other filters. */
export const suggestionsQuery = ({ description, filters }: SuggestionSource, column: string, text: string) => {
  const { category, datasetId } = description;
  // Filters that are still being typed elsewhere keep no rows out.
  const dynamic = filters.dynamic.filter((filter) => filterProblem(filter) === undefined).map(readFilter);
  const {
    timeRange,
    geospatial,
    filters: others = [],
  } = searchDataOf({
    datasetDescription: description,
    filters: { ...filters, dynamic },
    sort: [],
  });
  const body = {
    contains: text.slice(0, 200),
    ...(timeRange ? { timeRange } : {}),
    ...(geospatial ? { geospatial } : {}),
    ...(others.length > 0 ? { filters: others } : {}),
  };
  return queryOptions({
    queryKey: ["suggestions", category.id, datasetId, column, body],
    queryFn: ({ signal }) => call(columnValues.suggest, { params: { category: category.id, datasetId, column }, body }, { signal }),
    staleTime: 60_000,
    retry: false,
  });
};
