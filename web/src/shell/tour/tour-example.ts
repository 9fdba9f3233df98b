import type { DatasetRef } from "@fairway/contract/datasets";
import { startPageQuery } from "#features/search/datasets/start-query.ts";
import { startQuestion } from "#features/search/datasets/start-question.ts";
import { queryClient } from "#lib/gateway/query-client.ts";
import { datasetsQuery, describeQuery } from "#parts/dataset-picker/queries.ts";
import { openSearches } from "#parts/open-searches/store.ts";
import { initialFilters } from "#parts/search-model/filter-list.ts";

/** Data that the tour shows: a dataset, and a search of it that opens in the table. */
export interface TourExample {
  readonly dataset: DatasetRef;
  /** Starts the search and returns its id. */
  readonly start: () => Promise<string>;
}

/** Described one by one to find one with a sample. */
const maxDescribed = 5;

/** The first ready question, or a sample of the first dataset that has one. Null if there is neither. */
export async function findExample(): Promise<TourExample | null> {
  const { questions } = await queryClient.ensureQueryData(startPageQuery).catch(() => ({ questions: [] }));
  const [question] = questions;
  if (question) return { dataset: question.dataset, start: () => startQuestion({ ...question, graph: null }, "table") };
  const categories = await queryClient.ensureQueryData(datasetsQuery);
  for (const dataset of categories.flatMap(({ datasets }) => datasets).slice(0, maxDescribed)) {
    // oxlint-disable-next-line no-await-in-loop -- the first one usually has a sample
    const description = await queryClient.ensureQueryData(describeQuery(dataset.datasetCategory, dataset.datasetId));
    if (!description.features.includes("SAMPLE")) continue;
    const filters = { geospatial: null, timeRange: null, dynamic: initialFilters(description) };
    return { dataset, start: () => Promise.resolve(openSearches.start(description, filters, { isSample: true })) };
  }
  return null;
}
