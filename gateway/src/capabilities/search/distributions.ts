import type { ColumnDistributions, ColumnDistributionsRequest, TimeDistribution, distributions } from "@fairway/contract/distributions";
import type { SearchData } from "@fairway/contract/search";
import type { Handlers, SignedInUser } from "#http/handlers.ts";
import { Refusal } from "#http/refusal.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "./service.ts";
import { Problems } from "./problems.ts";
import { type SearchLimits, validateSearch } from "./validate.ts";
import { plainColumn } from "./validate-filters.ts";

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: SearchLimits };

export const distributionRoutes = (parts: Parts): Handlers<typeof distributions> => ({
  overTime: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => overTime(dataset, parts.limits, user, body, signal)),
  ofColumns: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => ofColumns(dataset, parts.limits, user, body, signal)),
});

async function overTime(
  dataset: SearchableDataset,
  limits: SearchLimits,
  user: SignedInUser,
  data: SearchData,
  signal: AbortSignal,
): Promise<TimeDistribution> {
  const { engine, queryable } = dataset;
  if (engine.timeDistribution === undefined || queryable.temporalField === null) {
    throw new Refusal("not-supported", "The rows of this dataset cannot be counted over time.");
  }
  const { query } = validateSearch(dataset, data, limits);
  return engine.timeDistribution(queryable, query, { signal, owner: user.id, user: user.username });
}

async function ofColumns(
  dataset: SearchableDataset,
  limits: SearchLimits,
  user: SignedInUser,
  { columns: names, ...data }: ColumnDistributionsRequest,
  signal: AbortSignal,
): Promise<ColumnDistributions> {
  const { engine, queryable } = dataset;
  if (engine.columnDistributions === undefined) throw new Refusal("not-supported", "The columns of this dataset have no profile.");
  const problems = new Problems();
  names.forEach((name, index) => plainColumn(dataset, name, `columns.${index}`, problems));
  problems.throwAny();
  const { query } = validateSearch(dataset, data, limits);
  const columns = queryable.columns.filter(({ name }) => names.includes(name));
  return engine.columnDistributions(queryable, columns, query, { signal, owner: user.id, user: user.username });
}
