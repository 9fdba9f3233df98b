import { columnValues, type Suggestions } from "@fairway/contract/column-values";
import { queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { countDataOf } from "#parts/search-model/search-data.ts";
import { filterProblem, readFilter } from "./filter-value.ts";
import type { SuggestionSource } from "./suggestion-source.ts";

/** Whether the engine was too busy to say any values. */
export const saysNothing = ({ values, complete }: Suggestions): boolean => values.length === 0 && !complete;

/** The values of a column that contain a text, in any case, among the rows of the other filters. */
export const suggestionsQuery = ({ description, filters, added }: SuggestionSource, column: string, text: string) => {
  const { category, datasetId } = description;
  // Filters that are still being typed elsewhere keep no rows out.
  const dynamic = filters.dynamic.filter((filter) => filterProblem(filter) === undefined).map(readFilter);
  const search = countDataOf({ datasetDescription: description, filters: { ...filters, dynamic }, sort: [], added });
  const { timeRange, geospatial, filters: others = [] } = search;
  const contains = text.slice(0, 200);
  const body =
    search.computed || search.lookups
      ? { contains, search }
      : {
          contains,
          ...(timeRange ? { timeRange } : {}),
          ...(geospatial ? { geospatial } : {}),
          ...(others.length > 0 ? { filters: others } : {}),
        };
  return queryOptions({
    queryKey: ["suggestions", category.id, datasetId, column, body],
    queryFn: async ({ signal }): Promise<Suggestions> => {
      const params = { category: category.id, datasetId, column };
      const { sampled, ...answer } = await call(columnValues.suggest, { params, body }, { signal });
      // Nobody shows the numbers of an answer that is not complete.
      return sampled ? { ...answer, values: sampled.map((value) => ({ value, rows: 0 })) } : answer;
    },
    staleTime: ({ state: { data } }) => (data !== undefined && saysNothing(data) ? 0 : 60_000),
    retry: false,
  });
};
