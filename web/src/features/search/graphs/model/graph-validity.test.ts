import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { conditionColumns, graphableColumns, graphProblems, readGraph } from "./graph-validity.ts";
import type { GraphDefinition } from "@fairway/contract/charts/graph";

const description = buildDescription({
  filterSupport: { supportsAdvancedFiltering: true },
  columns: [
    buildColumn("name"),
    buildColumn("time", { type: "TIMESTAMP_SECONDS" }),
    buildColumn("wind", { type: "integer" }),
    buildColumn("pressure", { type: "decimal" }),
    buildColumn("place", { combined: { type: "COORDINATES", fields: ["lat", "lng"], joinedBy: "," } }),
  ],
});
const range = { startMs: Date.UTC(2005, 7, 28), endMs: Date.UTC(2005, 7, 30) };
const limits = { graphColumns: 5, graphConditionsPerGroup: 2 };
const color = "#099bf1";
const condition = { id: "c", model: "wind", operator: ">=", value: "64" } as const;
const strong = { id: "1", label: "Strong", color, conditions: [condition] };
const custom: GraphDefinition = {
  title: "Winds",
  type: "bar",
  groupingType: "custom",
  groupings: [strong],
  columns: [{ id: "1", model: "wind", aggregation: "max", color }],
  stacked: false,
  logAxis: false,
};
const byDay: GraphDefinition = { ...custom, groupingType: "day", groupings: [] };
const problems = (graph: GraphDefinition, timeRange: typeof range | null = range) =>
  graphProblems(graph, { description, range: timeRange, limits });

describe("a graph", () => {
  it("is valid with a title, a labeled grouping and a column", () => {
    expect(problems(custom)).toEqual([]);
    expect(problems(byDay)).toEqual([]);
  });

  it("[GRAPH-18] requires a non-blank title", () => {
    expect(problems({ ...custom, title: " " })).toEqual(["The graph needs a title."]);
  });

  it("[GRAPH-19] requires at least 1 grouping and at least 1 column", () => {
    expect(problems({ ...custom, groupings: [] })).toEqual(["The graph needs at least 1 grouping."]);
    expect(problems({ ...custom, columns: [] })).toEqual(["The graph needs at least 1 column."]);
  });

  it("allows a group for the rest only beside groups of one condition, =", () => {
    const rest = { id: "r", label: "Other", color, conditions: [], isRest: true };
    const calm = { ...strong, conditions: [{ ...condition, operator: "=" as const }] };
    expect(problems({ ...custom, groupings: [calm, rest] })).toEqual([]);
    const message = "Other needs other groups with one condition each, and the operator =.";
    expect(problems({ ...custom, groupings: [strong, rest] })).toEqual([message]);
    const two = { ...calm, conditions: [...calm.conditions, { ...condition, id: "d", operator: "=" as const }] };
    expect(problems({ ...custom, groupings: [two, rest] })).toEqual([message]);
  });

  it("[GRAPH-20] requires a label on every grouping", () => {
    expect(problems({ ...custom, groupings: [strong, { ...strong, id: "2", label: " " }] })).toEqual(["Every grouping needs a label."]);
  });

  it("[GRAPH-22][GRAPH-23] enforces the limits of columns and conditions per group", () => {
    const columns = Array.from({ length: 6 }, (_, index) => ({ id: `${index}`, model: "wind", aggregation: "max" as const, color }));
    expect(problems({ ...custom, columns })).toEqual(["The graph has more than 5 columns."]);
    expect(problems({ ...custom, groupings: [{ ...strong, conditions: [condition, condition, condition] }] })).toEqual([
      "Strong has more than 2 conditions.",
    ]);
  });

  it("[GRAPH-24] allows only integer and decimal columns", () => {
    expect(graphableColumns(description).map(({ name }) => name)).toEqual(["wind", "pressure"]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "name", aggregation: "max", color }] })).toEqual([
      "name is not a numeric column of this dataset.",
    ]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "*", aggregation: "count", color }] })).toEqual([]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "*", aggregation: "avg", color }] })).toEqual([
      "Only a count can cover all rows.",
    ]);
  });

  it("[GRAPH-25] requires a time range on the search for temporal grouping", () => {
    expect(problems(byDay, null)).toEqual(["Temporal grouping needs a time range on the search."]);
  });

  it("[GRAPH-21] requires a first condition in each group", () => {
    expect(problems({ ...custom, groupings: [{ ...strong, conditions: [] }] })).toEqual(["Strong needs at least 1 condition."]);
  });

  it("requires valid condition values", () => {
    const withValue = (value: string, model = "wind") => ({
      ...custom,
      groupings: [{ ...strong, conditions: [{ ...condition, model, value }] }],
    });
    expect(problems(withValue(" "))).toEqual(["Strong: wind needs a value."]);
    expect(problems(withValue("much"))).toEqual(["Strong: 'much' is not a whole number."]);
    expect(problems(withValue("1", "gone"))).toEqual(["Strong: gone is not a column this dataset can filter by."]);
    expect(readGraph({ ...withValue("64"), title: " Winds " }, description)).toMatchObject({
      title: "Winds",
      groupings: [{ conditions: [{ value: 64 }] }],
    });
  });

  it("requires labels on derived columns and limits the number of groups", () => {
    const derived = {
      id: "2",
      label: "",
      type: "ratio",
      column1: { model: "wind", aggregation: "max" },
      column2: { model: "*", aggregation: "count" },
      color,
    } as const;
    expect(problems({ ...custom, columns: [derived] })).toEqual(["Every derived column needs a label."]);
    expect(problems({ ...byDay, groupingType: "hour" }, { startMs: 0, endMs: Date.UTC(2005, 0, 1) })[0]).toContain("10,000 groups");
  });
});

it("allows conditions on every column with advanced filtering, otherwise on the dataset's filters", () => {
  expect(conditionColumns(description).map(({ name }) => name)).toEqual(["name", "time", "wind", "pressure"]);
  const few = buildDescription({ filterSupport: { staticFilters: [buildFilter("wind", { type: "integer" })] } });
  expect(conditionColumns(few).map(({ name }) => name)).toEqual(["wind"]);
});
