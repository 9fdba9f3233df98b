import { isNumeric, isTimestamp } from "@fairway/contract/columns";
import type { Limits } from "@fairway/contract/limits";
import { type CellValue, type SearchData, aggregationType } from "@fairway/contract/search";
import type { SignedInUser, StreamedAnswer } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { Aggregation, RowStream, SearchQuery } from "#query/engine.ts";
import type { SearchableDataset } from "./searchable.ts";
import { type SearchLimits, preFilledConditions, quoted, requireColumn, validateSearch } from "./validate.ts";

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
      return answerOf(await dataset.engine.search(dataset.queryable, query, signal), !paged);
    },
    prepare: async (user, { category, datasetId }, data) => {
      const dataset = await datasets.find(user, category, datasetId);
      return { ...dataset, query: validateSearch(dataset, data, limits).query };
    },
    sample: async (user, { category, datasetId }, signal) => {
      const dataset = await datasets.find(user, category, datasetId);
      if (!dataset.queryable.features.has("SAMPLE")) throw new Refusal("not-supported", "This dataset has no sample.");
      const query = { conditions: preFilledConditions(dataset), limit: limits.sampleRows };
      return answerOf(await dataset.engine.sample(dataset.queryable, query, signal), false);
    },
    aggregate: async (user, { category, datasetId }, what, data, signal) => {
      const dataset = await datasets.find(user, category, datasetId);
      const aggregation = validAggregation(dataset, what);
      const { query } = validateSearch(dataset, data, limits);
      const [[value = null] = []] = await dataset.engine.aggregate(dataset.queryable, [aggregation], [], query, signal);
      return aggregation.column === "*" ? { totalResults: value } : { [`${aggregation.type}(${aggregation.column})`]: value };
    },
  };
}

function validAggregation(dataset: SearchableDataset, what: { aggregationType: string; column: string }): Aggregation {
  const parsed = aggregationType.safeParse(what.aggregationType);
  if (!parsed.success) {
    const known = aggregationType.options.join(", ");
    throw new Refusal("unknown-aggregation", `There is no aggregation ${quoted(what.aggregationType)}; there are ${known}.`, {
      path: "aggregationType",
    });
  }
  const type = parsed.data;
  if (what.column === "*") {
    if (type !== "count") throw new Refusal("not-supported", `${type} needs a column; only count goes over *.`, { path: "column" });
    if (!dataset.queryable.features.has("COUNT")) throw new Refusal("not-supported", "The rows of this dataset cannot be counted.");
    return { type, column: "*" };
  }
  const column = requireColumn(dataset, what.column);
  const fits = type === "count" || isNumeric(column.type) || (isTimestamp(column.type) && isRange(type));
  if (!fits) {
    throw new Refusal("not-supported", `${type} cannot be taken over ${quoted(what.column)}, which is ${column.type}.`, {
      path: "column",
    });
  }
  return { type, column: column.name };
}

const isRange = (type: string): boolean => type === "min" || type === "max";

/** Rows as they come from the engine, between the answer's brackets. */
function answerOf(rows: RowStream, mayBeCut: boolean): StreamedAnswer {
  return { contentType: "application/json; charset=utf-8", chunks: answerText(rows, mayBeCut) };
}

async function* answerText(rows: RowStream, mayBeCut: boolean): AsyncGenerator<string> {
  let opening = '{"results":[';
  for await (const chunk of rows.chunks) {
    yield opening + chunk;
    opening = "";
  }
  yield `${opening}]${mayBeCut && (await rows.more) ? ',"truncated":true' : ""}}`;
}
