import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { CachedRead, CachedReads } from "./cached-read.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 }));
afterEach(() => void vi.useRealTimers());

/** A read that the test resolves. */
function deferredRead() {
  const calls: { resolve: (value: { n: number } | undefined) => void; reject: (error: Error) => void }[] = [];
  const read = () => new Promise<{ n: number } | undefined>((resolve, reject) => calls.push({ resolve, reject }));
  return { calls, read };
}

describe("CachedRead", () => {
  it("reads once for simultaneous calls, and again after 5 seconds or when forgotten", async () => {
    let reads = 0;
    const read = async () => ({ n: ++reads });
    const cached = new CachedRead(read);
    expect(await Promise.all([cached.get(), cached.get()])).toEqual([{ n: 1 }, { n: 1 }]);
    vi.setSystemTime(1_004_999);
    expect(await cached.get()).toEqual({ n: 1 });
    vi.setSystemTime(1_005_000);
    expect(await cached.get()).toEqual({ n: 2 });
    cached.forget();
    expect(await cached.get()).toEqual({ n: 3 });
  });

  it("caches no failed read, and keeps a newer read when an older one fails", async () => {
    const { calls, read } = deferredRead();
    const cached = new CachedRead(read);
    const failing = cached.get();
    cached.forget();
    const newer = cached.get();
    calls[0]?.reject(new Error("away"));
    await expect(failing).rejects.toThrow("away");
    calls[1]?.resolve({ n: 2 });
    expect(await newer).toEqual({ n: 2 });
    expect(await cached.get()).toEqual({ n: 2 });
    expect(calls).toHaveLength(2);
  });
});

describe("CachedReads", () => {
  it("shares a read of one key and caches its value for 5 seconds from the start of the read", async () => {
    const { calls, read } = deferredRead();
    const cached = new CachedReads<{ n: number }>(10);
    const both = Promise.all([cached.read("a", read), cached.read("a", read)]);
    vi.setSystemTime(1_003_000);
    calls[0]?.resolve({ n: 1 });
    expect(await both).toEqual([{ n: 1 }, { n: 1 }]);
    expect(calls).toHaveLength(1);
    vi.setSystemTime(1_004_999);
    expect(cached.peek("a")).toEqual({ n: 1 });
    vi.setSystemTime(1_005_000);
    expect(cached.peek("a")).toBeUndefined();
  });

  it("does not cache a value that was read before it was forgotten", async () => {
    const { calls, read } = deferredRead();
    const cached = new CachedReads<{ n: number }>(10);
    const before = cached.read("a", read);
    cached.forget(() => false);
    const after = cached.read("a", read);
    calls[1]?.resolve({ n: 2 });
    expect(await after).toEqual({ n: 2 });
    calls[0]?.resolve({ n: 1 });
    expect(await before).toEqual({ n: 1 });
    expect(cached.peek("a")).toEqual({ n: 2 });
  });

  it("forgets matching values, and caches neither failures nor missing values", async () => {
    const cached = new CachedReads<{ n: number }>(10);
    for (const n of [1, 2, 3]) await cached.read(`k${n}`, async () => ({ n }));
    cached.forget(({ n }, key) => n === 1 || key === "k3");
    expect(["k1", "k2", "k3"].map((key) => cached.peek(key)?.n)).toEqual([undefined, 2, undefined]);
    await expect(cached.read("k1", () => Promise.reject(new Error("away")))).rejects.toThrow("away");
    expect(await cached.read("k1", async () => undefined)).toBeUndefined();
    expect(await cached.read("k1", async () => ({ n: 4 }))).toEqual({ n: 4 });
  });

  it("keeps only the most recently used values up to its maximum", async () => {
    const cached = new CachedReads<{ n: number }>(2);
    for (const n of [1, 2, 1, 3]) {
      cached.peek("k1");
      await cached.read(`k${n}`, async () => ({ n }));
    }
    expect(["k1", "k2", "k3"].map((key) => cached.peek(key)?.n)).toEqual([1, undefined, 3]);
  });
});
