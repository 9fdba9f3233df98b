import { flowChange } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { Random, edits, generateFlow, withNewIds } from "#testing/generated-flows.ts";
import { maxDescribed } from "./describe-change.ts";
import { definition, compareTexts } from "#testing/flow-texts.ts";

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

it("describes the most important ones of very many changes, and counts all", () => {
  const flow = (count: number, x: number) =>
    definition({ funnels: Array.from({ length: count }, (_, id) => ({ identifier: `f${id}`, position: { x, y: 0 } })), comments: `${x}` });
  const { changes, counts } = compareTexts(flow(12_000, 0), flow(12_000, 1));
  expect(counts).toEqual({ behavior: 1, layout: 12_000, versions: 0 });
  expect(changes).toHaveLength(maxDescribed);
  expect(changes.filter(({ category }) => category === "behavior")).toHaveLength(1);
  expect(compareTexts(definition({}), flow(12_000, 0)).counts.behavior).toBe(12_001);
});
