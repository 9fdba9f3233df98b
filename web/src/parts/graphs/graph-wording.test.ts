import { expect, it } from "vitest";
import {
  aggregationLabels,
  columnLabel,
  derivedLabels,
  groupingLabels,
  manyGroupings,
  typeLabels,
  valueText,
  workText,
} from "./graph-wording.ts";

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

it("writes counts with separators, other numbers without, and nothing where there is no value", () => {
  const count = { id: "1", model: "*", aggregation: "count", color: "#099bf1" } as const;
  const avg = { ...count, model: "wind", aggregation: "avg" } as const;
  expect(valueText(count, 1234567)).toBe("1,234,567");
  expect(valueText(avg, 12345.678912)).toBe("12345.6789");
  expect(valueText(avg, 0.0000123456)).toBe("0.00001235");
  expect(valueText(avg, null)).toBe("");
  expect(valueText(avg, "9007199254740993")).toBe("9007199254740993");
});

it("says before a run how much it will compute", () => {
  expect(workText(1, 1)).toBe("1 group");
  expect(workText(720, 3)).toBe("720 groups × 3 values: 2,160 values");
});
