import type { SearchDataDraft } from "@fairway/contract/search";
import { groupsOf, type Range } from "./graph-groups.ts";
import { aggregatesOf } from "./graph-values.ts";
import type { Aggregate, GraphDefinition, Group } from "./graph.ts";

/** Up to so many values are asked for one by one; above, by the call for many groups at once. */
const mostSingleCalls = 24;

/** What a graph asks for: every aggregate of every group of the search. */
export interface GraphPlan {
  search: SearchDataDraft;
  groups: readonly Group[];
  aggregates: readonly Aggregate[];
  values: number;
  inOneCall: boolean;
}

export function planOf(definition: GraphDefinition, search: SearchDataDraft, range: Range | null): GraphPlan {
  const groups = groupsOf(definition, range);
  const aggregates = aggregatesOf(definition.columns);
  const values = groups.length * aggregates.length;
  return { search, groups, aggregates, values, inOneCall: values > mostSingleCalls };
}

/** True where both ask for the same values: another title, type or color needs no new ones. */
export function asksTheSame(one: GraphPlan, other: GraphPlan): boolean {
  const asked = ({ search, groups, aggregates }: GraphPlan) =>
    JSON.stringify([
      search,
      groups.map(({ time, conditions }) => [time, conditions.map(({ model, operator, value }) => [model, operator, value])]),
      aggregates,
    ]);
  return asked(one) === asked(other);
}
