import type { AggregateBatch, AggregateBatchAnswer, graphs } from "@fairway/contract/graphs";
import type { Limits } from "@fairway/contract/limits";
import type { CellValue } from "@fairway/contract/search";
import type { Handlers } from "#http/handlers.ts";
import type { SignedInUser } from "#http/signed-in-user.ts";
import { Refusal } from "#http/refusal.ts";
import type { Aggregation, AggregationGroup, EngineCall } from "#query/engine.ts";
import { TimeSlice } from "#threads/time-slice.ts";
import { Problems } from "./problems.ts";
import type { SearchableDataset } from "#query/searchable-dataset.ts";
import type { DatasetPath, SearchParts } from "./service.ts";
import { type Narrowing, type SearchLimits, refuseColumns, requireFilters, validNarrowing, validTimeRange } from "./validate.ts";
import { validAggregation } from "./validate-aggregation.ts";
import { countOfFilters, validFilters } from "./validate-filters.ts";

type GraphLimits = SearchLimits & Pick<Limits, "graphBatchValues">;
type Parts = Pick<SearchParts, "datasets"> & { readonly limits: GraphLimits };

/** The values of each group, in the order of the aggregations. Throws Refusal and EngineFailed. */
export type GroupValues = (
  user: SignedInUser,
  datasetPath: DatasetPath,
  request: AggregateBatch,
  call: EngineCall,
) => Promise<readonly (readonly CellValue[])[]>;

export const groupValues =
  ({ datasets, limits }: Parts): GroupValues =>
  (user, { category, datasetId }, request, call) =>
    datasets.use(user, category, datasetId, async (described) => {
      const dataset = described.deriving(request.search, "search");
      if (!dataset.engine.supportsGroups) {
        throw new Refusal("not-supported", "This dataset can be aggregated for only one group at a time.");
      }
      const { query, groups, aggregations } = await validateBatch(dataset, request, limits);
      return dataset.engine.aggregate(dataset.queryable, aggregations, groups, query, call);
    });

export const graphRoutes = (values: GroupValues): Handlers<typeof graphs> => ({
  batch: async ({ user, params, body, signal }) => ({
    contentType: "application/json; charset=utf-8",
    chunks: responseText(body.groups, await values(user, params, body, { signal, owner: user.id, user: user.username })),
  }),
});

/** Serializes a few groups at a time: ten thousand at once would block the event loop. */
async function* responseText(groups: AggregateBatch["groups"], values: readonly (readonly CellValue[])[]): AsyncGenerator<string> {
  const slice = new TimeSlice();
  yield '{"groups":[';
  for (let from = 0; from < groups.length; from += groupsPerChunk) {
    await slice.end();
    const part = groups
      .slice(from, from + groupsPerChunk)
      .map(({ id }, index): AggregateBatchAnswer["groups"][number] => ({ id, values: [...(values[from + index] ?? [])] }));
    yield `${from === 0 ? "" : ","}${JSON.stringify(part).slice(1, -1)}`;
  }
  yield "]}";
}

const groupsPerChunk = 500;

interface ValidBatch {
  readonly query: Narrowing;
  readonly groups: readonly AggregationGroup[];
  readonly aggregations: readonly Aggregation[];
}

/** Validates each group like a separate search, reporting problems at the group's path. */
async function validateBatch(dataset: SearchableDataset, request: AggregateBatch, limits: GraphLimits): Promise<ValidBatch> {
  const count = request.groups.length * request.aggregations.length;
  if (count > limits.graphBatchValues) {
    const message = `One call returns at most ${limits.graphBatchValues} values, not ${count}: ask for fewer groups or aggregations.`;
    throw new Refusal("invalid-request", message, { path: "groups" });
  }
  const problems = new Problems();
  const search = problems.within("search");
  refuseColumns(request.search, search);
  const query = validNarrowing(dataset, request.search, limits, search);
  const aggregations = request.aggregations.flatMap(
    (aggregation, index) => validAggregation(dataset, aggregation, "aggregation", problems.within(`aggregations.${index}`)) ?? [],
  );
  const groups = await validGroups(dataset, request, limits, problems);
  problems.throwAny();
  return { query, groups, aggregations };
}

async function validGroups(
  dataset: SearchableDataset,
  { search, groups }: AggregateBatch,
  limits: GraphLimits,
  problems: Problems,
): Promise<AggregationGroup[]> {
  const ids = new Set<string>();
  const groupLimits = { ...limits, filtersPerSearch: Math.max(0, limits.filtersPerSearch - countOfFilters(search.filters)) };
  const slice = new TimeSlice();
  const valid: AggregationGroup[] = [];
  for (const [index, group] of groups.entries()) {
    await slice.end();
    const groupProblems = problems.within(`groups.${index}`);
    if (ids.has(group.id)) groupProblems.add("invalid-request", "Another group has the same id.", "id");
    ids.add(group.id);
    const timeRange = validTimeRange(dataset, group, groupProblems);
    const conditions = validFilters(dataset, group.filters, groupLimits, groupProblems);
    const merged = { ...search, timeRange: group.timeRange ?? search.timeRange, filters: [...search.filters, ...group.filters] };
    requireFilters(dataset, merged, groupProblems);
    valid.push({ timeRange, conditions });
  }
  return valid;
}
