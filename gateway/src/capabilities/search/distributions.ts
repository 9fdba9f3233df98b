import {
  type ColumnDistributions,
  type ColumnDistributionsRequest,
  type TimeDistribution,
  type TimeDistributionRequest,
  type distributions,
  maxTimeBuckets,
} from "@fairway/contract/distributions";
import type { Limits } from "@fairway/contract/limits";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import { EngineFailed, type SearchQuery } from "#query/engine.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { SearchParts } from "./service.ts";
import { Problems } from "./problems.ts";
import { type SearchLimits, validateSearch } from "./validate.ts";
import { plainColumn } from "./validate-filters.ts";

const dayMs = 86_400_000;

type Parts = Pick<SearchParts, "datasets"> & { readonly limits: SearchLimits & Pick<Limits, "suggestionTimeoutMs"> };

export const distributionRoutes = (parts: Parts): Handlers<typeof distributions> => ({
  overTime: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => overTime(dataset.deriving(body), parts.limits, user, body, signal)),
  ofColumns: ({ user, params: { category, datasetId }, body, signal }) =>
    parts.datasets.use(user, category, datasetId, (dataset) => ofColumns(dataset.deriving(body), parts.limits, user, body, signal)),
});

async function overTime(
  dataset: SearchableDataset,
  limits: Parts["limits"],
  user: SignedInUser,
  { byDay = false, ...data }: TimeDistributionRequest,
  signal: AbortSignal,
): Promise<TimeDistribution> {
  const { engine, queryable } = dataset;
  if (engine.timeDistribution === undefined || queryable.temporalField === null) {
    throw new Refusal("not-supported", "The rows of this dataset cannot be counted over time.");
  }
  const { query } = validateSearch(dataset, data, limits);
  if (!byDay) return engine.timeDistribution(queryable, query, { signal, owner: user.id, user: user.username });
  requireFewDays(query.timeRange);
  // For marks in a calendar, which nobody waits for.
  const timeout = AbortSignal.timeout(limits.suggestionTimeoutMs);
  const call = { signal: AbortSignal.any([signal, timeout]), owner: user.id, user: user.username };
  try {
    return await engine.timeDistribution(queryable, { ...query, byDay }, call);
  } catch (error) {
    if (!(error instanceof EngineFailed) || signal.aborted || !timeout.aborted) throw error;
    throw new Refusal("timed-out", "Counting the rows of these days takes too long.");
  }
}

function requireFewDays(range: SearchQuery["timeRange"]): void {
  const days = range === null ? Infinity : Math.floor(range.endMs / dayMs) - Math.floor(range.startMs / dayMs) + 1;
  if (days <= maxTimeBuckets) return;
  const problems = new Problems();
  problems.add("invalid-request", `Days are counted in a time range with both ends, over at most ${maxTimeBuckets} days.`, "timeRange");
  problems.throwAny();
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
