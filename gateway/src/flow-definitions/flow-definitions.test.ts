import { readFileSync } from "node:fs";
import { afterAll, expect, it } from "vitest";
import type { EngineCall } from "#query/engine.ts";
import { Random, generateFlow } from "#testing/generated-flows.ts";
import { FlowDefinitions } from "./flow-definitions.ts";

const realFile = (name: string) => readFileSync(new URL(`../testing/${name}`, import.meta.url), "utf8");
const definition = realFile("nifi-1.18-flow-definition.json");
const template = realFile("nifi-1.18-template.xml");
const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
const flows = new FlowDefinitions();
afterAll(() => flows.close());

it("compares, draws and checks in worker threads", async () => {
  const edited = definition.replace('"schedulingStrategy": "TIMER_DRIVEN"', '"schedulingStrategy": "CRON_DRIVEN"');
  expect(await flows.compare(definition, edited, call)).toMatchObject({
    outcome: "compared",
    changes: [{ sentence: 'The scheduling strategy of the processor "Gen" changed from TIMER_DRIVEN to CRON_DRIVEN.' }],
    counts: { behavior: 1, layout: 0, versions: 0 },
  });
  expect(await flows.draw(definition, edited, call)).toMatchObject({
    outcome: "drawn",
    groups: [
      {
        name: "src",
        nodes: [
          { name: "Gen", state: "changed" },
          { name: "Log", state: "same" },
        ],
        edges: [{ state: "same" }],
      },
    ],
  });
  expect(await flows.check(definition, undefined, call)).toMatchObject({ counts: { error: 0 } });
  expect(flows.metrics.started).toBe(3);
});

it("compares with nothing: everything is added", async () => {
  expect(await flows.compare(null, definition, call)).toMatchObject({
    outcome: "compared",
    changes: [
      { kind: "added", component: { name: "src" } },
      { kind: "added", component: { name: "Gen" } },
      { kind: "added", component: { name: "Log" } },
      { kind: "added", component: { kind: "connection" } },
      { kind: "added", component: { name: "fw-ctx" } },
      { kind: "added", component: { name: "greeting" } },
    ],
    counts: { behavior: 6, layout: 0, versions: 0 },
  });
  expect(await flows.draw(null, template, call)).toMatchObject({
    groups: [{ state: "added" }, { nodes: [{ state: "added" }, { state: "added" }] }],
  });
});

it("says which content cannot be compared, and why", async () => {
  const yaml = "name: weather\n";
  expect(await flows.compare(yaml, definition, call)).toEqual({
    outcome: "not-comparable",
    sentence: "The older content is YAML, which is only shown as text.",
  });
  expect(await flows.draw(definition, "{", call)).toEqual({
    outcome: "not-comparable",
    sentence: "The newer content cannot be compared. This is not valid JSON: line 1, column 2 is unexpected.",
  });
  expect(await flows.compare(null, "", call)).toEqual({
    outcome: "not-comparable",
    sentence: "The newer content cannot be compared. The content is empty.",
  });
});

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

it("refuses a flow that takes too long or too much memory, and reads the next one", async () => {
  const large = JSON.stringify(generateFlow(new Random(2), { groups: 150, processorsPerGroup: 9 }));
  for (const [limits, code] of [
    [{ timeoutMs: 1, memoryMb: 512 }, "timed-out"],
    [{ timeoutMs: 60_000, memoryMb: 8 }, "too-large"],
  ] as const) {
    const limited = new FlowDefinitions(limits);
    await expect(limited.compare(large, large, call)).rejects.toMatchObject({ code });
    await limited.close();
  }
  expect(await flows.compare(definition, definition, call)).toMatchObject({ changes: [] });
});

it("lets one user wait for a few flows, and refuses more", async () => {
  const text = JSON.stringify(generateFlow(new Random(3), { groups: 60, processorsPerGroup: 9 }));
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, () => flows.draw(text, text, call)));
  const refused = outcomes.filter(({ status }) => status === "rejected");
  expect(refused.length).toBeGreaterThan(0);
  expect(refused.length).toBeLessThan(6);
  expect(refused[0]).toMatchObject({ reason: { code: "too-many-requests" } });
});

it("stops when the caller is gone", async () => {
  const abort = new AbortController();
  const text = JSON.stringify(generateFlow(new Random(4), { groups: 200, processorsPerGroup: 9 }));
  const running = flows.compare(text, text, { ...call, signal: abort.signal });
  await expect.poll(() => flows.metrics.running).toBe(1);
  abort.abort();
  await expect(running).rejects.toMatchObject({ reason: "abandoned" });
});
