import { flowDrawing } from "@fairway/contract/flow-differences";
import { expect, it } from "vitest";
import { Random, edits, generateFlow } from "#testing/generated-flows.ts";
import { compareFlows } from "./compare-flows.ts";
import { drawComparison } from "./draw-flow.ts";
import { readJsonFlow } from "./read-json-flow.ts";

const draw = (before: string, after: string) => drawComparison(compareFlows(readJsonFlow(before), readJsonFlow(after)));

it("every drawing of generated flows fits the contract, and every edge leads from a node to a node", () => {
  const names = Object.keys(edits);
  for (let seed = 0; seed < 25; seed += 1) {
    const random = new Random(seed);
    const before = JSON.stringify(generateFlow(random, { groups: 4 }));
    const flow = JSON.parse(before) as ReturnType<typeof generateFlow>;
    for (let count = 0; count < 6; count += 1) edits[random.pick(names) ?? ""]?.(flow, random);
    const groups = draw(before, JSON.stringify(flow));
    expect(flowDrawing.safeParse({ outcome: "drawn", groups }).error).toBeUndefined();
    expect(new Set(groups.map(({ id }) => id)).size).toBe(groups.length);
    for (const { nodes, edges, parentId } of groups) {
      const ids = new Set(nodes.map(({ id }) => id));
      expect(ids.size).toBe(nodes.length);
      expect(edges.filter(({ from, to }) => !ids.has(from) || !ids.has(to))).toEqual([]);
      expect([null, ...groups.map(({ id }) => id)]).toContain(parentId);
    }
  }
});
