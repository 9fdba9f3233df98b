import { graphs } from "@fairway/contract/graphs";
import { search, type SearchDataDraft } from "@fairway/contract/search";
import { call } from "#lib/gateway/call.ts";
import { isUnsupported } from "#lib/gateway/gateway-error.ts";
import { mapConcurrent } from "#lib/pacing/map-concurrent.ts";
import { currentLimits } from "#lib/gateway/portal-settings.ts";
import { groupConstraints, searchOfGroup } from "@fairway/contract/charts/graph-groups";
import type { GraphPlan } from "./graph-plan.ts";
import type { Aggregate, GraphData, Group, GraphValue } from "@fairway/contract/charts/graph";

const defaultInFlight = 6;
const groupsPerCall = 2_000;

interface Dataset {
  category: string;
  datasetId: string;
}

interface Loading {
  signal: AbortSignal;
  onProgress: (valuesDone: number) => void;
  /** Single requests at a time. Default: 6. */
  maxInFlight?: number;
}

/** The response is not a valid graph value. The message is shown to users. */
class UnreadableValue extends Error {
  override name = "UnreadableValue";
}

/**
 * Fetches all values of a graph: one request each with at most 6 in flight, or batches of many groups. Rejects with the
 * first failure (GatewayError, UnreadableValue) or the signal's reason, and aborts the remaining requests.
 */
export async function fetchGraph(
  dataset: Dataset,
  plan: GraphPlan,
  { signal, onProgress, maxInFlight = defaultInFlight }: Loading,
): Promise<GraphData> {
  const failure = new AbortController();
  const combined = AbortSignal.any([signal, failure.signal]);
  let done = 0;
  const advance = (values: number): void => {
    done += values;
    onProgress(done);
  };
  try {
    const values = plan.inOneCall
      ? await fetchLarge(dataset, plan, { signal: combined, advance, maxInFlight })
      : await fetchEachValue(dataset, plan, { signal: combined, advance, maxInFlight });
    return { groups: plan.groups, aggregates: plan.aggregates, values };
  } catch (error) {
    failure.abort();
    throw error;
  }
}

interface Fetching {
  signal: AbortSignal;
  advance: (values: number) => void;
  maxInFlight: number;
}

async function fetchEachValue(dataset: Dataset, plan: GraphPlan, { signal, advance, maxInFlight }: Fetching): Promise<GraphValue[][]> {
  const values = plan.groups.map(() => plan.aggregates.map((): GraphValue => null));
  const requests = plan.groups.flatMap((group, row) => plan.aggregates.map((aggregate, column) => ({ group, row, aggregate, column })));
  await mapConcurrent(requests, maxInFlight, async ({ group, row, aggregate, column }) => {
    const value = await fetchValue(dataset, aggregate, searchOfGroup(plan.search, group), signal);
    const line = values[row];
    if (line) line[column] = value;
    advance(1);
  });
  return values;
}

async function fetchValue(
  { category, datasetId }: Dataset,
  { aggregation, model }: Aggregate,
  body: SearchDataDraft,
  signal: AbortSignal,
): Promise<GraphValue> {
  const params = { category, datasetId, aggregationType: aggregation, column: model };
  return singleValue(await call(search.aggregate, { params, body }, { signal }));
}

/** The single value of an aggregate response. Throws UnreadableValue unless there is exactly one key with a number. */
export function singleValue(answer: Readonly<Record<string, unknown>>): GraphValue {
  const values = Object.values(answer);
  if (values.length !== 1) throw new UnreadableValue(`The server returned ${values.length} values instead of one.`);
  return parseValue(values[0]);
}

function parseValue(value: unknown): GraphValue {
  if (value === null || typeof value === "number") return value;
  if (typeof value === "string" && /^-?\d+$/.test(value)) return value;
  throw new UnreadableValue("The server's response contains no number.");
}

/** Falls back to single requests for sources without batch support. */
async function fetchLarge(dataset: Dataset, plan: GraphPlan, fetching: Fetching): Promise<GraphValue[][]> {
  try {
    return await fetchInBatches(dataset, plan, fetching);
  } catch (error) {
    if (isUnsupported(error)) return fetchEachValue(dataset, plan, fetching);
    throw error;
  }
}

async function fetchInBatches(dataset: Dataset, plan: GraphPlan, { signal, advance }: Fetching): Promise<GraphValue[][]> {
  const width = plan.aggregates.length;
  const { graphBatchValues, graphBatchComparisons } = currentLimits();
  const conditions = plan.groups.reduce((max, group) => Math.max(max, group.conditions.length), 1);
  const batchSize = Math.max(
    1,
    Math.min(groupsPerCall, Math.floor(graphBatchValues / width), Math.floor(graphBatchComparisons / (width * conditions))),
  );
  const values: GraphValue[][] = [];
  for (let from = 0; from < plan.groups.length; from += batchSize) {
    const groups = plan.groups.slice(from, from + batchSize);
    values.push(...(await fetchBatch(dataset, plan, groups, signal)));
    advance(groups.length * width);
  }
  return values;
}

async function fetchBatch(
  { category, datasetId }: Dataset,
  { search: searchData, aggregates }: GraphPlan,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<GraphValue[][]> {
  const body = {
    search: searchData,
    groups: groups.map((group) => ({ id: group.id, ...groupConstraints(group) })),
    aggregations: aggregates.map(({ aggregation, model }) => ({ aggregation, column: model })),
  };
  const answer = await call(graphs.batch, { params: { category, datasetId }, body }, { signal });
  const byId = new Map(answer.groups.map(({ id, values }) => [id, values]));
  return groups.map(({ id }) => {
    const values = byId.get(id);
    if (values?.length !== aggregates.length) throw new UnreadableValue("The server's response is missing some values.");
    return values.map(parseValue);
  });
}
