import { describe, expect, it } from "vitest";
import { buildColumn, buildDescription, buildFilter } from "#testing/dataset-builders.ts";
import { conditionColumns, graphableColumns, graphProblems, readGraph } from "./graph-validity.ts";
import type { GraphDefinition } from "./graph.ts";

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
const problems = (graph: GraphDefinition, within: typeof range | null = range) =>
  graphProblems(graph, { description, range: within, limits });

describe("a graph", () => {
  it("is valid with a title, a grouping with a label, and a column", () => {
    expect(problems(custom)).toEqual([]);
    expect(problems(byDay)).toEqual([]);
  });

  it("[GRAPH-18] needs a title that is not blank", () => {
    expect(problems({ ...custom, title: " " })).toEqual(["The graph needs a title."]);
  });

  it("[GRAPH-19] needs at least 1 grouping and at least 1 column", () => {
    expect(problems({ ...custom, groupings: [] })).toEqual(["The graph needs at least 1 grouping."]);
    expect(problems({ ...custom, columns: [] })).toEqual(["The graph needs at least 1 column."]);
  });

  it("[GRAPH-20] needs a label on every grouping", () => {
    expect(problems({ ...custom, groupings: [strong, { ...strong, id: "2", label: " " }] })).toEqual(["Every grouping needs a label."]);
  });

  it("[GRAPH-22][GRAPH-23] keeps to the limits of columns and of conditions per group", () => {
    const columns = Array.from({ length: 6 }, (_, place) => ({ id: `${place}`, model: "wind", aggregation: "max" as const, color }));
    expect(problems({ ...custom, columns })).toEqual(["The graph has more than 5 columns."]);
    expect(problems({ ...custom, groupings: [{ ...strong, conditions: [condition, condition, condition] }] })).toEqual([
      "Strong has more than 2 conditions.",
    ]);
  });

  it("[GRAPH-24] draws whole and decimal numbers only", () => {
    expect(graphableColumns(description).map(({ name }) => name)).toEqual(["wind", "pressure"]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "name", aggregation: "max", color }] })).toEqual([
      "name is no column of numbers of this dataset.",
    ]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "*", aggregation: "count", color }] })).toEqual([]);
    expect(problems({ ...custom, columns: [{ id: "1", model: "*", aggregation: "avg", color }] })).toEqual([
      "Only a count can be over all rows.",
    ]);
  });

  it("[GRAPH-25] grouped by time needs a time range on the search", () => {
    expect(problems(byDay, null)).toEqual(["Temporal grouping needs a time range on the search."]);
  });

  it("[GRAPH-21] needs a first condition in each group", () => {
    expect(problems({ ...custom, groupings: [{ ...strong, conditions: [] }] })).toEqual(["Strong needs at least 1 condition."]);
  });

  it("needs values that its columns understand, and says so in the dataset's terms", () => {
    const withValue = (value: string, model = "wind") => ({
      ...custom,
      groupings: [{ ...strong, conditions: [{ ...condition, model, value }] }],
    });
    expect(problems(withValue(" "))).toEqual(["Strong: wind needs a value."]);
    expect(problems(withValue("much"))).toEqual(["Strong: 'much' is not a whole number."]);
    expect(problems(withValue("1", "gone"))).toEqual(["Strong: gone is no column that the dataset filters by."]);
    expect(readGraph({ ...withValue("64"), title: " Winds " }, description)).toMatchObject({
      title: "Winds",
      groupings: [{ conditions: [{ value: 64 }] }],
    });
  });

  it("has a label on a derived column, and no more groups than can be told apart", () => {
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

it("sets conditions on every column with advanced filtering, else on those that the dataset filters by", () => {
  expect(conditionColumns(description).map(({ name }) => name)).toEqual(["name", "time", "wind", "pressure"]);
  const few = buildDescription({ filterSupport: { staticFilters: [buildFilter("wind", { type: "integer" })] } });
  expect(conditionColumns(few).map(({ name }) => name)).toEqual(["wind"]);
});
