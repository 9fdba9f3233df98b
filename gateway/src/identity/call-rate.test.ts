import { describe, expect, it } from "vitest";
import { Refusal } from "#http/refusal.ts";
import { CallRate } from "./call-rate.ts";

function createRate(perMinute: number) {
  let now = 1_000_000;
  const rate = new CallRate(perMinute, { now: () => now });
  const tryCall = (key = "a"): Refusal | undefined => {
    try {
      rate.count(key, "This API key");
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  const countAdmitted = (calls: number, key?: string) =>
    Array.from({ length: calls }, () => tryCall(key)).filter((refused) => !refused).length;
  return { rate, countAdmitted, tryCall, wait: (seconds: number) => void (now += seconds * 1_000) };
}

describe("CallRate", () => {
  it("limits the calls of each key per minute", () => {
    const { countAdmitted } = createRate(600);
    expect([countAdmitted(700, "a"), countAdmitted(601, "b")]).toEqual([600, 600]);
  });

  it("does not admit a double amount around the start of a window", () => {
    const { countAdmitted, wait } = createRate(600);
    wait(59);
    expect(countAdmitted(700)).toBe(600);
    wait(60);
    expect(countAdmitted(700)).toBeLessThan(20);
    wait(30);
    expect(countAdmitted(700)).toBeGreaterThan(200);
  });

  it("does not count refused calls", () => {
    const { countAdmitted, wait } = createRate(10);
    expect(countAdmitted(1_000)).toBe(10);
    wait(120);
    expect(countAdmitted(1_000)).toBe(10);
  });

  it("adds calls of other gateways to its own, in the minute that they count from, and never lowers its own count", () => {
    const { rate, countAdmitted, wait } = createRate(10);
    rate.adopt("a", { ageMs: 50_000, calls: 6, previousCalls: 0 }, 0);
    expect(countAdmitted(10)).toBe(4);
    rate.adopt("a", { ageMs: 50_000, calls: 2, previousCalls: 0 }, 1);
    expect(countAdmitted(10)).toBe(0);
    // 50 seconds later, 40 of the new minute have passed: a third of the ten calls still counts.
    wait(50);
    expect(countAdmitted(10)).toBe(7);
    rate.adopt("b", { ageMs: 90_000, calls: 10, previousCalls: 10 }, 2);
    // The counted minute ended 30 seconds ago: half of its calls count, and the two that are not shared yet.
    expect(countAdmitted(10, "b")).toBe(3);
  });

  it.each([
    [10, 10, 0],
    [10, 10, 59],
    [1, 1, 3],
    [600, 600, 30],
  ])("with a limit of %i, after %i calls and %i seconds, returns a sufficient Retry-After", (perMinute, calls, seconds) => {
    const { countAdmitted, tryCall, wait } = createRate(perMinute);
    countAdmitted(calls);
    wait(seconds);
    const refused = tryCall();
    expect(refused?.code).toBe("too-many-requests");
    wait(Math.ceil(refused?.retryAfterSeconds ?? 0));
    expect(tryCall()).toBeUndefined();
  });
});
