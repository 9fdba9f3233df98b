import { expect, it } from "vitest";
import { asksTheSame, planOf } from "./graph-plan.ts";
import type { GraphDefinition } from "./graph.ts";

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
const begin = Date.UTC(2005, 7, 28);
const hours = (count: number) => ({ startMs: begin, endMs: begin + count * 3_600_000 - 1_000 });

it("asks up to 24 values one by one, more by one call", () => {
  expect(planOf(graph, {}, hours(24))).toMatchObject({ values: 24, inOneCall: false });
  expect(planOf(graph, {}, hours(25))).toMatchObject({ values: 25, inOneCall: true });
  const two: GraphDefinition = { ...graph, columns: [...graph.columns, { id: "2", model: "wind", aggregation: "avg", color }] };
  expect(planOf(two, {}, hours(13))).toMatchObject({ values: 26, inOneCall: true });
});

it("asks nothing anew for another title, type or color, and everything for other rows or values", () => {
  const plan = planOf(graph, {}, hours(3));
  const same: GraphDefinition = {
    ...graph,
    title: "Other",
    type: "line",
    columns: [{ id: "9", model: "wind", aggregation: "max", color: "#e36f17" }],
  };
  expect(asksTheSame(plan, planOf(same, {}, hours(3)))).toBe(true);
  expect(asksTheSame(plan, planOf(graph, {}, hours(4)))).toBe(false);
  expect(asksTheSame(plan, planOf(graph, { filters: [{ name: "wind", value: 1, operator: ">" }] }, hours(3)))).toBe(false);
  expect(asksTheSame(plan, planOf({ ...graph, columns: [{ id: "1", model: "wind", aggregation: "min", color }] }, {}, hours(3)))).toBe(
    false,
  );
});
