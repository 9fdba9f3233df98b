import type { SearchDataDraft } from "@fairway/contract/search";
import { groupsOf, type Range } from "@fairway/contract/charts/graph-groups";
import { aggregatesOf } from "@fairway/contract/charts/graph-values";
import type { Aggregate, GraphDefinition, Group } from "@fairway/contract/charts/graph";

/** Above this number of values, the batch call is used instead of single calls; always for groups with one for the rest. */
const maxSingleCalls = 24;

/** The request of a graph: every aggregate for every group of the search. */
export interface GraphPlan {
  search: SearchDataDraft;
  groups: readonly Group[];
  aggregates: readonly Aggregate[];
  values: number;
  inOneCall: boolean;
}

export function createPlan(definition: GraphDefinition, search: SearchDataDraft, range: Range | null): GraphPlan {
  const groups = groupsOf(definition, range);
  const aggregates = aggregatesOf(definition.columns);
  const values = groups.length * aggregates.length;
  return { search, groups, aggregates, values, inOneCall: values > maxSingleCalls || groups.some(({ isRest }) => isRest) };
}

/** The same for plans that request the same values; title, type and colors do not matter. */
export const requestKeyOf = ({ search, groups, aggregates }: GraphPlan): string =>
  JSON.stringify([
    search,
    groups.map(({ time, conditions }) => [time, conditions.map(({ model, operator, value }) => [model, operator, value])]),
    aggregates,
  ]);
