import type { BreakdownGrouping, BreakdownMeasure } from "@fairway/contract/breakdowns";
import { type Aggregate, type GraphDefinition, isDerived } from "@fairway/contract/charts/graph";
import { chartOf } from "@fairway/contract/charts/chart-kinds";
import { measureId } from "@fairway/contract/charts/asked";
import type { StoredSummary } from "./summary.ts";

const measureOf = ({ model, aggregation }: Aggregate): BreakdownMeasure => ({ aggregation, column: model });

/**
 * A graph of groups by hand as a summary: days and hours are steps of time, its own groups stay groups, and derived columns are computed
 * of the measures that they name.
 */
export function summaryOfGraph(definition: GraphDefinition): StoredSummary {
  const measures: BreakdownMeasure[] = [];
  const add = (measure: BreakdownMeasure) => {
    if (!measures.some((one) => measureId(one) === measureId(measure))) measures.push(measure);
    return measureId(measure);
  };
  for (const column of definition.columns) if (!isDerived(column)) add(measureOf(column));
  for (const column of definition.columns)
    if (isDerived(column)) add({ aggregation: column.type, of: [add(measureOf(column.column1)), add(measureOf(column.column2))] });
  const breakdown = { measures, by: [groupingOf(definition)] };
  const wanted = { bar: "columns", line: "lines", doughnut: "doughnut", pie: "pie" } as const;
  return {
    id: crypto.randomUUID(),
    title: definition.title === "" ? null : definition.title,
    chart: chartOf(wanted[definition.type], breakdown),
    ...(definition.bridged === false ? { isBridged: false } : {}),
    breakdown,
  };
}

function groupingOf({ groupingType, days = 1, groupings }: GraphDefinition): BreakdownGrouping {
  if (groupingType === "hour") return { kind: "time", unit: "hour" };
  if (groupingType === "day") return { kind: "time", unit: "day", ...(days === 1 ? {} : { size: days }) };
  return {
    kind: "groups",
    groups: groupings
      .filter(({ isRest }) => isRest !== true)
      .map(({ label, conditions }) => ({
        label: label.trim(),
        filters: conditions.map(({ model, operator, value }) => ({ name: model, operator, value })),
      })),
    ...(groupings.some(({ isRest }) => isRest === true) ? { other: true } : {}),
  };
}
