import type { DataImport } from "@fairway/contract/imports";
import type { useNavigate } from "@tanstack/react-router";
import { queryClient } from "#lib/gateway/query-client.ts";
import { describeQuery } from "#parts/dataset-picker/queries.ts";
import { openSearches, useOpenSearches } from "#parts/open-searches/store.ts";
import { refreshDatasets } from "#parts/own-datasets/queries.ts";
import { canSearch, initialFilters } from "#parts/search-model/filter-list.ts";
import { searchFragment } from "#parts/search-model/search-address.ts";

/** Shows all rows of a dataset that was made: on the map where they have places, else as a table. */
export async function goToResults(
  navigate: ReturnType<typeof useNavigate>,
  { datasetCategory, datasetId, supportsMapResults }: NonNullable<DataImport["dataset"]>,
): Promise<void> {
  await refreshDatasets();
  const toForm = () => navigate({ to: "/search", search: { category: datasetCategory, dataset: datasetId }, replace: true });
  // The screen of the dataset says what is wrong with it.
  const description = await queryClient.fetchQuery({ ...describeQuery(datasetCategory, datasetId), staleTime: 0 }).catch(() => null);
  if (description === null) return toForm();
  const filters = { geospatial: null, timeRange: null, dynamic: initialFilters(description) };
  if (!canSearch(description, filters).enabled) return toForm();
  const searchId = openSearches.start(description, filters, { isSample: false, viewMode: supportsMapResults ? "map" : "table" });
  const record = useOpenSearches.getState().records.find(({ id }) => id === searchId);
  return navigate({
    to: "/search/$searchId",
    params: { searchId },
    // Back leads to where the data came from, not to an import that is done.
    replace: true,
    ...(record ? { hash: searchFragment(record) } : {}),
  });
}
