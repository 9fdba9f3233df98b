import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type GeneratedFlow, Random, edits, generateFlow, groupsOf, withNewIds } from "#testing/generated-flows.ts";
import { type FlowDifferences, compareFlows } from "./compare-flows.ts";
import { type ComponentFlow, type FlowComponent, type FlowValue, typeField } from "./flow-model.ts";
import { isReference } from "./match-components.ts";
import { readFlow } from "./read-flow.ts";

function read(text: string): ComponentFlow {
  const flow = readFlow(text);
  if (flow.format === "yaml") throw new Error("is only text");
  return flow;
}
const readGenerated = (flow: GeneratedFlow) => read(JSON.stringify(flow));
const real = (name: string) => read(readFileSync(new URL(`../testing/${name}`, import.meta.url), "utf8"));
const compareGenerated = (before: GeneratedFlow, after: GeneratedFlow) => compareFlows(readGenerated(before), readGenerated(after));
const copyOf = (flow: GeneratedFlow): GeneratedFlow => JSON.parse(JSON.stringify(flow)) as GeneratedFlow;

/** Uses one field of each change only, so that a missing change shows. */
function applyChanges({ before, changes }: FlowDifferences): Map<string, FlowComponent> {
  const components = new Map(before.components);
  for (const change of changes) {
    if (change.kind === "added") components.set(change.after.id, change.after);
    else if (change.kind === "removed") components.delete(change.before.id);
    else {
      const { id } = change.before;
      const one = components.get(id) ?? change.before;
      const { after } = change;
      if (change.kind === "renamed") components.set(id, { ...one, name: after.name });
      else if (change.kind === "moved") components.set(id, { ...one, parentId: after.parentId });
      else if (change.field === typeField) components.set(id, { ...one, type: after.type });
      else {
        const fields = new Map(one.fields);
        const value = after.fields.get(change.field);
        if (value === undefined) fields.delete(change.field);
        else fields.set(change.field, value);
        components.set(id, { ...one, fields });
      }
    }
  }
  return components;
}

/** Without the names of references, which repeat what other components say. */
function content(components: ReadonlyMap<string, FlowComponent>) {
  const plain = (value: FlowValue) => (isReference(value) ? { referenceTo: value.referenceTo } : value);
  return Object.fromEntries(
    Array.from(components, ([id, { kind, parentId, name, type, fields }]) => [
      id,
      { kind, parentId, name, type, fields: Object.fromEntries(Array.from(fields, ([field, value]) => [` ${field}`, plain(value)])) },
    ]),
  );
}

const summary = ({ changes }: FlowDifferences) =>
  changes.map((change) => {
    const { kind, name } = "after" in change ? change.after : change.before;
    return [change.kind, kind, name, ...(change.kind === "changed" ? [change.field] : [])].join(" ");
  });

describe("all changes together", () => {
  /** The flows that each edit begins with. Generating and reading them for every edit would take most of the time. */
  const olderFlows = Array.from({ length: 8 }, (_, seed) => {
    const generated = generateFlow(new Random(seed), { groups: 4 });
    return { seed, generated, before: readGenerated(generated) };
  });

  it.each(Object.keys(edits))("lead from the older flow to the newer one after: %s", (name) => {
    for (const { seed, generated, before } of olderFlows) {
      const after = copyOf(generated);
      edits[name]?.(after, new Random(seed + 100));
      const differences = compareFlows(before, readGenerated(after));
      expect(content(applyChanges(differences)), `seed ${seed}`).toEqual(content(differences.after.components));
    }
  });

  it("lead from the older flow to the newer one after any edits, and back, also if all identifiers are new", () => {
    const names = Object.keys(edits);
    let changeCount = 0;
    for (let seed = 1_000; seed < 1_060; seed += 1) {
      const random = new Random(seed);
      const before = generateFlow(random, { groups: 1 + random.below(5), processorsPerGroup: random.below(5) });
      const after = copyOf(before);
      for (let count = random.below(8); count >= 0; count -= 1) edits[random.pick(names) ?? ""]?.(after, random);
      const text = JSON.stringify(after);
      const [older, newer, renumbered] = [readGenerated(before), read(text), read(withNewIds(text, random))];
      for (const [one, other] of [
        [older, newer],
        [newer, older],
        [older, renumbered],
      ] as const) {
        const differences = compareFlows(one, other);
        changeCount += differences.changes.length;
        expect(content(applyChanges(differences)), `seed ${seed}`).toEqual(content(differences.after.components));
      }
    }
    expect(changeCount).toBeGreaterThan(600);
  }, 120_000);

  it("lead from any flow to any other one", () => {
    for (let seed = 0; seed < 15; seed += 1) {
      const differences = compareGenerated(generateFlow(new Random(seed)), generateFlow(new Random(seed + 500)));
      expect(content(applyChanges(differences)), `seed ${seed}`).toEqual(content(differences.after.components));
    }
  });
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
