import { expect, it } from "vitest";
import {
  aggregationLabels,
  columnLabel,
  derivedLabels,
  distinct,
  groupingLabels,
  manyGroupings,
  measureOf,
  typeLabels,
  unitOf,
  valueText,
  workText,
} from "./graph-wording.ts";
import type { Aggregate, GraphColumn } from "./graph.ts";

it("[GRAPH-09][GRAPH-12][GRAPH-13][GRAPH-27] says it in the specification's words", () => {
  expect(Object.values(typeLabels)).toEqual(["Bar", "Line", "Doughnut", "Pie"]);
  expect(Object.values(groupingLabels)).toEqual(["Temporal (Day)", "Temporal (Hour)", "Custom"]);
  expect(Object.values(aggregationLabels)).toEqual(["# Occurences", "avg", "min", "max", "sum"]);
  expect(Object.values(derivedLabels)).toEqual(["ratio", "ratio as percent", "product", "sum", "delta"]);
  expect(manyGroupings).toBe("This graph has a lot a lot of groupings and may be slow or fail to render.");
});

it("names columns by what they count", () => {
  const color = "#099bf1";
  expect(columnLabel({ id: "1", model: "*", aggregation: "count", color })).toBe("# Occurences");
  expect(columnLabel({ id: "1", model: "wind", aggregation: "max", color })).toBe("max of wind");
});

it("tells names that are the same apart by a number, which none of them has yet", () => {
  expect(distinct(["avg of wind", "max of wind"])).toEqual(["avg of wind", "max of wind"]);
  expect(distinct(["a", "a", "a (2)", "a", "b"])).toEqual(["a", "a (2)", "a (2) (2)", "a (3)", "b"]);
});

it("writes numbers with separators, small ones with the digits that count, and nothing where there is no value", () => {
  expect(valueText(1234567)).toBe("1,234,567");
  expect(valueText(12345.678912)).toBe("12,345.6789");
  expect(valueText(0.0000123456)).toBe("0.00001235");
  expect(valueText(null)).toBe("");
  expect(valueText("9007199254740993")).toBe("9,007,199,254,740,993");
});

it("knows what a column's values are measured in", () => {
  const color = "#099bf1";
  const column = (name: string, unit?: string) => ({
    name,
    type: "integer" as const,
    description: "",
    combined: null,
    ...(unit === undefined ? {} : { unit }),
  });
  const columns = [column("wind", "kt"), column("gust", "kt"), column("rank")];
  const asked = (aggregation: "count" | "max", model: string) => ({ id: "1", model, aggregation, color });
  const derived = (type: "ratio" | "ratio-percent" | "delta", ...[column1, column2]: [Aggregate, Aggregate]) =>
    ({ id: "1", label: "D", type, column1, column2, color }) as const;
  const said = (column: GraphColumn) => [unitOf(column, columns), measureOf(column, columns)];
  expect(said(asked("max", "wind"))).toEqual(["kt", "kt"]);
  expect(said(asked("max", "rank"))).toEqual(["", "rank"]);
  expect(said(asked("count", "wind"))).toEqual(["", "count"]);
  expect(said(derived("delta", asked("max", "wind"), asked("max", "gust")))).toEqual(["kt", "kt"]);
  expect(said(derived("delta", asked("max", "wind"), asked("max", "rank")))).toEqual(["", "delta"]);
  expect(said(derived("delta", asked("count", "*"), asked("count", "wind")))).toEqual(["", "count"]);
  expect(said(derived("ratio", asked("max", "wind"), asked("max", "gust")))).toEqual(["", "ratio"]);
  expect(said(derived("ratio-percent", asked("max", "wind"), asked("max", "gust")))).toEqual(["%", "%"]);
});

it("says before a run how much it will compute", () => {
  expect(workText(1, 1)).toBe("1 group");
  expect(workText(720, 3)).toBe("720 groups × 3 values: 2,160 values");
});
