import type { Limits } from "@fairway/contract/limits";
import type { CellValue, SearchData } from "@fairway/contract/search";
import type { SignedInUser, StreamedAnswer } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { SearchQuery } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import { answerOf } from "./answer.ts";
import { Problems } from "./problems.ts";
import { type SearchLimits, validateSearch } from "./validate.ts";
import { validAggregation } from "./validate-aggregation.ts";
import { preFilledConditions } from "./validate-filters.ts";

/** The dataset of a call's path. */
export interface DatasetPath {
  readonly category: string;
  readonly datasetId: string;
}

export interface SearchParts {
  readonly datasets: { find(user: SignedInUser, category: string, id: string): Promise<SearchableDataset> };
  readonly limits: SearchLimits & Pick<Limits, "sampleRows">;
}

export interface SearchService {
  run(user: SignedInUser, at: DatasetPath, data: SearchData, signal: AbortSignal): Promise<StreamedAnswer>;
  /** A search as it would run, for a part that does something else with all its rows. Its limit and offset mean nothing then. */
  prepare(user: SignedInUser, at: DatasetPath, data: SearchData): Promise<SearchableDataset & { readonly query: SearchQuery }>;
  sample(user: SignedInUser, at: DatasetPath, signal: AbortSignal): Promise<StreamedAnswer>;
  /** One key: `totalResults` for a count of rows, else such as `avg(price)`. */
  aggregate(
    user: SignedInUser,
    at: DatasetPath,
    what: { readonly aggregationType: string; readonly column: string },
    data: SearchData,
    signal: AbortSignal,
  ): Promise<Record<string, CellValue>>;
}

export function searchService({ datasets, limits }: SearchParts): SearchService {
  return {
    run: async (user, { category, datasetId }, data, signal) => {
      const dataset = await datasets.find(user, category, datasetId);
      const { query, paged } = validateSearch(dataset, data, limits);
      return answerOf(await dataset.engine.search(dataset.queryable, query, { signal, owner: user.id }), !paged);
    },
    prepare: async (user, { category, datasetId }, data) => {
      const dataset = await datasets.find(user, category, datasetId);
      return { ...dataset, query: validateSearch(dataset, data, limits).query };
    },
    sample: async (user, { category, datasetId }, signal) => {
      const dataset = await datasets.find(user, category, datasetId);
      if (!dataset.queryable.features.has("SAMPLE")) throw new Refusal("not-supported", "This dataset has no sample.");
      const query = { conditions: preFilledConditions(dataset), limit: limits.sampleRows };
      return answerOf(await dataset.engine.sample(dataset.queryable, query, { signal, owner: user.id }), false);
    },
    aggregate: async (user, { category, datasetId }, what, data, signal) => {
      const dataset = await datasets.find(user, category, datasetId);
      const problems = new Problems();
      const aggregation = validAggregation(dataset, { ...what, aggregation: what.aggregationType }, "aggregationType", problems);
      problems.throwAny();
      if (aggregation === undefined) throw new Error("an aggregation is missing without a problem");
      const { query } = validateSearch(dataset, data, limits);
      const [[value = null] = []] = await dataset.engine.aggregate(dataset.queryable, [aggregation], [], query, { signal, owner: user.id });
      return aggregation.column === "*" ? { totalResults: value } : { [`${aggregation.type}(${aggregation.column})`]: value };
    },
  };
}
