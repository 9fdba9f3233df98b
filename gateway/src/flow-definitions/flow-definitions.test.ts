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

it("refuses a flow that takes too long or too much memory, and reads the next one", async () => {
  const large = JSON.stringify(generateFlow(new Random(2), { groups: 60, processorsPerGroup: 9 }));
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

it("stops when the caller is gone", async () => {
  const abort = new AbortController();
  const text = JSON.stringify(generateFlow(new Random(4), { groups: 200, processorsPerGroup: 9 }));
  const running = flows.compare(text, text, { ...call, signal: abort.signal });
  await expect.poll(() => flows.metrics.running).toBe(1);
  abort.abort();
  await expect(running).rejects.toMatchObject({ reason: "abandoned" });
});
