import { describe, expect, it } from "vitest";
import { type GeneratedFlow, Random, generateFlow, groupsOf, withNewIds } from "#testing/generated-flows.ts";
import { type FlowDifferences, compareFlows } from "./compare-flows.ts";
import { read, realFile } from "./test-flow.ts";

const readGenerated = (flow: GeneratedFlow) => read(JSON.stringify(flow));
const real = (name: string) => read(realFile(name));
const compareGenerated = (before: GeneratedFlow, after: GeneratedFlow) => compareFlows(readGenerated(before), readGenerated(after));
const copyOf = (flow: GeneratedFlow): GeneratedFlow => JSON.parse(JSON.stringify(flow)) as GeneratedFlow;

const summary = ({ changes }: FlowDifferences) =>
  changes.map((change) => {
    const { kind, name } = "after" in change ? change.after : change.before;
    return [change.kind, kind, name, ...(change.kind === "changed" ? [change.field] : [])].join(" ");
  });

describe("nothing changed", () => {
  it("for the same flow, in any order, and with values that are null instead of missing", () => {
    const flow = generateFlow(new Random(1));
    const other = copyOf(flow);
    for (const group of groupsOf(other.flowContents)) {
      for (const list of [group.processors, group.connections, group.processGroups, group.controllerServices]) list.reverse();
      for (const connection of group.connections) Object.assign(connection, { comments: null, prioritizers: null });
    }
    expect(summary(compareGenerated(flow, flow))).toEqual([]);
    expect(summary(compareGenerated(flow, other))).toEqual([]);
  });

  it("for a copy of a flow in which every identifier is new", () => {
    for (let seed = 0; seed < 10; seed += 1) {
      const flow = generateFlow(new Random(seed));
      const text = JSON.stringify(flow);
      expect(summary(compareFlows(read(text), read(withNewIds(text, new Random(seed + 1))))), `seed ${seed}`).toEqual([]);
    }
  });

  it("in what NiFi 1.18 exports as a template and as a flow definition, except for parameters, which templates do not have", () => {
    const [template, definition] = [real("nifi-1.18-template.xml"), real("nifi-1.18-flow-definition.json")];
    expect(summary(compareFlows(template, definition))).toEqual([
      "changed process-group src parameterContextName",
      "added parameter-context fw-ctx",
      "added parameter greeting",
    ]);
    expect(summary(compareFlows(definition, template))).toHaveLength(3);
    expect(summary(compareFlows(template, template))).toEqual([]);
  });
});

describe("components", () => {
  it("are the same one if only their identifiers, or their identifiers and names changed", () => {
    const before = generateFlow(new Random(7), { groups: 2 });
    const after = JSON.parse(withNewIds(JSON.stringify(before), new Random(8))) as GeneratedFlow;
    const [processor] = after.flowContents.processors;
    if (processor === undefined) throw new Error("there is no processor");
    processor.name = "Renamed";
    processor.position = { x: -1, y: -1 };
    expect(summary(compareGenerated(before, after))).toEqual(["renamed processor Renamed", "changed processor Renamed position"]);
  });

  it("with the same identifier but of another kind are not the same", () => {
    const flow = (list: string) =>
      read(JSON.stringify({ flowContents: { identifier: "g", name: "G", [list]: [{ identifier: "x", name: "X" }] } }));
    expect(summary(compareFlows(flow("processors"), flow("inputPorts")))).toEqual(["added input-port X", "removed processor X"]);
  });

  it("that moved to another group keep everything else", () => {
    const before = generateFlow(new Random(3), { groups: 2 });
    const after = copyOf(before);
    const [outer, inner] = groupsOf(after.flowContents);
    inner?.processors.push(...(outer?.processors.splice(0, 1) ?? []));
    expect(summary(compareGenerated(before, after))).toEqual(["moved processor Step 0"]);
  });

  it("with repeated identifiers are all kept", () => {
    const processors = [1, 2, 3].map((number) => ({ identifier: "same", name: `P${number}`, type: "t" }));
    const flow = (count: number) =>
      read(JSON.stringify({ flowContents: { identifier: "g", name: "G", processors: processors.slice(0, count) } }));
    expect(flow(3).components.size).toBe(5);
    expect(summary(compareFlows(flow(3), flow(2)))).toEqual(["removed processor P3"]);
  });
});
