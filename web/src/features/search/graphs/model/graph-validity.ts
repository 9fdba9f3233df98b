import { type Column, isNumeric } from "@fairway/contract/columns";
import type { DatasetDescription } from "@fairway/contract/datasets";
import { readFilterValue } from "#parts/filters/filter-value.ts";
import { countOfGroups, type Range } from "@fairway/contract/charts/graph-groups";
import { type Condition, type GraphDefinition, isDerived } from "@fairway/contract/charts/graph";

/** Maximum number of groups per graph; more cannot be distinguished on any screen. */
export const maxGroups = 10_000;

export interface GraphLimits {
  graphColumns: number;
  graphConditionsPerGroup: number;
}

/** Columns that can be drawn: integers and decimals. */
export const graphableColumns = ({ schema }: DatasetDescription): Column[] =>
  schema.columns.filter(({ type, combined }) => isNumeric(type) && combined === null);

/** Columns that conditions of custom groups can use: those that the dataset can filter by. */
export function conditionColumns({ schema, filterSupport }: DatasetDescription): Column[] {
  const { supportsAdvancedFiltering, staticFilters, additionalFilters } = filterSupport;
  const offered = new Set([...staticFilters, ...additionalFilters].map(({ name }) => name));
  return schema.columns.filter(({ name, combined }) => combined === null && (supportsAdvancedFiltering || offered.has(name)));
}

/** Normalizes a graph for requests: trims labels and parses condition values by column type. */
export function readGraph(definition: GraphDefinition, description: DatasetDescription): GraphDefinition {
  const read = (condition: Condition): Condition => {
    const value = readCondition(condition, description);
    return "value" in value ? { ...condition, value: value.value } : condition;
  };
  return {
    ...definition,
    title: definition.title.trim(),
    groupings: definition.groupings.map((group) => ({ ...group, label: group.label.trim(), conditions: group.conditions.map(read) })),
  };
}

/** Validates a graph; returns one sentence per problem. */
export function graphProblems(
  definition: GraphDefinition,
  { description, range, limits }: { description: DatasetDescription; range: Range | null; limits: GraphLimits },
): string[] {
  const { title, groupingType, groupings, columns } = definition;
  const problems: string[] = [];
  const graphable = new Set(graphableColumns(description).map(({ name }) => name));
  if (title.trim() === "") problems.push("The graph needs a title.");
  if (groupingType !== "custom" && range === null) problems.push("Temporal grouping needs a time range on the search.");
  const groups = countOfGroups(definition, range);
  if (groupingType === "custom" && groups === 0) problems.push("The graph needs at least 1 grouping.");
  if (groups > maxGroups) problems.push("The graph has more than 10,000 groups: narrow the time range or group by day.");
  if (groupingType === "custom") {
    if (groupings.some(({ label }) => label.trim() === "")) problems.push("Every grouping needs a label.");
    problems.push(...conditionProblems(definition, description, limits));
  }
  if (columns.length === 0) problems.push("The graph needs at least 1 column.");
  if (columns.length > limits.graphColumns) problems.push(`The graph has more than ${limits.graphColumns} columns.`);
  const aggregates = columns.flatMap((column) => (isDerived(column) ? [column.column1, column.column2] : [column]));
  for (const model of new Set(aggregates.map((aggregate) => aggregate.model)))
    if (model !== "*" && !graphable.has(model)) problems.push(`${model} is not a numeric column of this dataset.`);
  if (aggregates.some(({ model, aggregation }) => model === "*" && aggregation !== "count"))
    problems.push("Only a count can cover all rows.");
  if (columns.some((column) => isDerived(column) && column.label.trim() === "")) problems.push("Every derived column needs a label.");
  return problems;
}

function conditionProblems({ groupings }: GraphDefinition, description: DatasetDescription, limits: GraphLimits): string[] {
  const problems: string[] = [];
  for (const { label, conditions, isRest = false } of groupings) {
    const group = label.trim() === "" ? "A grouping" : label.trim();
    if (isRest) {
      const others = groupings.filter((other) => other.isRest !== true);
      const isOpposite = others.every((other) => other.conditions.length === 1 && other.conditions[0]?.operator === "=");
      if (!isOpposite) problems.push(`${group} needs other groups with one condition each, and the operator =.`);
      continue;
    }
    if (conditions.length === 0) problems.push(`${group} needs at least 1 condition.`);
    if (conditions.length > limits.graphConditionsPerGroup)
      problems.push(`${group} has more than ${limits.graphConditionsPerGroup} conditions.`);
    for (const condition of conditions) {
      const read = readCondition(condition, description);
      if ("problem" in read) problems.push(`${group}: ${read.problem}`);
    }
  }
  return problems;
}

function readCondition({ model, value }: Condition, description: DatasetDescription): { value: Condition["value"] } | { problem: string } {
  const column = conditionColumns(description).find(({ name }) => name === model);
  if (!column) return { problem: `${model} is not a column this dataset can filter by.` };
  if (value === null) return { value: null };
  const read = readFilterValue(column, value);
  return "value" in read && read.value === "" ? { problem: `${model} needs a value.` } : read;
}
