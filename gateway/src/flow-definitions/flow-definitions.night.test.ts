import { afterAll, expect, it } from "vitest";
import type { EngineCall } from "#query/engine.ts";
import { Random, generateFlow } from "#testing/generated-flows.ts";
import { FlowDefinitions } from "./flow-definitions.ts";
import { realFile } from "./test-flow.ts";

const definition = realFile("nifi-1.18-flow-definition.json");
const template = realFile("nifi-1.18-template.xml");
const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
const flows = new FlowDefinitions();
afterAll(() => flows.close());

it("compares and draws flows of 5 MB without blocking the process", async () => {
  const before = JSON.stringify(generateFlow(new Random(1), { groups: 200, processorsPerGroup: 9 }));
  const after = before.replaceAll('"schedulingPeriod":"1 sec"', '"schedulingPeriod":"2 sec"');
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 5);
  const [comparison, drawing] = await Promise.all([
    flows.compare(before, after, call),
    flows.draw(before, after, { ...call, owner: "bob" }),
  ]);
  clearInterval(timer);
  expect(comparison).toMatchObject({ outcome: "compared", counts: { behavior: 2_200, layout: 0, versions: 0 } });
  expect(drawing.outcome === "drawn" && drawing.groups.length).toBe(200);
  expect(ticks).toBeGreaterThan(10);
});

it.each([
  [
    "a list of 100,000 items in a template",
    template.replace("</connections>", `${"<prioritizers>a</prioritizers>".repeat(100_000)}</connections>`),
  ],
  ["a name that occurs in every one of very many changes", labelWith("n ".repeat(1_000_000))],
  ["a text that nearly holds secrets everywhere", definition.replace("hello", "-eyJ".repeat(500_000))],
])("compares %s in time", async (_, text) => {
  expect(await flows.compare(definition, text, call)).toMatchObject({ outcome: "compared" });
  expect(await flows.check(text, undefined, call)).toMatchObject({ counts: { error: 0 } });
});

/** A flow of one label with 20,000 settings. */
function labelWith(label: string): string {
  const settings = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`setting ${index}`, "x"]));
  return JSON.stringify({ flowContents: { identifier: "root", labels: [{ identifier: "label", label, ...settings }] } });
}

it("lets one user wait for a few flows, and refuses more", async () => {
  const text = JSON.stringify(generateFlow(new Random(3), { groups: 60, processorsPerGroup: 9 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => flows.draw(text, text, call)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(6);
  expect(refused[0]).toMatchObject({ reason: { code: "too-many-requests" } });
});
