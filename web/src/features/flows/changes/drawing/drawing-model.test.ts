import type { FlowEdge, FlowGroupDrawing, FlowNode } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { drawnGroup } from "./drawing-model.ts";

const node = (id: string, y: number): FlowNode => ({
  id,
  kind: "processor",
  name: id,
  type: "",
  x: 0,
  y,
  width: 100,
  height: 50,
  state: "same",
});
const edge = (id: string, from: string, to: string): FlowEdge => ({ id, from, to, name: id, bends: [], state: "same" });

it("draws connections between the same components beside each other", () => {
  const group: FlowGroupDrawing = {
    id: "g",
    name: "g",
    parentId: null,
    state: "same",
    hasChanges: false,
    nodes: [node("a", 0), node("b", 200), node("c", 400)],
    edges: [edge("splits", "a", "b"), edge("failure", "a", "b"), edge("back", "b", "a"), edge("alone", "b", "c")],
  };
  const { edges } = drawnGroup({ outcome: "drawn", groups: [group] }, group);
  const middles = edges.slice(0, 3).map(({ points }) => points[1]?.x);
  expect(new Set(middles).size).toBe(3);
  expect(edges[3]?.points).toHaveLength(2);
});
