import type { Column } from "@fairway/contract/columns";
import { isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { newColumn, newDraft, newGrouping, suggestedTitle } from "./graph-draft.ts";
import type { SearchFilters } from "#parts/search-model/search-record.ts";
import { groupedRange } from "@fairway/contract/charts/graph-groups";
import { conditionColumns } from "./graph-validity.ts";
import type { GraphDefinition } from "@fairway/contract/charts/graph";

/** A graph of one column. `fillFrom`: the column whose values its groups are still to be filled with. */
interface ColumnGraph {
  draft: GraphDefinition;
  fillFrom: string | null;
}

/**
 * The graph that suits a column, or the search if none is given: the average of a number over time, the count of rows over the dataset's own time, otherwise the
 * count of rows by the column's values or ranges.
 */
export function graphOfColumn(
  description: DatasetDescription,
  column: Column | undefined,
  filters: Pick<SearchFilters, "timeRange">,
  maxGroups: number,
): ColumnGraph {
  const overTime = newDraft(description, filters, maxGroups);
  const range = groupedRange(filters, description);
  if (!column || (range && column.name === description.temporalField)) return { draft: overTime, fillFrom: null };
  if (range && isNumeric(column.type)) {
    const draft: GraphDefinition = { ...overTime, type: "line", columns: [{ ...newColumn([]), model: column.name, aggregation: "avg" }] };
    return { draft: { ...draft, title: suggestedTitle(draft) }, fillFrom: null };
  }
  const canFill = description.assists.includes("PROFILE") && conditionColumns(description).some(({ name }) => name === column.name);
  const grouping = newGrouping(description, []);
  const [condition] = grouping.conditions;
  const draft: GraphDefinition = {
    ...overTime,
    groupingType: "custom",
    groupings: condition ? [{ ...grouping, conditions: [{ ...condition, model: column.name, operator: "=" }] }] : [],
  };
  return { draft: { ...draft, title: suggestedTitle(draft) }, fillFrom: canFill ? column.name : null };
}
