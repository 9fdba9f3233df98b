import { describe, expect, it } from "vitest";
import { Refusal } from "#http/refusal.ts";
import { CallRate } from "./call-rate.ts";

function createRate(perMinute: number) {
  let now = 1_000_000;
  const rate = new CallRate(perMinute, () => now);
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
  return { countAdmitted, tryCall, wait: (seconds: number) => void (now += seconds * 1_000) };
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
