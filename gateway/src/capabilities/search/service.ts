import type { DatasetRef } from "@fairway/contract/datasets";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue, RowCount, SearchData } from "@fairway/contract/search";
import type { StreamedAnswer } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Aggregation, QueryEngine, SearchQuery } from "#query/engine.ts";
import type { SearchableDataset, SearchedDataset, UseDataset } from "#query/searchable-dataset.ts";
import { type RowFormat, streamArrow, streamRows } from "./row-response.ts";
import { Problems } from "./problems.ts";
import { type Narrowing, type SearchLimits, validateSearch } from "./validate.ts";
import { validAggregation } from "./validate-aggregation.ts";

/** The dataset named in a route's path. */
export interface DatasetPath {
  readonly category: string;
  readonly datasetId: string;
}

export interface SearchParts {
  readonly datasets: { readonly use: UseDataset<SignedInUser> };
  readonly limits: SearchLimits & Pick<Limits, "sampleRows">;
  /** Called for the first page of each search that the engine accepted. Must not throw. */
  readonly onSearch?: ((dataset: DatasetRef) => void) | undefined;
}

export interface PreparedSearch extends SearchedDataset {
  readonly query: SearchQuery;
  /** Validates an aggregation over the rows of the search. Throws Refusal. */
  readonly aggregationOf: (what: { readonly aggregation: string; readonly column: string }) => Aggregation;
}

export interface SearchService {
  run(user: SignedInUser, datasetPath: DatasetPath, data: SearchData, format: RowFormat, signal: AbortSignal): Promise<StreamedAnswer>;
  /**
   * Validates a search and passes it to `work` instead of running it. Limit and offset of the query must be ignored. The search may
   * depend on what its dataset supports.
   */
  prepare<T>(
    user: SignedInUser,
    datasetPath: DatasetPath,
    data: SearchData | ((dataset: SearchedDataset) => SearchData),
    work: (search: PreparedSearch) => Promise<T>,
  ): Promise<T>;
  sample(user: SignedInUser, datasetPath: DatasetPath, signal: AbortSignal): Promise<StreamedAnswer>;
  /** Resolves with a single key: `totalResults` for a count of rows, otherwise one like `avg(price)`. */
  aggregate(
    user: SignedInUser,
    datasetPath: DatasetPath,
    what: { readonly aggregationType: string; readonly column: string },
    data: SearchData,
    signal: AbortSignal,
  ): Promise<Record<string, CellValue>>;
  /** `rows` is null if the dataset does not count. */
  rowCount(user: SignedInUser, datasetPath: DatasetPath, data: SearchData, signal: AbortSignal): Promise<RowCount>;
}

function arrowOf(engine: QueryEngine): NonNullable<QueryEngine["searchArrow"]> {
  if (engine.searchArrow === undefined) throw new Refusal("not-supported", "The rows of this dataset are available as JSON only.");
  return engine.searchArrow.bind(engine);
}

function aggregationOf(
  dataset: SearchableDataset,
  what: { readonly aggregation: string; readonly column: string },
  typePath: "aggregationType" | "aggregation",
): Aggregation {
  const problems = new Problems();
  const aggregation = validAggregation(dataset, what, typePath, problems);
  problems.throwAny();
  if (aggregation === undefined) throw new Error("validation returned neither an aggregation nor a problem");
  return aggregation;
}

export function searchService({ datasets, limits, onSearch }: SearchParts): SearchService {
  return {
    run: (user, { category, datasetId }, data, format, signal) =>
      datasets.use(user, category, datasetId, async (described) => {
        const dataset = described.deriving(data);
        const { engine, queryable } = dataset;
        const { query, paged } = validateSearch(dataset, data, limits);
        const call = { signal, owner: user.id, user: user.username };
        const answer =
          format === "arrow"
            ? streamArrow(dataset, await arrowOf(engine)(queryable, query, call))
            : streamRows(dataset, await engine.search(queryable, query, call), !paged);
        if ((data.paging?.offset ?? 0) === 0) onSearch?.({ datasetCategory: category, datasetId });
        return answer;
      }),
    prepare: (user, { category, datasetId }, data, work) =>
      datasets.use(user, category, datasetId, async (described) => {
        const search = typeof data === "function" ? data(described) : data;
        const dataset = described.deriving(search);
        const { query } = validateSearch(dataset, search, limits);
        return work({ ...dataset, query, aggregationOf: (what) => aggregationOf(dataset, what, "aggregation") });
      }),
    sample: (user, { category, datasetId }, signal) =>
      datasets.use(user, category, datasetId, async (dataset) => {
        if (!dataset.queryable.features.has("SAMPLE")) throw new Refusal("not-supported", "This dataset has no sample.");
        const query = { conditions: dataset.queryable.ownConditions, limit: limits.sampleRows };
        return streamRows(
          dataset,
          await dataset.engine.sample(dataset.queryable, query, { signal, owner: user.id, user: user.username }),
          false,
        );
      }),
    aggregate: (user, { category, datasetId }, what, data, signal) =>
      datasets.use(user, category, datasetId, async (described) => {
        const dataset = described.deriving(data);
        const aggregation = aggregationOf(dataset, { ...what, aggregation: what.aggregationType }, "aggregationType");
        const { query } = validateSearch(dataset, data, limits);
        const call = { signal, owner: user.id, user: user.username };
        const [[value = null] = []] = await dataset.engine.aggregate(dataset.queryable, [aggregation], [], query, call);
        return aggregation.column === "*" ? { totalResults: value } : { [`${aggregation.type}(${aggregation.column})`]: value };
      }),
    rowCount: (user, { category, datasetId }, data, signal) =>
      datasets.use(user, category, datasetId, async (described) => {
        const dataset = described.deriving(data);
        const { query } = validateSearch(dataset, data, limits);
        if (!dataset.queryable.features.has("COUNT")) return { rows: null };
        const call = { signal, owner: user.id, user: user.username };
        const count = async (counted: Narrowing) => {
          const [[value] = []] = await dataset.engine.aggregate(dataset.queryable, [{ type: "count", column: "*" }], [], counted, call);
          return Number(value);
        };
        const rows = await count(query);
        if (query.area === null) return { rows };
        return { rows, outOfRange: await count({ ...query, area: { ...query.area, rings: "out-of-range" } }) };
      }),
  };
}
