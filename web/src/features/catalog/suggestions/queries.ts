import type { DatasetRef } from "@fairway/contract/datasets";
import { descriptionSuggestions } from "@fairway/contract/description-suggestions";
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { call } from "#lib/gateway/call.ts";
import { schemaQueryKey } from "#parts/dataset-schema/queries.ts";

/** The open suggestions that this user sees of a dataset. */
export const suggestionsQuery = ({ datasetCategory: category, datasetId }: DatasetRef) =>
  queryOptions({
    queryKey: ["datasets", "suggestions", category, datasetId],
    queryFn: ({ signal }) => call(descriptionSuggestions.list, { params: { category, datasetId } }, { signal }),
    staleTime: 0,
  });

/** The number of open suggestions that this user sees, by dataset. */
export const suggestionCountsQuery = queryOptions({
  queryKey: ["datasets", "suggestion counts"],
  queryFn: ({ signal }) => call(descriptionSuggestions.counts, {}, { signal }),
  staleTime: 0,
});

/** Call after a suggestion was made, withdrawn or decided, or turned out to be another one. */
export async function refetchSuggestions(queries: QueryClient, dataset: DatasetRef): Promise<void> {
  void queries.invalidateQueries({ queryKey: suggestionCountsQuery.queryKey });
  await Promise.all([
    queries.refetchQueries({ queryKey: suggestionsQuery(dataset).queryKey }),
    queries.refetchQueries({ queryKey: schemaQueryKey(dataset.datasetCategory, dataset.datasetId) }),
  ]);
  void queries.invalidateQueries({ queryKey: ["datasets", "catalog"] });
}
