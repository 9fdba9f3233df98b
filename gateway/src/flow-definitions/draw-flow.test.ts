import { expect, it } from "vitest";
import { compareFlows } from "./compare-flows.ts";
import { drawComparison } from "./draw-flow.ts";
import { readJsonFlow } from "./read-json-flow.ts";

const definition = (group: object) => JSON.stringify({ flowContents: { identifier: "root", name: "Weather", ...group } });
const draw = (before: string, after: string) => drawComparison(compareFlows(readJsonFlow(before), readJsonFlow(after)));
const at = (x: number, y = 0) => ({ position: { x, y } });
const connect = (identifier: string, source: string, destination: string, others: object = {}) => ({
  identifier,
  source: { id: source },
  destination: { id: destination },
  ...others,
});

const processors = [
  { identifier: "a", name: "A", type: "x.LogAttribute", ...at(0) },
  { identifier: "b", name: "B", ...at(500) },
];
const inner = {
  identifier: "inner",
  name: "Inner",
  ...at(900),
  inputPorts: [{ identifier: "in", name: "in", ...at(0) }],
  processGroups: [{ identifier: "deep", name: "Deep", ...at(0, 300) }],
};

it("draws a flow group by group, with the sizes of NiFi's canvas", () => {
  const flow = definition({
    processors,
    processGroups: [inner],
    labels: [{ identifier: "l", label: "All\nof it", ...at(0, 400), width: 300.5, height: 5 }],
    connections: [
      connect("c", "a", "b", { selectedRelationships: ["success", "failure"], bends: [{ x: 1, y: 2.5 }] }),
      connect("d", "b", "in", { name: "Into" }),
    ],
  });
  const [root, group, deep] = draw(flow, flow);
  expect(root).toEqual({
    id: "root",
    name: "Weather",
    parentId: null,
    state: "same",
    hasChanges: false,
    nodes: [
      { id: "a", kind: "processor", name: "A", type: "x.LogAttribute", x: 0, y: 0, width: 352, height: 128, state: "same" },
      { id: "b", kind: "processor", name: "B", type: "", x: 500, y: 0, width: 352, height: 128, state: "same" },
      { id: "l", kind: "label", name: "All of it", type: "", x: 0, y: 400, width: 300.5, height: 10, state: "same" },
      { id: "inner", kind: "process-group", name: "Inner", type: "", x: 900, y: 0, width: 384, height: 176, state: "same" },
    ],
    edges: [
      { id: "c", from: "a", to: "b", name: "failure, success", bends: [{ x: 1, y: 2.5 }], state: "same" },
      { id: "d", from: "b", to: "inner", name: "Into", bends: [], state: "same" },
    ],
  });
  expect(group).toMatchObject({ id: "inner", parentId: "root", nodes: [{ id: "in" }, { id: "deep" }] });
  expect(deep).toMatchObject({ id: "deep", parentId: "inner", nodes: [] });
});

it("draws both flows of a comparison: what is new, what was removed where it was, what changed and what moved", () => {
  const before = definition({
    processors: [...processors, { identifier: "gone", name: "Gone", ...at(100, 500) }],
    processGroups: [inner],
    connections: [connect("c", "a", "b"), connect("old", "a", "gone")],
  });
  const after = definition({
    processors: [
      { ...processors[0], name: "A2" },
      { identifier: "new", name: "New", ...at(300, 300) },
    ],
    processGroups: [{ ...inner, processors: [{ ...processors[1], ...at(50) }] }],
    connections: [connect("c", "a", "new"), connect("x", "new", "in")],
  });
  const [root, group, deep] = draw(before, after);
  const states = (list: readonly { id: string; state: string }[] | undefined) =>
    Object.fromEntries((list ?? []).map(({ id, state }) => [id, state]));
  expect(states(root?.nodes)).toEqual({ a: "changed", new: "added", gone: "removed", b: "removed", inner: "same" });
  expect(root?.nodes.find(({ id }) => id === "gone")).toMatchObject({ x: 100, y: 500 });
  expect(states(root?.edges)).toEqual({ c: "changed", x: "added", old: "removed" });
  expect(states(group?.nodes)).toEqual({ b: "moved", in: "same", deep: "same" });
  expect([root, group, deep].map((one) => one?.hasChanges)).toEqual([true, true, false]);
});

it("draws removed groups with what was in them", () => {
  const [root, group, deep] = draw(definition({ processGroups: [inner] }), definition({}));
  expect(root?.nodes).toMatchObject([{ id: "inner", state: "removed" }]);
  expect(group).toMatchObject({
    id: "inner",
    state: "removed",
    hasChanges: true,
    nodes: [
      { id: "in", state: "removed" },
      { id: "deep", state: "removed" },
    ],
  });
  expect(deep).toMatchObject({ id: "deep", parentId: "inner", state: "removed" });
});

it("does not count another place or version as a change", () => {
  const flow = (x: number, version: string) =>
    definition({ processors: [{ identifier: "a", name: "A", ...at(x), bundle: { group: "g", artifact: "a", version } }] });
  expect(draw(flow(0, "1"), flow(70, "2"))).toMatchObject([{ hasChanges: false, nodes: [{ x: 70, state: "same" }] }]);
});

it("keeps odd places and sizes within bounds, and leaves out connections to nowhere", () => {
  const flow = definition({
    processors: [{ identifier: "a", position: { x: 1e300, y: "NaN" } }, { identifier: "b", position: "here" }, { identifier: "c" }],
    labels: [{ identifier: "l", width: "wide", height: -5 }],
    connections: [
      connect("1", "a", "gone"),
      connect("2", "gone", "gone"),
      { identifier: "3" },
      connect("4", "a", "b", { bends: [null, {}, { x: "7" }] }),
    ],
  });
  const drawing = draw(flow, flow);
  expect(drawing[0]?.nodes).toMatchObject([
    { x: 1_000_000, y: 0 },
    { x: 0, y: 0 },
    { x: 0, y: 0 },
    { width: 148, height: 10 },
  ]);
  expect(drawing[0]?.edges).toMatchObject([
    {
      id: "4",
      bends: [
        { x: 0, y: 0 },
        { x: 7, y: 0 },
      ],
    },
  ]);
});
