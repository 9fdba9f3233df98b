import type { JoltStep } from "@fairway/contract/jolt";
import { afterAll, expect, it } from "vitest";
import type { EngineCall } from "#query/engine.ts";
import { JoltRunner } from "./runner.ts";

const call: EngineCall = { signal: new AbortController().signal, owner: "ada" };
const jolt = new JoltRunner();
afterAll(() => jolt.close());

const doubling = (times: number): JoltStep[] => Array.from({ length: times }, () => ({ operation: "shift", spec: { "@": ["a", "b"] } }));
/** Copies every value, with everything below it, to each of many paths. */
const copying: JoltStep = { operation: "shift", spec: { "*": Array.from({ length: 1_000 }, (_, n) => `@(1)${n}`) } };

it("runs a chain in a worker thread", async () => {
  const startedBefore = jolt.metrics.started;
  const steps: JoltStep[] = [{ operation: "shift", spec: { b: "y.z", a: "x" } }];
  expect(await jolt.run(steps, { a: 1, b: "é" }, call)).toBe('{"y":{"z":"é"},"x":1}');
  expect(await jolt.run([{ operation: "shift", spec: { a: "b" } }], {}, call)).toBe("null");
  expect(jolt.metrics.started).toBe(startedBefore + 2);
});

it("refuses an output with too many characters and an invalid step, naming the step", async () => {
  const refusal = (path: string) => ({ code: "invalid-value", errors: [expect.objectContaining({ path })] });
  await expect(jolt.run(doubling(17), { a: "x".repeat(10_000) }, call)).rejects.toMatchObject({
    ...refusal("joltSpec.7"),
    message: "'joltSpec.7': The output contains more than 2000000 characters.",
  });
  await expect(jolt.run([{ operation: "shift", spec: { a: 7 } }], {}, call)).rejects.toMatchObject(refusal("joltSpec.0.spec.a"));
});

it("stops a chain that runs for too long, and runs the next one", async () => {
  const input = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, [1, 2, 3]]));
  await expect(jolt.run([copying], input, call)).rejects.toMatchObject({ code: "invalid-value" });
  expect(await jolt.run([{ operation: "sort" }], { b: 1, a: 2 }, call)).toBe('{"a":2,"b":1}');
});
