import { describe, expect, it } from "vitest";
import { Refusal } from "#http/refusal.ts";
import { CallRate } from "./call-rate.ts";

function opened(perMinute: number) {
  let now = 1_000_000;
  const rate = new CallRate(perMinute, () => now);
  const tryOnce = (key = "a"): Refusal | undefined => {
    try {
      rate.count(key, "This API key");
      return undefined;
    } catch (error) {
      if (error instanceof Refusal) return error;
      throw error;
    }
  };
  const passing = (calls: number, key?: string) => Array.from({ length: calls }, () => tryOnce(key)).filter((refused) => !refused).length;
  return { passing, tryOnce, wait: (seconds: number) => void (now += seconds * 1_000) };
}

describe("the rate of calls", () => {
  it("lets so many pass in a minute, each key for itself", () => {
    const { passing } = opened(600);
    expect([passing(700, "a"), passing(601, "b")]).toEqual([600, 600]);
  });

  it("never lets twice as many pass around the turn of a minute", () => {
    const { passing, wait } = opened(600);
    wait(59);
    expect(passing(700)).toBe(600);
    wait(60);
    expect(passing(700)).toBeLessThan(20);
    wait(30);
    expect(passing(700)).toBeGreaterThan(200);
  });

  it("does not count what it refuses", () => {
    const { passing, wait } = opened(10);
    expect(passing(1_000)).toBe(10);
    wait(120);
    expect(passing(1_000)).toBe(10);
  });

  it.each([
    [10, 10, 0],
    [10, 10, 59],
    [1, 1, 3],
    [600, 600, 30],
  ])("with %i a minute, after %i calls and %i seconds, says how long to wait, and not in vain", (perMinute, calls, seconds) => {
    const { passing, tryOnce, wait } = opened(perMinute);
    passing(calls);
    wait(seconds);
    const refused = tryOnce();
    expect(refused?.code).toBe("too-many-requests");
    wait(Math.ceil(refused?.retryAfterSeconds ?? 0));
    expect(tryOnce()).toBeUndefined();
  });
});
