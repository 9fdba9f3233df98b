import { graphs } from "@fairway/contract/graphs";
import { search, type SearchDataDraft } from "@fairway/contract/search";
import { call } from "#lib/call.ts";
import { isUnsupported } from "#lib/gateway-error.ts";
import { mapConcurrent } from "#lib/map-concurrent.ts";
import { currentLimits } from "#lib/portal-settings.ts";
import { narrowingOf, searchOfGroup } from "./graph-groups.ts";
import type { GraphPlan } from "./graph-plan.ts";
import type { Aggregate, GraphData, Group, GraphValue } from "./graph.ts";

const maxInFlight = 6;
const groupsPerCall = 2_000;

interface Dataset {
  category: string;
  datasetId: string;
}

interface Loading {
  signal: AbortSignal;
  onProgress: (valuesDone: number) => void;
}

/** The answer came, but is no value of a graph. The message is for people. */
class UnreadableValue extends Error {
  override name = "UnreadableValue";
}

/**
 * All values of a graph: one call each, at most 6 in flight, or many groups by one call. Rejects with the first failure
 * (GatewayError, UnreadableValue) or the signal's reason; what is still on its way is then dropped.
 */
export async function fetchGraph(dataset: Dataset, plan: GraphPlan, { signal, onProgress }: Loading): Promise<GraphData> {
  const failing = new AbortController();
  const either = AbortSignal.any([signal, failing.signal]);
  let done = 0;
  const advance = (values: number): void => {
    done += values;
    onProgress(done);
  };
  try {
    const values = plan.inOneCall ? await fetchLarge(dataset, plan, either, advance) : await fetchSingly(dataset, plan, either, advance);
    return { groups: plan.groups, aggregates: plan.aggregates, values };
  } catch (error) {
    failing.abort();
    throw error;
  }
}

async function fetchSingly(
  dataset: Dataset,
  plan: GraphPlan,
  signal: AbortSignal,
  advance: (values: number) => void,
): Promise<GraphValue[][]> {
  const values = plan.groups.map(() => plan.aggregates.map((): GraphValue => null));
  const asked = plan.groups.flatMap((group, row) => plan.aggregates.map((aggregate, place) => ({ group, row, aggregate, place })));
  await mapConcurrent(asked, maxInFlight, async ({ group, row, aggregate, place }) => {
    const value = await fetchOne(dataset, aggregate, searchOfGroup(plan.search, group), signal);
    const line = values[row];
    if (line) line[place] = value;
    advance(1);
  });
  return values;
}

async function fetchOne(
  { category, datasetId }: Dataset,
  { aggregation, model }: Aggregate,
  body: SearchDataDraft,
  signal: AbortSignal,
): Promise<GraphValue> {
  const params = { category, datasetId, aggregationType: aggregation, column: model };
  return onlyValue(await call(search.aggregate, { params, body }, { signal }));
}

/** The one value of an aggregate's answer. Throws UnreadableValue where there is not exactly one key, or no number. */
export function onlyValue(answer: Readonly<Record<string, unknown>>): GraphValue {
  const values = Object.values(answer);
  if (values.length !== 1) throw new UnreadableValue(`The server answered ${values.length} values in place of one.`);
  return valueOf(values[0]);
}

function valueOf(value: unknown): GraphValue {
  if (value === null || typeof value === "number") return value;
  if (typeof value === "string" && /^-?\d+$/.test(value)) return value;
  throw new UnreadableValue("The server's answer holds no number.");
}

/** Sources that answer no groups at once are asked for each value. */
async function fetchLarge(
  dataset: Dataset,
  plan: GraphPlan,
  signal: AbortSignal,
  advance: (values: number) => void,
): Promise<GraphValue[][]> {
  try {
    return await fetchTogether(dataset, plan, signal, advance);
  } catch (error) {
    if (isUnsupported(error)) return fetchSingly(dataset, plan, signal, advance);
    throw error;
  }
}

async function fetchTogether(
  dataset: Dataset,
  plan: GraphPlan,
  signal: AbortSignal,
  advance: (values: number) => void,
): Promise<GraphValue[][]> {
  const width = plan.aggregates.length;
  const { graphBatchValues, graphBatchComparisons } = currentLimits();
  const conditions = plan.groups.reduce((most, group) => Math.max(most, group.conditions.length), 1);
  const most = Math.max(
    1,
    Math.min(groupsPerCall, Math.floor(graphBatchValues / width), Math.floor(graphBatchComparisons / (width * conditions))),
  );
  const values: GraphValue[][] = [];
  for (let from = 0; from < plan.groups.length; from += most) {
    const groups = plan.groups.slice(from, from + most);
    values.push(...(await fetchBatch(dataset, plan, groups, signal)));
    advance(groups.length * width);
  }
  return values;
}

async function fetchBatch(
  { category, datasetId }: Dataset,
  { search: asked, aggregates }: GraphPlan,
  groups: readonly Group[],
  signal: AbortSignal,
): Promise<GraphValue[][]> {
  const body = {
    search: asked,
    groups: groups.map((group) => ({ id: group.id, ...narrowingOf(group) })),
    aggregations: aggregates.map(({ aggregation, model }) => ({ aggregation, column: model })),
  };
  const answer = await call(graphs.batch, { params: { category, datasetId }, body }, { signal });
  const byId = new Map(answer.groups.map(({ id, values }) => [id, values]));
  return groups.map(({ id }) => {
    const values = byId.get(id);
    if (values?.length !== aggregates.length) throw new UnreadableValue("The server's answer does not hold every value.");
    return values.map(valueOf);
  });
}
