import { expect, it } from "vitest";
import { createPlan, requestKeyOf } from "./graph-plan.ts";
import type { GraphDefinition } from "@fairway/contract/charts/graph";

const color = "#099bf1";
const graph: GraphDefinition = {
  title: "Winds",
  type: "bar",
  groupingType: "hour",
  groupings: [],
  columns: [{ id: "1", model: "wind", aggregation: "max", color }],
  stacked: false,
  logAxis: false,
};
const startMs = Date.UTC(2005, 7, 28);
const hours = (count: number) => ({ startMs, endMs: startMs + count * 3_600_000 - 1_000 });

it("requests up to 24 values individually, more in one call", () => {
  expect(createPlan(graph, {}, hours(24))).toMatchObject({ values: 24, inOneCall: false });
  expect(createPlan(graph, {}, hours(25))).toMatchObject({ values: 25, inOneCall: true });
  const rest = { id: "r", label: "Other", color, conditions: [], isRest: true };
  expect(createPlan({ ...graph, groupingType: "custom", groupings: [rest] }, {}, null)).toMatchObject({ values: 1, inOneCall: true });
  const two: GraphDefinition = { ...graph, columns: [...graph.columns, { id: "2", model: "wind", aggregation: "avg", color }] };
  expect(createPlan(two, {}, hours(13))).toMatchObject({ values: 26, inOneCall: true });
});

it("needs no new request for another title, type or color, but for other rows or values", () => {
  const plan = createPlan(graph, {}, hours(3));
  const same: GraphDefinition = {
    ...graph,
    title: "Other",
    type: "line",
    columns: [{ id: "9", model: "wind", aggregation: "max", color: "#e36f17" }],
  };
  expect(requestKeyOf(createPlan(same, {}, hours(3)))).toBe(requestKeyOf(plan));
  expect(requestKeyOf(createPlan(graph, {}, hours(4)))).not.toBe(requestKeyOf(plan));
  expect(requestKeyOf(createPlan(graph, { filters: [{ name: "wind", value: 1, operator: ">" }] }, hours(3)))).not.toBe(requestKeyOf(plan));
  const lowest: GraphDefinition = { ...graph, columns: [{ id: "1", model: "wind", aggregation: "min", color }] };
  expect(requestKeyOf(createPlan(lowest, {}, hours(3)))).not.toBe(requestKeyOf(plan));
});
