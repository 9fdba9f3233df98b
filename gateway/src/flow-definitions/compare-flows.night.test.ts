import { describe, expect, it } from "vitest";
import { type GeneratedFlow, Random, edits, generateFlow, withNewIds } from "#testing/generated-flows.ts";
import { type FlowDifferences, compareFlows } from "./compare-flows.ts";
import { type FlowComponent, type FlowValue, typeField } from "./flow-model.ts";
import { isReference } from "./match-components.ts";
import { read } from "./test-flow.ts";

const readGenerated = (flow: GeneratedFlow) => read(JSON.stringify(flow));
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
