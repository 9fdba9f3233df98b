import { expect, it } from "vitest";
import {
  aggregationLabels,
  columnLabel,
  derivedLabels,
  uniqueLabels,
  groupingLabels,
  largeGroupingWarning,
  measureOf,
  typeLabels,
  unitOf,
  valueText,
  workloadText,
} from "./graph-wording.ts";
import type { Aggregate, GraphColumn } from "./graph.ts";

it("[GRAPH-09] names the types of graphs", () => {
  expect(Object.values(typeLabels)).toEqual(["Bar", "Line", "Doughnut", "Pie"]);
});

it("[GRAPH-12] names the groupings", () => {
  expect(Object.values(groupingLabels)).toEqual(["Temporal (Day)", "Temporal (Hour)", "Custom"]);
});

it("[GRAPH-13][GRAPH-14] uses the aggregations and derived columns of the specification", () => {
  expect(Object.values(aggregationLabels)).toEqual(["# Occurences", "avg", "min", "max", "sum"]);
  expect(Object.values(derivedLabels)).toEqual(["ratio", "ratio as percent", "product", "sum", "delta"]);
});

it("[GRAPH-27] warns of many groupings in the words of the specification", () => {
  expect(largeGroupingWarning).toBe("This graph has a lot a lot of groupings and may be slow or fail to render.");
});

it("labels columns by what they count", () => {
  const color = "#099bf1";
  expect(columnLabel({ id: "1", model: "*", aggregation: "count", color }, [])).toBe("# Occurences");
  expect(columnLabel({ id: "1", model: "wind", aggregation: "max", color }, [])).toBe("max of wind");
  const labeled = [{ name: "wind", label: "Wind speed", type: "integer" as const, description: "", combined: null }];
  expect(columnLabel({ id: "1", model: "wind", aggregation: "max", color }, labeled)).toBe("max of Wind speed");
});

it("makes labels unique with an unused number", () => {
  expect(uniqueLabels(["avg of wind", "max of wind"])).toEqual(["avg of wind", "max of wind"]);
  expect(uniqueLabels(["a", "a", "a (2)", "a", "b"])).toEqual(["a", "a (2)", "a (2) (2)", "a (3)", "b"]);
});

it("formats numbers with separators, small ones with significant digits, and missing values as empty", () => {
  expect(valueText(1234567)).toBe("1,234,567");
  expect(valueText(12345.678912)).toBe("12,345.6789");
  expect(valueText(0.0000123456)).toBe("0.00001235");
  expect(valueText(null)).toBe("");
  expect(valueText("9007199254740993")).toBe("9,007,199,254,740,993");
});

it("determines unit and measure of a column", () => {
  const color = "#099bf1";
  const column = (name: string, unit?: string) => ({
    name,
    type: "integer" as const,
    description: "",
    combined: null,
    ...(unit === undefined ? {} : { unit }),
  });
  const columns = [column("wind", "kt"), column("gust", "kt"), column("rank")];
  const aggregated = (aggregation: "count" | "max", model: string) => ({ id: "1", model, aggregation, color });
  const derived = (type: "ratio" | "ratio-percent" | "delta", ...[column1, column2]: [Aggregate, Aggregate]) =>
    ({ id: "1", label: "D", type, column1, column2, color }) as const;
  const unitAndMeasure = (column: GraphColumn) => [unitOf(column, columns), measureOf(column, columns)];
  expect(unitAndMeasure(aggregated("max", "wind"))).toEqual(["kt", "kt"]);
  expect(unitAndMeasure(aggregated("max", "rank"))).toEqual(["", "rank"]);
  expect(unitAndMeasure(aggregated("count", "wind"))).toEqual(["", "count"]);
  expect(unitAndMeasure(derived("delta", aggregated("max", "wind"), aggregated("max", "gust")))).toEqual(["kt", "kt"]);
  expect(unitAndMeasure(derived("delta", aggregated("max", "wind"), aggregated("max", "rank")))).toEqual(["", "delta"]);
  expect(unitAndMeasure(derived("delta", aggregated("count", "*"), aggregated("count", "wind")))).toEqual(["", "count"]);
  expect(unitAndMeasure(derived("ratio", aggregated("max", "wind"), aggregated("max", "gust")))).toEqual(["", "ratio"]);
  expect(unitAndMeasure(derived("ratio-percent", aggregated("max", "wind"), aggregated("max", "gust")))).toEqual(["%", "%"]);
});

it("describes the workload", () => {
  expect(workloadText(1, 1)).toBe("1 group");
  expect(workloadText(720, 3)).toBe("720 groups × 3 values: 2,160 values");
});
