import { flowChange } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { Random, edits, generateFlow, withNewIds } from "#testing/generated-flows.ts";
import { compareFlows } from "./compare-flows.ts";
import { describeChanges } from "./describe-change.ts";
import { readJsonFlow } from "./read-json-flow.ts";

const compareTexts = (before: string, after: string) => describeChanges(compareFlows(readJsonFlow(before), readJsonFlow(after)));

it("every change of generated flows fits the contract, in both directions, and says something", () => {
  const names = Object.keys(edits);
  const seen = new Set<string>();
  for (let seed = 0; seed < 25; seed += 1) {
    const random = new Random(seed);
    const before = JSON.stringify(generateFlow(random));
    const flow = JSON.parse(before) as ReturnType<typeof generateFlow>;
    for (let count = 0; count < 6; count += 1) edits[random.pick(names) ?? ""]?.(flow, random);
    const after = JSON.stringify(flow);
    for (const [older, newer] of [
      [before, after],
      [after, before],
      [before, withNewIds(after, random)],
    ] as const) {
      const { changes, counts } = compareTexts(older, newer);
      expect(changes).toHaveLength(counts.behavior + counts.layout + counts.versions);
      for (const change of changes) {
        expect(flowChange.safeParse(change).error).toBeUndefined();
        expect(change.sentence).toMatch(/^(?:The |\d+ components ).*\.$/);
        expect(JSON.stringify(change)).not.toContain("hidden-");
        seen.add(`${change.kind} ${change.component.kind}`);
      }
    }
  }
  expect(seen.size).toBeGreaterThan(25);
});
